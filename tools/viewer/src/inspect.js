// The numbers of a body or a contact, as they are shown beside the pointer.
import { element, grouped, si } from './format.js';
import { statusNames } from './replay.js';

function table(title, kind, rows) {
  const body = rows.filter(([, value]) => value !== null).map(([name, value]) => element('tr', {}, element('th', {}, name), element('td', {}, value)));
  return [element('div', { class: 'card-title' }, title, element('span', {}, kind)), element('table', {}, ...body)];
}

function place(replay, frame, body) {
  const at = 3 * (frame * replay.n + body);
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.max(replay.about.quantum, 1e-9) * 1000)));
  return [0, 1, 2].map((k) => (replay.position[at + k] + replay.origin[k]).toFixed(Math.min(digits, 4))).join(', ') + ' m';
}

export function describeBody(replay, frame, body) {
  const { bodies } = replay;
  const at = frame * replay.n + body;
  const moving = bodies.mass[body] > 0;
  const kind = bodies.fixed[body] ? 'fixed' : moving ? 'body' : 'driven';
  const stress = (values) => (values && !Number.isNaN(values[at]) ? si(values[at], 'Pa', 4) : null);
  return table(bodies.name[body], kind, [
    ['mass', moving ? `${grouped(bodies.mass[body])} kg` : null],
    ['material', bodies.materials[bodies.material[body]] ?? '–'],
    ['speed', bodies.fixed[body] ? null : si(replay.speed[at], 'm/s', 4)],
    ['kinetic energy', moving ? si(replay.kinetic[at], 'J', 4) : null],
    ['displacement', bodies.fixed[body] ? null : si(replay.displacement[at], 'm', 4)],
    ['contact forces', replay.about.has_contacts ? si(replay.force[at], 'N', 4) : null],
    ['pressure', stress(replay.pressure)],
    ['shear stress', stress(replay.shear)],
    ['centre of mass', replay.shapeOf(body).kind === 'half_space' ? null : place(replay, frame, body)],
  ]);
}

export function describeContact(replay, frame, c) {
  const { contact, bodies } = replay;
  const dt = replay.dt[frame];
  const force = (impulse) => (dt > 0 ? si(impulse / dt, 'N', 4) : '–');
  const [normal, tangential] = [contact.normal_impulse[c], contact.tangential_impulse[c]];
  return table(`${bodies.name[contact.body_a[c]]} – ${bodies.name[contact.body_b[c]]}`, 'contact', [
    ['normal impulse', si(normal, 'N s', 4)],
    ['tangential impulse', si(tangential, 'N s', 4)],
    ['mean normal force', force(normal)],
    ['mean tangential force', force(tangential)],
    ['gap', si(contact.gap[c], 'm', 3)],
    ['status', statusNames[contact.status[c]] ?? '–'],
  ]);
}
