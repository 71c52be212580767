// Time: which moment is shown, playing, speed. `moment` is a frame number with a fraction.

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const comfortable = 8;   // seconds that a replay should take

// What playing goes by: milliseconds now, and a call with them at the next picture.
const screen = { now: () => performance.now(), next: (action) => requestAnimationFrame(action) };

export class Player {
  constructor(replay, changed, clock = screen) {
    this.replay = replay;
    this.changed = changed;
    this.clock = clock;
    this.moment = 0;
    this.playing = false;
    this.duration = replay.time[replay.frames - 1] - replay.time[0];
    this.speed = [...speeds].reverse().find((speed) => this.duration / speed >= comfortable) ?? speeds[0];
  }

  get frame() {
    return Math.min(Math.floor(this.moment + 1e-9), this.replay.frames - 1);
  }

  get share() {
    return Math.max(0, this.moment - this.frame);
  }

  get time() {
    const { time, frames } = this.replay;
    const next = Math.min(this.frame + 1, frames - 1);
    return time[this.frame] * (1 - this.share) + time[next] * this.share;
  }

  momentOf(time) {
    const times = this.replay.time;
    let low = 0;
    let high = this.replay.frames - 1;
    if (time <= times[low]) return low;
    if (time >= times[high]) return high;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= time) low = middle;
      else high = middle;
    }
    return low + (time - times[low]) / (times[high] - times[low]);
  }

  seek(moment) {
    this.moment = Math.min(Math.max(moment, 0), this.replay.frames - 1);
    this.changed();
  }

  // To the nearest frame: only there do all numbers come from the file.
  settle() {
    this.seek(Math.round(this.moment));
  }

  step(count) {
    this.pause();
    this.seek(Math.round(this.moment) + count);
  }

  play() {
    if (this.replay.frames < 2) return;
    if (this.moment >= this.replay.frames - 1) this.moment = 0;
    this.playing = true;
    let last = this.clock.now();
    const tick = (now) => {
      if (!this.playing) return;
      const time = this.time + (Math.max(0, now - last) / 1000) * this.speed;
      last = now;
      if (time >= this.replay.time[this.replay.frames - 1]) {
        this.playing = false;
        this.seek(this.replay.frames - 1);
        return;
      }
      this.seek(this.momentOf(time));
      this.clock.next(tick);
    };
    this.clock.next(tick);
    this.changed();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.settle();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }
}
