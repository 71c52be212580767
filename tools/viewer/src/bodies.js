// The bodies: one instanced mesh for each geometry.
import * as THREE from 'three';
import { drawingOf } from './shapes.js';

const highlight = [40, 110, 190];

// Edges of faces as thin darker lines that fade where faces are only a few pixels wide.
function bodyMaterial() {
  const material = new THREE.MeshStandardMaterial({ roughness: 0.85, metalness: 0 });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', '#include <common>\nattribute float edge;\nattribute float mark;\nvarying float vEdge;\nvarying float vMark;')
      .replace('#include <begin_vertex>', '#include <begin_vertex>\nvEdge = edge;\nvMark = mark;');
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying float vEdge;\nvarying float vMark;')
      .replace('#include <color_fragment>', `#include <color_fragment>
        float pixel = max(fwidth(vEdge), 1e-5);
        float line = (1.0 - smoothstep(0.5, 1.5, vEdge / pixel)) * smoothstep(4.0, 16.0, 1.0 / pixel);
        diffuseColor.rgb *= (1.0 - 0.55 * line) * (1.0 - 0.16 * vMark);`);
  };
  return material;
}

export class Bodies {
  constructor(replay) {
    this.replay = replay;
    this.group = new THREE.Group();
    this.material = bodyMaterial();
    this.drawings = replay.bodies.shapes.map(drawingOf);
    this.meshes = new Map();
    this.place = [];                    // of body i: {mesh, index}
    this.highlighted = -1;
    this.build();
  }

  build() {
    const members = new Map();
    for (let i = 0; i < this.replay.n; ++i) {
      const drawing = this.drawings[this.replay.bodies.shape[i]];
      if (!drawing) continue;
      if (!members.has(drawing.key)) members.set(drawing.key, []);
      members.get(drawing.key).push(i);
    }
    for (const [key, list] of members) {
      const drawing = this.drawings[this.replay.bodies.shape[list[0]]];
      const mesh = new THREE.InstancedMesh(drawing.make(list.length), this.material, list.length);
      mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * list.length), 3);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      mesh.userData.bodies = list;
      list.forEach((body, index) => { this.place[body] = { mesh, index }; });
      this.meshes.set(key, mesh);
      this.group.add(mesh);
    }
  }

  setOpacity(opacity) {
    this.material.opacity = opacity;
    this.material.transparent = opacity < 1;
    this.material.needsUpdate = true;
    for (const mesh of this.meshes.values()) mesh.castShadow = opacity > 0.6;
  }

  matrix(frame, share, body, out) {
    const drawing = this.drawings[this.replay.bodies.shape[body]];
    const pose = this.replay.pose(frame, share, body, Bodies.pose);
    const [position, rotation, scale] = Bodies.parts;
    rotation.set(pose[3], pose[4], pose[5], pose[6]);
    position.set(pose[0], pose[1], pose[2]);
    if (drawing.centre) position.add(scale.fromArray(drawing.centre).applyQuaternion(rotation));
    scale.fromArray(drawing.scale);
    if (!this.replay.isActive(frame, body)) scale.setScalar(0);
    return out.compose(position, rotation, scale);
  }

  show(frame, share, colouring) {
    const matrix = new THREE.Matrix4();
    const colour = new THREE.Color();
    this.place.forEach(({ mesh, index }, body) => {
      mesh.setMatrixAt(index, this.matrix(frame, share, body, matrix));
      let [r, g, b] = colouring.colour(frame, share, body);
      if (body === this.highlighted) [r, g, b] = highlight;
      mesh.setColorAt(index, colour.setRGB(r / 255, g / 255, b / 255, THREE.SRGBColorSpace));
    });
    for (const mesh of this.meshes.values()) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  // The body that a ray meets first, and where; null if none.
  pick(raycaster) {
    const hits = raycaster.intersectObjects([...this.meshes.values()], false);
    if (!hits.length) return null;
    return { body: hits[0].object.userData.bodies[hits[0].instanceId], point: hits[0].point };
  }
}
Bodies.pose = new Float64Array(7);
Bodies.parts = [new THREE.Vector3(), new THREE.Quaternion(), new THREE.Vector3()];
