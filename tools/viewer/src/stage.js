// The picture: renderer, lights, camera and its framing, picking. Draws only when something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Bodies } from './bodies.js';
import { Forces } from './forces.js';
import { Ground } from './ground.js';
import { pointsOf, radiusOf } from './shapes.js';

const pickDistance = 6;    // pixels between the pointer and a contact
const strayDistance = 2.5; // radii of the scene at its start

function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))];
}

// The outermost points of a body in a frame.
function outline(replay, frame, body) {
  const shape = replay.shapeOf(body);
  const pose = replay.pose(frame, 0, body, new Float64Array(7));
  const place = new THREE.Vector3(pose[0], pose[1], pose[2]);
  const rotation = new THREE.Quaternion(pose[3], pose[4], pose[5], pose[6]);
  if (shape.kind !== 'sphere') return pointsOf(shape.vertices).map((p) => p.applyQuaternion(rotation).add(place));
  return [1, -1].flatMap((sign) => [0, 1, 2].map((k) => place.clone().setComponent(k, place.getComponent(k) + sign * shape.radius)));
}

// Points that the first view has to hold: every body where it first appears, and the places where bodies go later, as far
// as they are not far away (strays that fly off would make the rest tiny).
function pointsToSee(replay) {
  const first = [];
  const later = [];
  const every = Math.max(1, Math.floor((replay.frames * replay.n) / 8000));
  for (let i = 0; i < replay.n; ++i) {
    if (replay.shapeOf(i).kind === 'half_space') continue;
    let f = 0;
    while (f < replay.frames && !replay.isActive(f, i)) ++f;
    if (f === replay.frames) continue;
    first.push(...outline(replay, f, i));
    for (f += every; f < replay.frames; f += every) if (replay.isActive(f, i)) later.push(...outline(replay, f, i));
  }
  const start = boxAround(first).getBoundingSphere(new THREE.Sphere());
  start.radius *= strayDistance;
  return first.concat(later.filter((p) => start.containsPoint(p)));
}

function boxAround(points) {
  return points.length ? new THREE.Box3().setFromPoints(points) : new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
}

export function typicalSize(replay) {
  const radii = [];
  for (let i = 0; i < replay.n; ++i) if (replay.shapeOf(i).kind !== 'half_space') radii.push(radiusOf(replay.shapeOf(i)));
  return radii.length ? 2 * quantile(radii, 0.5) : 1;
}

function distanceToSegment(x, y, a, b) {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = dx * dx + dy * dy;
  const share = length > 0 ? Math.min(Math.max(((x - a.x) * dx + (y - a.y) * dy) / length, 0), 1) : 0;
  return Math.hypot(x - a.x - share * dx, y - a.y - share * dy);
}

export class Stage {
  constructor(canvas, replay, gravity) {
    this.canvas = canvas;
    this.replay = replay;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.points = pointsToSee(replay);
    this.box = boxAround(this.points);
    this.centre = this.box.getCenter(new THREE.Vector3());
    this.radius = Math.max(this.box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
    const down = new THREE.Vector3(...(gravity.length === 3 ? gravity : [0, 0, -1]));
    this.up = down.length() > 0 ? down.normalize().negate() : new THREE.Vector3(0, 0, 1);
    this.bodies = new Bodies(replay);
    this.ground = new Ground(replay, this.centre, this.radius);
    this.forces = new Forces(replay, typicalSize(replay));
    this.scene.add(this.bodies.group, this.ground.group, this.forces.group);
    this.addLights();
    this.addCamera();
    this.view('start');
  }

  addLights() {
    const r = this.radius;
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xd5d2cc, 1.9));
    const [forward, right] = this.horizontal();
    const sun = new THREE.DirectionalLight(0xfff6ea, 2.0);
    sun.position.copy(this.centre).addScaledVector(this.up, 1.9 * r).addScaledVector(forward, -1.5 * r).addScaledVector(right, -0.9 * r);
    sun.target.position.copy(this.centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    Object.assign(sun.shadow.camera, { left: -1.4 * r, right: 1.4 * r, top: 1.4 * r, bottom: -1.4 * r, near: 0.1 * r, far: 6 * r });
    sun.shadow.normalBias = 0.004 * r;
    sun.shadow.intensity = 0.7;
    this.scene.add(sun, sun.target);
  }

