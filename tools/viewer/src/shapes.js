// Shapes as geometries. Attribute `edge`: 0 on the edges of a face, 1 in its middle, 2: no edges are drawn.
// Attribute `mark`: 1 on parts that are drawn a little darker, so that a ball is seen to roll.
import * as THREE from 'three';
import { ConvexHull } from 'three/examples/jsm/math/ConvexHull.js';

function geometryOf(positions, normals, edges, marks) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  geometry.setAttribute('edge', new THREE.Float32BufferAttribute(edges, 1));
  geometry.setAttribute('mark', new THREE.Float32BufferAttribute(marks, 1));
  return geometry;
}

// Faces as lists of points, counter-clockwise from outside. Triangles around each face's middle.
function facesGeometry(faces) {
  const positions = [];
  const normals = [];
  const edges = [];
  for (const face of faces) {
    const middle = face.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(face.length);
    const normal = new THREE.Vector3();
    face.forEach((p, i) => normal.add(new THREE.Vector3().crossVectors(p, face[(i + 1) % face.length])));
    normal.normalize();
    face.forEach((p, i) => {
      for (const corner of [middle, p, face[(i + 1) % face.length]]) {
        positions.push(corner.x, corner.y, corner.z);
        normals.push(normal.x, normal.y, normal.z);
      }
      edges.push(1, 0, 0);
    });
  }
  return geometryOf(positions, normals, edges, new Float32Array(edges.length));
}

export function pointsOf(numbers) {
  const points = [];
  for (let i = 0; i < numbers.length; i += 3) points.push(new THREE.Vector3(numbers[i], numbers[i + 1], numbers[i + 2]));
  return points;
}

function polyhedron(shape) {
  const points = pointsOf(shape.vertices);
  const faces = [];
  for (let i = 0; i + 1 < shape.face_begin.length; ++i) {
    faces.push(shape.faces.slice(shape.face_begin[i], shape.face_begin[i + 1]).map((v) => points[v]));
  }
  return facesGeometry(faces);
}

function hullOf(shape) {
  const hull = new ConvexHull().setFromPoints(pointsOf(shape.vertices));
  const faces = hull.faces.map((face) => {
    const corners = [];
    let edge = face.edge;
    do {
      corners.push(edge.head().point);
      edge = edge.next;
    } while (edge !== face.edge);
    return corners;
  });
  return facesGeometry(faces);
}

function unitSphere(count) {
  const segments = count < 30 ? 64 : count < 500 ? 40 : 20;
  const geometry = new THREE.SphereGeometry(1, segments, segments / 2).toNonIndexed();
  const position = geometry.getAttribute('position');
  const marks = [];
  for (let i = 0; i < position.count; i += 3) {
    let [x, y, z] = [0, 0, 0];
    for (let k = i; k < i + 3; ++k) {
      x += position.getX(k);
      y += position.getY(k);
      z += position.getZ(k);
    }
    const mark = x * y * z > 0 ? 1 : 0;
    marks.push(mark, mark, mark);
  }
  geometry.setAttribute('edge', new THREE.Float32BufferAttribute(new Float32Array(position.count).fill(2), 1));
  geometry.setAttribute('mark', new THREE.Float32BufferAttribute(marks, 1));
  return geometry;
}

function unitBox() {
  const corner = (bits) => new THREE.Vector3(bits & 4 ? 1 : -1, bits & 2 ? 1 : -1, bits & 1 ? 1 : -1);
  const faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]];
  return facesGeometry(faces.map((face) => face.map(corner)));
}

// Half extents of a box that is drawn along its axes around its centre; null for other shapes.
function alignedBox(shape) {
  if (shape.kind !== 'box' || shape.vertices.length !== 24) return null;
  const half = [0, 1, 2].map((k) => Math.abs(shape.vertices[k]));
  const aligned = shape.vertices.every((value, i) => Math.abs(Math.abs(value) - half[i % 3]) <= 1e-6 * half[i % 3]);
  return aligned && half.every((value) => value > 0) ? half : null;
}

// How a shape is drawn: which geometry (equal keys share one), scaled and moved by how much. Null for half-spaces.
export function drawingOf(shape, index) {
  if (shape.kind === 'half_space') return null;
  if (shape.kind === 'sphere') return { key: 'sphere', make: unitSphere, scale: Array(3).fill(shape.radius), centre: shape.centre };
  const half = alignedBox(shape);
  if (half) return { key: 'box', make: unitBox, scale: half };
  const make = () => (shape.faces ? polyhedron(shape) : hullOf(shape));
  return { key: `shape ${index}`, make, scale: [1, 1, 1] };
}

export function radiusOf(shape) {
  if (shape.kind === 'sphere') return shape.radius;
  return shape.kind === 'half_space' ? 0 : Math.max(...pointsOf(shape.vertices).map((p) => p.length()));
}
