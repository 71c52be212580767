// What colours mean: quantities of bodies, their ranges, the ramp and the palette.

const ramp = [[0.0, 0xe3ddd0], [0.12, 0xf2d694], [0.32, 0xf3a953], [0.55, 0xe0663f], [0.78, 0xa9305c], [1.0, 0x4a1b66]];
const palette = [0xcbbd9f, 0x7fa3bf, 0xb5705b, 0x8fae7c, 0xa98fb8, 0xd7a552, 0x6f7f8f, 0xd08ba0];
export const fixedColour = 0xb9c0c6;

const channels = (hex) => [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255];

// Colour at s in [0, 1] as r, g, b in [0, 255].
export function rampColour(s) {
  const x = Math.min(Math.max(s, 0), 1);
  let k = 1;
  while (k < ramp.length - 1 && x > ramp[k][0]) ++k;
  const [s0, c0] = ramp[k - 1];
  const [s1, c1] = ramp[k];
  const share = (x - s0) / (s1 - s0);
  const from = channels(c0);
  return channels(c1).map((value, i) => from[i] + (value - from[i]) * share);
}

export const css = ([r, g, b]) => `rgb(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)})`;
export const cssRamp = () => `linear-gradient(to right, ${ramp.map(([s, c]) => `${css(channels(c))} ${100 * s}%`).join(', ')})`;
export const materialColour = (index) => channels(palette[index % palette.length]);

// `rest`: full scale at least, from a body's size [m] and mass [kg], so that a scene at rest does not show its round-off.
const restSpeed = (size) => 1e-3 * Math.sqrt(9.81 * size);
export const quantities = {
  speed: { label: 'Speed', unit: 'm/s', values: (replay) => replay.speed, rest: restSpeed },
  kinetic: { label: 'Kinetic energy', unit: 'J', log: true, values: (replay) => replay.kinetic,
    rest: (size, mass) => 0.5 * mass * restSpeed(size) ** 2 },
  displacement: { label: 'Displacement', unit: 'm', values: (replay) => replay.displacement, rest: (size) => 1e-3 * size },
  force: { label: 'Contact force', unit: 'N', log: true, values: (replay) => replay.force, rest: () => 0 },
  pressure: { label: 'Pressure', unit: 'Pa', signed: true, values: (replay) => replay.pressure, rest: () => 0 },
  shear: { label: 'Shear stress', unit: 'Pa', values: (replay) => replay.shear, rest: () => 0 },
  material: { label: 'Material', categories: true },
};

export const isKnown = (replay, { categories, values }) => Boolean(categories || values(replay));

// Colours of the bodies by one quantity over the whole run, so that colours can be compared between frames.
export class Colouring {
  constructor(replay, name, size) {
    this.replay = replay;
    this.name = name;
    this.quantity = quantities[name];
    this.log = Boolean(this.quantity.log);
    if (!this.quantity.categories) {
      this.values = this.quantity.values(replay);
      this.high = Math.max(this.largest(), this.quantity.rest(size, Math.max(...replay.bodies.mass)));
      this.low = this.quantity.signed ? -this.largest(-1) : this.high * 1e-5;
    }
  }

  // The largest value of bodies that move, or of its negative; at least 0.
  largest(sign = 1) {
    let high = 0;
    const { n, frames, active, bodies } = this.replay;
    for (let f = 0; f < frames; ++f) {
      for (let i = 0; i < n; ++i) {
        const value = sign * this.values[f * n + i];
        if (active[f * n + i] && !bodies.fixed[i] && value > high && Number.isFinite(value)) high = value;
      }
    }
    return high;
  }

  share(value) {
    if (this.quantity.signed) return this.high > this.low ? (value - this.low) / (this.high - this.low) : 0;
    if (!(this.high > 0)) return 0;
    if (!this.log) return value / this.high;
    return value <= this.low ? 0 : Math.log(value / this.low) / Math.log(this.high / this.low);
  }

  // r, g, b in [0, 255] of a body, between frame and the next.
  colour(frame, share, body) {
    const { n, frames, bodies } = this.replay;
    if (this.quantity.categories) return materialColour(bodies.material[body]);
    if (bodies.fixed[body]) return channels(fixedColour);
    const next = Math.min(frame + 1, frames - 1);
    const [from, to] = [this.values[frame * n + body], this.values[next * n + body]];
    const value = share > 0 && !Number.isNaN(to) ? from * (1 - share) + to * share : from;
    return Number.isNaN(value) ? channels(fixedColour) : rampColour(this.share(value));
  }

  // Values and places in [0, 1] of the numbers under the legend's bar.
  ticks() {
    if (this.quantity.signed) {
      const apart = 0.2;  // as a share of the bar: nearer numbers would lie on each other
      const zero = this.share(0);
      return [...(this.low < 0 && zero >= apart ? [{ at: 0, value: this.low }] : []), { at: zero, value: 0 },
        ...(this.high > 0 && 1 - zero >= apart ? [{ at: 1, value: this.high }] : [])];
    }
    if (!(this.high > 0)) return [{ at: 0, value: 0 }];
    const places = this.log ? [0, 1 / 3, 2 / 3, 1] : [0, 0.25, 0.5, 0.75, 1];
    return places.map((at) => ({ at, value: this.log ? this.low * (this.high / this.low) ** at : this.high * at }));
  }
}
