// Warnings, key figures, settings, hashes, the scene.
import { element, grouped, plural, power, seconds, si } from './format.js';

const settingUnits = { gravity: 'm/s²', origin: 'm', dt: 's', end: 's', frames_per_second: '1/s' };
const settingOrder = ['theta', 'dt', 'end', 'method', 'measure', 'tolerance', 'max_iterations', 'activation', 'correction', 'rotation',
  'backend', 'threads', 'gravity', 'origin'];
const settingNames = { theta: 'theta', dt: 'dt, step length', end: 'end', frames_per_second: 'frames per second', max_iterations: 'max. iterations',
  min_iterations: 'min. iterations', max_passes: 'max. passes', overlap_tolerance: 'overlap tolerance', correction: 'position correction',
  correction_slop: 'correction slop', overrides: 'from the command line', measure: 'residual measure', method: 'solver' };

function shortNumber(text) {
  const number = Number(text);
  return text !== '' && Number.isFinite(number) && text.length > 8 ? String(Number(number.toPrecision(8))) : text;
}

function settingText(name, value) {
  const text = value.split(', ').map(shortNumber).join(', ');
  const unit = settingUnits[name];
  return text === '' ? '–' : unit ? `${text} ${unit}` : text;
}

// The impact laws in use, each once.
function lawText({ pairs }) {
  return [...new Set(pairs.map(({ law }) => law))].join(', ');
}

function rows(entries) {
  return element('table', { class: 'facts' }, ...entries.map(([name, value]) => element('tr', {}, element('th', {}, name), element('td', {}, value))));
}

export function showWarnings(parent, header) {
  if (!header.warnings.length) {
    parent.append(element('div', { class: 'notice good' }, `No warnings. Every step reached the tolerance, overlaps stay below ${100 * header.limits.penetration} % of the thinnest extent of a body (deepest: ${si(header.figures.penetration_max, 'm')}), and the energy ledger closes (largest balance: ${power(header.figures.balance_relative)} of the energy scale).`));
  }
  for (const text of header.warnings) parent.append(element('div', { class: 'notice warning' }, text));
  if (header.replay.contact_limit !== null) {
    parent.append(element('div', { class: 'notice' }, `Only the ${grouped(header.replay.contact_limit)} strongest contacts of a frame are in this page; the file has up to ${grouped(header.replay.most_contacts)}.`));
  }
}

export function showHeader(header) {
  const { figures, settings, replay } = header;
  document.getElementById('title').textContent = header.title;
  const chips = [figures.bodies === 1 ? '1 body' : `${grouped(figures.bodies)} bodies`, `up to ${plural(figures.contacts_max, 'contact')}`, plural(figures.steps, 'step'),
    `t = ${Number(figures.time_end.toPrecision(6))} s`, settings.dt && `dt = ${si(Number(settings.dt), 's', 4)}`,
    lawText(header) && `law ${lawText(header)}`, settings.theta && `theta = ${settings.theta}`,
    replay.frames === replay.frames_in_file ? plural(replay.frames, 'frame') : `${replay.frames} of ${grouped(replay.frames_in_file)} frames`];
  document.getElementById('chips').append(...chips.filter(Boolean).map((text) => element('span', { class: 'chip' }, text)));
  document.getElementById('program').textContent = header.program;
}

function figureRows({ figures: f, pairs }) {
  const phases = ['detect', 'assemble', 'solve', 'advance'];
  const total = phases.reduce((sum, phase) => sum + f[`seconds_${phase}`], 0);
  return [
    ['steps', grouped(f.steps)],
    ['steps that did not converge', grouped(f.unconverged)],
    ['contacts, max. (mean)', `${grouped(f.contacts_max)} (${grouped(f.contacts_mean, 4)})`],
    ['iterations, max. (mean)', `${grouped(f.iterations_max)} (${grouped(f.iterations_mean, 4)})`],
    ['largest residual, scaled', power(f.residual_scaled)],
    ['largest residual, published', power(f.residual_published)],
    ['largest residual, siconos', power(f.residual_siconos)],
    ['largest penetration', si(f.penetration_max, 'm')],
    ['largest balance / energy scale', power(f.balance_relative)],
    ['energy scale', si(f.energy_scale, 'J')],
    ['most energy from a contact, normal', positiveWork(f, 'normal')],
    ['most energy from a contact, tangential', positiveWork(f, 'tangential')],
    ...(pairs.some(resistsRolling) ? [['most energy from a contact, rolling', positiveWork(f, 'rolling')]] : []),
    ['wall time of the steps', seconds(total, total < 10 ? 2 : 0)],
    ...phases.map((phase) => [`– ${phase}`, `${seconds(f[`seconds_${phase}`], 2)}${total > 0 ? `, ${Math.round((100 * f[`seconds_${phase}`]) / total)} %` : ''}`]),
  ];
}

// Energy that a contact put in within a step: what the tolerance lets pass, so it is told against the energy at hand.
function positiveWork(f, part) {
  const work = f[`max_positive_${part}_work`];
  return f.energy_scale > 0 ? `${si(work, 'J')} (${power(work / f.energy_scale)} of the energy scale)` : si(work, 'J');
}

const resistsRolling = (pair) => pair.rolling > 0 || pair.spinning > 0;

function pairText(pair) {
  const text = `mu = ${pair.mu}, e = ${pair.e}, ${pair.law}`;
  return resistsRolling(pair) ? `${text}, rolling ${pair.rolling}, spinning ${pair.spinning}` : text;
}

export function showFacts(parent, header) {
  const names = Object.keys(header.settings);
  const ordered = [...settingOrder.filter((name) => names.includes(name)), ...names.filter((name) => !settingOrder.includes(name))];
  const settings = ordered.map((name) => [settingNames[name] ?? name.replaceAll('_', ' '), settingText(name, header.settings[name])]);
  const pairs = header.pairs.map((pair) => [`${pair.a} – ${pair.b}`, pairText(pair)]);
  const hashes = [['program', header.program], ['scene, SHA-256', header.scene_sha256], ['state hash', header.state_hash || '– (the run did not finish)']];
  parent.append(
    element('section', { class: 'panel' }, element('h3', {}, 'Key figures'), rows(figureRows(header))),
    element('section', { class: 'panel' }, element('h3', {}, 'Settings'), rows([['impact law', lawText(header) || '–'], ...settings]),
      element('h3', { class: 'second' }, 'Pairs of materials'), rows(pairs)),
    element('section', { class: 'panel wide' }, element('h3', {}, 'Identity'), rows(hashes)));
  document.getElementById('source').textContent = header.scene_source;
}
