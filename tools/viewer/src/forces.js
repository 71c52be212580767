// Contacts: force chains (lines from centre to contact point to centre; of planes and walls, whose centre says nothing, to the
// contact point), force vectors, or points.
import * as THREE from 'three';
import { rampColour } from './colour.js';

const statusColours = [0x9aa3ab, 0x2f6db3, 0xe07b1f];
const unbounded = ['half_space', 'cylinder_wall'];
const up = new THREE.Vector3(0, 1, 0);

function instanced(geometry, capacity) {
  const material = new THREE.MeshLambertMaterial();
  const mesh = new THREE.InstancedMesh(geometry, material, Math.max(capacity, 1));
  mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * Math.max(capacity, 1)), 3);
  mesh.frustumCulled = false;
  mesh.count = 0;
  return mesh;
}

function mostContacts(replay) {
  let most = 0;
  for (let f = 0; f < replay.frames; ++f) most = Math.max(most, replay.contact.begin[f + 1] - replay.contact.begin[f]);
  return most;
}

export class Forces {
  constructor(replay, bodySize) {
    this.replay = replay;
    this.mode = 'none';
    this.thickness = 1;
    this.scale = replay.impulseScale(0.01);
    this.width = 0.045 * bodySize;
    this.length = 1.5 * bodySize;
    const most = mostContacts(replay);
    this.lines = instanced(new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), 2 * most);
    this.points = instanced(new THREE.SphereGeometry(1, 10, 8), most);
    this.group = new THREE.Group();
    this.group.add(this.lines, this.points);
    this.segments = [];                 // [contact, from, to] of what is drawn, for picking
  }

  show(frame) {
    this.segments = [];
    this.lines.count = this.points.count = 0;
    if (this.mode === 'none') return;
    const [begin, end] = this.replay.contactsOf(frame);
    for (let c = begin; c < end; ++c) this.add(frame, c);
    for (const mesh of [this.lines, this.points]) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    }
  }

  add(frame, c) {
    const point = new THREE.Vector3().fromArray(this.replay.contactPoint(c, [0, 0, 0]));
    const strength = this.scale > 0 ? Math.min(this.replay.impulse(c) / this.scale, 1.8) : 0;
    if (this.mode === 'points') {
      this.addPoint(c, point);
    } else if (strength > 0 && this.mode === 'vectors') {
      const d = new THREE.Vector3().fromArray(this.replay.contactDirection(c, [0, 0, 0]));
      const half = d.multiplyScalar(0.5 * this.length * strength);
      this.addLine(c, point.clone().sub(half), point.clone().add(half), 0.3, strength);
    } else if (strength > 0) {
      for (const body of [this.replay.contact.body_a[c], this.replay.contact.body_b[c]]) {
        if (unbounded.includes(this.replay.shapeOf(body).kind)) continue;
        const at = 3 * (frame * this.replay.n + body);
        this.addLine(c, point, new THREE.Vector3().fromArray(this.replay.position, at), strength, strength);
      }
    }
  }

  addPoint(c, point) {
    const radius = 0.5 * this.width * this.thickness;
    const index = this.points.count++;
    this.points.setMatrixAt(index, new THREE.Matrix4().makeScale(radius, radius, radius).setPosition(point));
    this.points.setColorAt(index, new THREE.Color(statusColours[this.replay.contact.status[c]] ?? 0));
    this.segments.push([c, point, point]);
  }

  addLine(c, from, to, relativeWidth, strength) {
    const along = to.clone().sub(from);
    const length = along.length();
    if (!(length > 0)) return;
    const radius = this.width * this.thickness * Math.max(relativeWidth, 0.04);
    const rotation = new THREE.Quaternion().setFromUnitVectors(up, along.divideScalar(length));
    const index = this.lines.count++;
    this.lines.setMatrixAt(index, new THREE.Matrix4().compose(from, rotation, new THREE.Vector3(radius, length, radius)));
    const [r, g, b] = rampColour(0.3 + 0.6 * Math.min(strength, 1));
    this.lines.setColorAt(index, new THREE.Color().setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace));
    this.segments.push([c, from, to]);
  }
}
