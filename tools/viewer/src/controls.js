// Buttons, menus, legends and the pointer: everything between the page and the stage.
import { cssRamp, Colouring, css, isKnown, materialColour, quantities } from './colour.js';
import { commonPrefix, element, power, si } from './format.js';
import { describeBody, describeContact } from './inspect.js';
import { speeds } from './player.js';
import { typicalSize } from './stage.js';

const find = (id) => document.getElementById(id);

export class Controls {
  constructor(stage, replay, player) {
    Object.assign(this, { stage, replay, player, pinned: -1, size: typicalSize(replay) });
    this.colouring = new Colouring(replay, 'speed', this.size);
    this.fillMenus();
    this.listen();
    this.showLegend();
  }

  fillMenus() {
    for (const [name, quantity] of Object.entries(quantities)) {
      if (isKnown(this.replay, quantity)) find('colour').append(element('option', { value: name }, quantity.label));
    }
    for (const speed of speeds) find('speed').append(element('option', { value: speed }, `${speed}×`));
    find('speed').value = this.player.speed;
    find('scrub').max = this.replay.frames - 1;
    if (!this.replay.contact.gap.length) find('contacts').disabled = true;
  }

  listen() {
    const { player, stage } = this;
    find('play').addEventListener('click', () => player.toggle());
    find('back').addEventListener('click', () => player.step(-1));
    find('forward').addEventListener('click', () => player.step(1));
    find('scrub').addEventListener('input', (event) => {
      player.playing = false;
      player.seek(Number(event.target.value));
    });
    find('speed').addEventListener('change', (event) => { player.speed = Number(event.target.value); });
    find('colour').addEventListener('change', (event) => this.colourBy(event.target.value));
    find('log').addEventListener('change', (event) => {
      this.colouring.log = event.target.checked;
      this.showLegend();
      this.refresh();
    });
    find('contacts').addEventListener('change', (event) => this.contactsAs(event.target.value));
    find('opacity').addEventListener('input', (event) => this.setOpacity(Number(event.target.value)));
    find('thickness').addEventListener('input', (event) => {
      stage.forces.thickness = 2 ** Number(event.target.value);
      this.refresh();
    });
    for (const button of document.querySelectorAll('[data-view]')) button.addEventListener('click', () => stage.view(button.dataset.view));
    find('full').addEventListener('click', () => (document.fullscreenElement ? document.exitFullscreen() : find('replay').requestFullscreen()));
    this.listenToKeys();
    this.listenToPointer();
  }

  listenToKeys() {
    const { player } = this;
    const actions = { ' ': () => player.toggle(), ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
      Home: () => player.step(-1e9), End: () => player.step(1e9), Escape: () => this.pin(-1) };
    document.addEventListener('keydown', (event) => {
      const typing = ['SELECT', 'TEXTAREA'].includes(event.target.tagName) || (event.target.tagName === 'BUTTON' && event.key === ' ');
      if (typing || event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
      event.preventDefault();
      actions[event.key]();
    });
  }

  listenToPointer() {
    const { canvas } = this.stage;
    let down = [0, 0];
    canvas.addEventListener('pointermove', (event) => {
      this.pointer = event.buttons ? null : [event.offsetX, event.offsetY];
      this.scheduleHover();
    });
    canvas.addEventListener('pointerleave', () => {
      this.pointer = null;
      this.scheduleHover();
    });
    canvas.addEventListener('pointerdown', (event) => { down = [event.offsetX, event.offsetY]; });
    canvas.addEventListener('click', (event) => {
      if (Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) > 4) return;
      const hit = this.stage.pick(event.offsetX, event.offsetY);
      this.pin(hit?.body ?? -1);
    });
    canvas.addEventListener('dblclick', (event) => {
      const hit = this.stage.pick(event.offsetX, event.offsetY);
      if (!hit?.point) return;
      this.stage.controls.target.copy(hit.point);
      this.stage.controls.update();
    });
  }

  scheduleHover() {
    if (this.hovering) return;
    this.hovering = requestAnimationFrame(() => {
      this.hovering = 0;
      this.hover();
    });
  }