  addCamera() {
    this.camera = new THREE.PerspectiveCamera(35, 1, this.radius / 200, this.radius * 40);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.zoomToCursor = true;
    this.controls.minDistance = this.radius / 100;
    this.controls.maxDistance = this.radius * 15;
    this.controls.addEventListener('change', () => this.invalidate());
    this.controls.addEventListener('start', () => { this.named = null; });
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    this.resize();
  }

  // Two level directions: across the scene's smaller extent (into the picture) and along the larger one.
  horizontal() {
    const size = this.box.getSize(new THREE.Vector3());
    const axes = [new THREE.Vector3(1, 0, 0), new THREE.Vector3(0, 1, 0), new THREE.Vector3(0, 0, 1)]
      .filter((axis) => Math.abs(axis.dot(this.up)) < 0.9).slice(0, 2);
    const [a, b] = axes.map((axis) => axis.clone().addScaledVector(this.up, -axis.dot(this.up)).normalize());
    const forward = Math.abs(a.dot(size)) < 0.8 * Math.abs(b.dot(size)) ? a.clone().negate() : b.clone();
    return [forward, new THREE.Vector3().crossVectors(forward, this.up)];
  }

  // Looks at the middle of the scene from a side, from as near as the whole box allows.
  view(name) {
    this.named = name;
    const [forward, right] = this.horizontal();
    const angles = { start: [32, 22], front: [0, 4], side: [90, 4], top: [0, 89.9] }[name];
    const [azimuth, elevation] = angles.map((angle) => (angle * Math.PI) / 180);
    const away = forward.multiplyScalar(-Math.cos(azimuth)).addScaledVector(right, Math.sin(azimuth)).normalize()
      .multiplyScalar(Math.cos(elevation)).addScaledVector(this.up, Math.sin(elevation));
    this.frame(away);
    this.controls.update();
    this.invalidate();
  }

  // The nearest place on that side from which all points are seen. A point at (side, top, away) from the middle is seen
  // from distance D past the target (s, t) if |side - s| <= (D - away) slope, and alike for top.
  frame(away) {
    const side = new THREE.Vector3().crossVectors(this.up, away).normalize();
    const top = new THREE.Vector3().crossVectors(away, side);
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    const slopes = [0.93 * slope * this.camera.aspect, 0.76 * slope];
    const sums = [[-Infinity, -Infinity], [-Infinity, -Infinity]];
    for (const point of this.points.length ? this.points : [this.box.min, this.box.max]) {
      const p = point.clone().sub(this.centre);
      [p.dot(side), p.dot(top)].forEach((value, k) => {
        const depth = p.dot(away) * slopes[k];
        sums[k] = [Math.max(sums[k][0], value + depth), Math.max(sums[k][1], depth - value)];
      });
    }
    const distance = Math.max(...sums.map(([a, b], k) => (a + b) / (2 * slopes[k])));
    this.controls.target.copy(this.centre).addScaledVector(side, (sums[0][0] - sums[0][1]) / 2).addScaledVector(top, (sums[1][0] - sums[1][1]) / 2);
    this.camera.position.copy(this.controls.target).addScaledVector(away, distance);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.named) this.view(this.named);   // nobody has turned the camera yet
    else this.invalidate();
  }

  show(frame, share, colouring) {
    this.bodies.show(frame, share, colouring);
    this.ground.show(frame, share);
    this.forces.show(frame);
    this.invalidate();
  }

  invalidate() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.renderer.render(this.scene, this.camera);
    });
  }

  // Local coordinates to pixels of the canvas.
  toScreen(x) {
    const p = x.clone().project(this.camera);
    return { x: ((p.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - p.y) / 2) * this.canvas.clientHeight, hidden: p.z > 1 };
  }

  pickContact(x, y) {
    let best = { distance: pickDistance, contact: -1 };
    for (const [contact, from, to] of this.forces.segments) {
      const a = this.toScreen(from);
      const b = this.toScreen(to);
      if (a.hidden || b.hidden) continue;
      const distance = distanceToSegment(x, y, a, b);
      if (distance < best.distance) best = { distance, contact };
    }
    return best.contact;
  }

  // What is under a pixel: {contact} or {body, point}, or null.
  pick(x, y) {
    const contact = this.pickContact(x, y);
    if (contact >= 0) return { contact };
    const pointer = new THREE.Vector2((x / this.canvas.clientWidth) * 2 - 1, 1 - (y / this.canvas.clientHeight) * 2);
    const raycaster = new THREE.Raycaster();
    raycaster.setFromCamera(pointer, this.camera);
    return this.bodies.pick(raycaster);
  }
}
