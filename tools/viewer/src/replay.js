// The frames of the run: poses, numbers of bodies, contacts. Knows nothing of pictures.

export const statusNames = ['open', 'stick', 'slip'];

// From where a body is in frame b to where it would be had it not gone on as its image since frame a; 0 where nothing is periodic.
function gone(replay, a, b, body, out) {
  out.fill(0);
  if (!replay.image) return out;
  const { n, image, period } = replay;
  for (let k = 0; k < 3; ++k) {
    const periods = image[3 * (b * n + body) + k] - image[3 * (a * n + body) + k];
    out[k] += periods * period[k];
    if (k === 2) out[0] += periods * replay.imageShift[b];
  }
  return out;
}

// Along the path, through the faces of a periodic world.
function displacements(replay) {
  const { n, frames, position, active } = replay;
  const from = new Int32Array(n).fill(-1);
  const out = new Float32Array(frames * n);
  const way = [0, 0, 0];
  for (let f = 0; f < frames; ++f) {
    for (let i = 0; i < n; ++i) {
      if (!active[f * n + i]) continue;
      if (from[i] < 0) from[i] = f;
      const a = 3 * (from[i] * n + i);
      const b = 3 * (f * n + i);
      gone(replay, from[i], f, i, way);
      out[f * n + i] = Math.hypot(position[b] - position[a] + way[0], position[b + 1] - position[a + 1] + way[1], position[b + 2] - position[a + 2] + way[2]);
    }
  }
  return out;
}

function directionOf(x, y, out) {
  x /= 32767;
  y /= 32767;
  const z = 1 - Math.abs(x) - Math.abs(y);
  if (z < 0) [x, y] = [(1 - Math.abs(y)) * (x < 0 ? -1 : 1), (1 - Math.abs(x)) * (y < 0 ? -1 : 1)];
  const length = Math.hypot(x, y, z);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
  return out;
}

export class Replay {
  constructor(header, arrays) {
    const about = header.replay;
    this.bodies = about.bodies;
    this.n = about.bodies.name.length;
    this.frames = about.frames;
    this.origin = about.origin;
    this.about = about;
    this.time = arrays['frame/time'];
    this.step = arrays['frame/step'];
    this.dt = arrays['frame/dt'];
    this.active = arrays['frame/active'];
    this.position = Float32Array.from(arrays['frame/position'], (value) => value * about.quantum);
    this.image = arrays['frame/image'];   // absent unless the world is periodic, as the next two
    this.imageShift = arrays['frame/image_shift'];
    this.period = about.period;
    this.orientation = arrays['frame/orientation'];
    this.speed = arrays['frame/speed'];
    this.kinetic = arrays['frame/kinetic'];
    this.force = arrays['frame/force'];
    this.pressure = arrays['frame/pressure'];  // [Pa], absent where the file has no stresses; NaN where a body has none
    this.shear = arrays['frame/shear'];
    this.displacement = displacements(this);
    this.contact = Object.fromEntries(Object.entries(arrays).filter(([name]) => name.startsWith('contact/'))
      .map(([name, values]) => [name.slice('contact/'.length), values]));
  }

  shapeOf(body) {
    return this.bodies.shapes[this.bodies.shape[body]];
  }

  isActive(frame, body) {
    return this.active[frame * this.n + body] !== 0;
  }

  // Writes position (3) and quaternion x, y, z, w (4) at frame + share into `out`.
  pose(frame, share, body, out) {
    const next = Math.min(frame + 1, this.frames - 1);
    const a = frame * this.n + body;
    const b = share > 0 && this.active[next * this.n + body] ? next * this.n + body : a;
    for (let k = 0; k < 3; ++k) out[k] = this.position[3 * a + k] * (1 - share) + this.position[3 * b + k] * share;
    if (this.image && a !== b) this.passFaces(frame, next, share, body, out);
    const q = this.orientation;
    let dot = 0;
    for (let k = 0; k < 4; ++k) dot += q[4 * a + k] * q[4 * b + k];
    const sign = dot < 0 ? -share : share;
    let norm = 0;
    for (let k = 0; k < 4; ++k) {
      const value = q[4 * a + k] * (1 - share) + q[4 * b + k] * sign;
      out[k === 0 ? 6 : 2 + k] = value;
      norm += value * value;
    }
    norm = Math.sqrt(norm) || 1;
    for (let k = 3; k < 7; ++k) out[k] /= norm;
    return out;
  }

  // Place of a body in a frame, along its path from the first frame on.
  path(frame, body) {
    const way = gone(this, 0, frame, body, [0, 0, 0]);
    return way.map((value, k) => this.position[3 * (frame * this.n + body) + k] + value);
  }

  // What goes on as its image flies out of the cell for half of the way between two frames, and comes in on the other side for the rest.
  passFaces(frame, next, share, body, out) {
    const way = gone(this, frame, next, body, [0, 0, 0]);
    const left = share < 0.5 ? share : share - 1;
    for (let k = 0; k < 3; ++k) out[k] += left * way[k];
  }

  contactsOf(frame) {
    return [this.contact.begin[frame], this.contact.begin[frame + 1]];
  }

  // Place and direction of contact c, local coordinates.
  contactPoint(c, out) {
    for (let k = 0; k < 3; ++k) out[k] = this.contact.point[3 * c + k] * this.about.contact_quantum;
    return out;
  }

  contactDirection(c, out) {
    return directionOf(this.contact.direction[2 * c], this.contact.direction[2 * c + 1], out);
  }

  impulse(c) {
    return Math.hypot(this.contact.normal_impulse[c], this.contact.tangential_impulse[c]);
  }

  // The impulse that only a share of all contacts in contact exceed; 0 without any.
  impulseScale(share) {
    const values = [];
    for (let c = 0; c < this.contact.gap.length; ++c) if (this.impulse(c) > 0) values.push(this.impulse(c));
    values.sort((a, b) => a - b);
    return values.length ? values[Math.min(values.length - 1, Math.floor(values.length * (1 - share)))] : 0;
  }
}