  hover() {
    const tip = find('tip');
    const hit = this.pointer && !this.player.playing ? this.stage.pick(...this.pointer) : null;
    tip.hidden = !hit;
    if (!hit) return;
    const { replay, player } = this;
    tip.replaceChildren(...('contact' in hit ? describeContact(replay, player.frame, hit.contact) : describeBody(replay, player.frame, hit.body)));
    const [x, y] = this.pointer;
    const { clientWidth: width, clientHeight: height } = this.stage.canvas;
    tip.style.left = `${x + 18 + tip.offsetWidth > width ? x - tip.offsetWidth - 14 : x + 18}px`;
    tip.style.top = `${Math.max(4, Math.min(y + 14, height - tip.offsetHeight - 8))}px`;
  }

  pin(body) {
    this.pinned = body;
    this.stage.bodies.highlighted = body;
    this.refresh();
  }

  colourBy(name) {
    this.colouring = new Colouring(this.replay, name, this.size);
    this.showLegend();
    this.refresh();
  }

  contactsAs(mode) {
    this.stage.forces.mode = mode;
    find('thickness-row').hidden = mode === 'none';
    const opacity = mode === 'none' ? 1 : 0.35;
    find('opacity').value = opacity;
    this.setOpacity(opacity);
    this.showLegend();
    this.refresh();
  }

  setOpacity(opacity) {
    this.stage.bodies.setOpacity(opacity);
    this.stage.invalidate();
  }

  showLegend() {
    const { quantity, log } = this.colouring;
    find('log').checked = log;
    find('log-row').hidden = Boolean(quantity.categories || quantity.signed);
    find('legend').replaceChildren(...(quantity.categories ? this.materialLegend() : this.rampLegend()), ...this.forceLegend());
  }

  materialLegend() {
    const { materials, material } = this.replay.bodies;
    const used = [...new Set(material)].sort((a, b) => a - b);
    return [element('div', { class: 'legend-title' }, 'Material'), ...used.map((index) =>
      element('div', { class: 'swatch-row' }, element('i', { style: `background:${css(materialColour(index))}` }), materials[index] ?? String(index)))];
  }

  rampLegend() {
    const { quantity, log, high, low } = this.colouring;
    const [scale, prefix] = log ? [1, ''] : commonPrefix(Math.max(high, -low));
    const text = (value) => (log ? si(value, quantity.unit, 2) : power(value / scale, 3));
    const ticks = this.colouring.ticks().map(({ at, value }) => element('span', { style: `left:${100 * at}%` }, text(value)));
    return [element('div', { class: 'legend-title' }, `${quantity.label} [${log ? '' : prefix}${quantity.unit}]`),
      element('div', { class: 'ramp', style: `background:${cssRamp()}` }), element('div', { class: 'ticks' }, ...ticks)];
  }

  forceLegend() {
    const { mode, scale } = this.stage.forces;
    if (mode === 'points') {
      return [element('div', { class: 'legend-title second' }, 'Contacts'), ...[['#2f6db3', 'stick'], ['#e07b1f', 'slip'], ['#9aa3ab', 'open']]
        .map(([colour, text]) => element('div', { class: 'swatch-row' }, element('i', { class: 'round', style: `background:${colour}` }), text))];
    }
    if (mode === 'none' || !(scale > 0)) return [];
    const dt = this.replay.dt[this.replay.frames - 1];
    const force = dt > 0 ? ` (${si(scale / dt, 'N')} over a step)` : '';
    const what = mode === 'vectors' ? 'Impulse, length of the lines' : 'Impulse, thickness of the lines';
    return [element('div', { class: 'legend-title second' }, what), element('div', { class: 'swatch-row' },
      element('i', { class: 'bar', style: `background:${css([150, 45, 95])}` }), `${si(scale, 'N s')}${force}`)];
  }

  refresh() {
    const { player, replay, stage } = this;
    stage.show(player.frame, player.share, this.colouring);
    find('scrub').value = player.moment;
    find('time').textContent = `t = ${player.time.toFixed(4)} s`;
    find('frame').textContent = `frame ${player.frame + 1} / ${replay.frames}, step ${replay.step[player.frame]}`;
    find('play').classList.toggle('playing', player.playing);
    find('play').setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    find('pinned').hidden = this.pinned < 0;
    if (this.pinned >= 0) find('pinned').replaceChildren(...describeBody(replay, player.frame, this.pinned));
    this.scheduleHover();
  }
}
