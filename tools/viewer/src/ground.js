// Half-spaces as bounded, softly ending planes with a grid; a plane is cut where it lies inside another half-space.
import * as THREE from 'three';

// Normal and a point of the plane of a half-space at its pose in the first frame.
function planeOf(replay, body) {
  const shape = replay.shapeOf(body);
  const pose = replay.pose(0, 0, body, new Float64Array(7));
  const rotation = new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]);
  const normal = new THREE.Vector3(...shape.normal).normalize();
  const point = normal.clone().multiplyScalar(shape.offset).applyQuaternion(rotation).add(new THREE.Vector3(pose[0], pose[1], pose[2]));
  return { body, normal: normal.applyQuaternion(rotation), point };
}

const height = (plane, x) => plane.normal.dot(x) - plane.normal.dot(plane.point);

// The part of a convex polygon on the outer side of a plane.
function cut(polygon, plane) {
  const kept = [];
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    const ha = height(plane, a);
    const hb = height(plane, b);
    if (ha >= 0) kept.push(a);
    if (ha * hb < 0) kept.push(a.clone().lerp(b, ha / (ha - hb)));
  });
  return kept;
}

export function gridCell(radius) {
  const wanted = radius / 8;
  const decade = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((k) => k * decade).find((cell) => cell >= wanted * 0.999);
}

function groundMaterial(centre, radius, cell) {
  const material = new THREE.MeshStandardMaterial({ color: 0xe9ebec, roughness: 1, side: THREE.DoubleSide, transparent: true,
    depthWrite: false, forceSinglePass: true,  // in two passes three.js turns gl_FrontFacing round
    polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 2 });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, { gridCell: { value: cell }, fadeRadius: { value: radius } });
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute vec2 plane;\nvarying vec2 vPlane;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvPlane = plane;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying vec2 vPlane;\nuniform float gridCell;\nuniform float fadeRadius;')
      .replace('#include <color_fragment>', `#include <color_fragment>
        vec2 g = vPlane / gridCell;
        vec2 w = max(fwidth(g), 1e-5);
        vec2 near = abs(fract(g - 0.5) - 0.5) / w;
        float grid = (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.1, 0.5, max(w.x, w.y)));
        diffuseColor.rgb = mix(diffuseColor.rgb, vec3(0.60, 0.62, 0.64), 0.5 * grid);
        diffuseColor.a *= (1.0 - smoothstep(0.55, 1.0, length(vPlane) / fadeRadius)) * (gl_FrontFacing ? 1.0 : 0.35);`);
  };
  return material;
}

function planeMesh(plane, others, centre, radius, cell) {
  const middle = centre.clone().addScaledVector(plane.normal, -height(plane, centre));
  const u = new THREE.Vector3(1, 0, 0).addScaledVector(plane.normal, -plane.normal.x);
  if (u.length() < 0.1) u.set(0, 1, 0).addScaledVector(plane.normal, -plane.normal.y);
  u.normalize();
  const v = new THREE.Vector3().crossVectors(plane.normal, u);
  let polygon = Array.from({ length: 64 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 64;
    return middle.clone().addScaledVector(u, radius * Math.cos(angle)).addScaledVector(v, radius * Math.sin(angle));
  });
  for (const other of others) polygon = cut(polygon, other);
  if (polygon.length < 3) return null;
  const positions = [];
  const coordinates = [];
  const normals = [];
  for (let i = 1; i + 1 < polygon.length; ++i) {
    for (const p of [polygon[0], polygon[i], polygon[i + 1]]) {
      const d = p.clone().sub(middle);
      positions.push(p.x, p.y, p.z);
      normals.push(plane.normal.x, plane.normal.y, plane.normal.z);
      coordinates.push(d.dot(u), d.dot(v));
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  geometry.setAttribute('plane', new THREE.Float32BufferAttribute(coordinates, 2));
  const mesh = new THREE.Mesh(geometry, groundMaterial(middle, radius, cell));
  mesh.receiveShadow = true;
  mesh.renderOrder = -1;
  return mesh;
}

export class Ground {
  constructor(replay, centre, radius) {
    this.replay = replay;
    this.group = new THREE.Group();
    this.cell = gridCell(radius);
    this.meshes = [];
    const planes = [];
    for (let i = 0; i < replay.n; ++i) if (replay.shapeOf(i).kind === 'half_space') planes.push(planeOf(replay, i));
    for (const plane of planes) {
      const mesh = planeMesh(plane, planes.filter((other) => other !== plane), centre, 3 * radius, this.cell);
      if (mesh) this.add(mesh, plane.body);
    }
  }

  add(mesh, body) {
    const pose = this.replay.pose(0, 0, body, new Float64Array(7));
    const start = new THREE.Matrix4().compose(new THREE.Vector3(pose[0], pose[1], pose[2]),
      new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]), new THREE.Vector3(1, 1, 1));
    mesh.matrixAutoUpdate = false;
    this.meshes.push({ mesh, body, back: start.invert() });
    this.group.add(mesh);
  }

  show(frame, share) {
    for (const { mesh, body, back } of this.meshes) {
      const pose = this.replay.pose(frame, share, body, new Float64Array(7));
      mesh.matrix.compose(new THREE.Vector3(pose[0], pose[1], pose[2]), new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]),
        new THREE.Vector3(1, 1, 1)).multiply(back);
      mesh.visible = this.replay.isActive(frame, body);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }
}
