// Ledger and solver curves. Each curve keeps its own times (thinned separately), joined for drawing.
import uPlot from 'uplot';
import { element, si } from './format.js';

const colours = ['#1f6fb2', '#d1603d', '#3f8f5f', '#8a5aa8', '#c9962b', '#5b6770', '#c25b86', '#3aa6a6', '#7a4b2b', '#9aa02c', '#4d5fa8'];

const charts = [
  { title: 'Energy', unit: 'J', note: 'change of potential energy; works summed from the start', curves: [
    ['kinetic', 'kinetic'], ['potential_change', 'potential, change'], ['sum/contact_normal_work', 'contacts, normal'],
    ['sum/contact_tangential_work', 'contacts, tangential'], ['sum/external_work', 'external forces'], ['sum/driven_work', 'driven bodies'],
    ['sum/contact_rolling_work', 'contacts, rolling and spinning'],
    ['sum/numerical_dissipation', 'numerical dissipation'], ['sum/projection_work', 'position correction'], ['sum/event_energy', 'events'],
    ['sum/drag_work', 'drag'], ['sum/shear_work', 'sheared images']] },
  { title: 'Loads', unit: 'N', note: 'on all bodies together, mean over each step', curves: [
    ['load/x', 'x'], ['load/y', 'y'], ['load/z', 'z']] },
  { title: 'Ground acceleration', unit: 'm/s²', note: 'of the ground on which the axes are fixed', curves: [
    ['ground/ax', 'x'], ['ground/ay', 'y'], ['ground/az', 'z']] },
  { title: 'Balance', unit: 'J', note: 'what the ledger cannot name: round-off only', curves: [
    ['balance', 'of each step'], ['sum/balance', 'summed']] },
  { title: 'Positive work of one contact', unit: 'J', note: 'largest in each step: energy put in, under fremond what the tolerance lets pass', curves: [
    ['max_positive_normal_work', 'normal'], ['max_positive_tangential_work', 'tangential'], ['max_positive_rolling_work', 'rolling and spinning']] },
  { title: 'Negative work of one contact', unit: 'J', note: 'most negative in each step', curves: [
    ['max_negative_normal_work', 'normal'], ['max_negative_tangential_work', 'tangential'], ['max_negative_rolling_work', 'rolling and spinning']] },
  { title: 'Contacts', unit: '', note: 'in the problem of each step, and found by detection', curves: [
    ['contacts', 'in the problem'], ['candidates', 'found']] },
  { title: 'Iterations', unit: '', note: 'solver sweeps of each step; passes and rounds of added contacts', curves: [
    ['iterations', 'sweeps'], ['passes', 'passes'], ['rounds', 'rounds']] },
  { title: 'Residuals', unit: '–', log: true, note: 'of each step, three measures', curves: [
    ['residual_scaled', 'scaled'], ['residual_published', 'published'], ['residual_siconos', 'siconos']] },
  { title: 'Wall time', unit: 's', note: 'of each step by phase', curves: [
    ['seconds_detect', 'detect'], ['seconds_assemble', 'assemble'], ['seconds_solve', 'solve'], ['seconds_advance', 'advance']] },
  { title: 'Penetration', unit: 'm', note: 'largest at the start of each step', curves: [['max_penetration', 'penetration']] },
];

function curvesOf(chart, arrays) {
  const found = chart.curves.map(([name, label], i) => ({ name, label, colour: colours[i], time: arrays[`curve/${name}/time`],
    value: arrays[`curve/${name}/value`] })).filter((curve) => curve.value?.length);
  const needed = (curve, i) => i < 2 || curve.value.some((value) => value !== 0);
  return found.filter(needed);
}

// Rows of all curves on one axis of time; a curve has null where it keeps no row.
function join(curves, log) {
  const drawable = (value) => (Number.isFinite(value) && (!log || value > 0) ? value : null);
  return uPlot.join(curves.map(({ time, value }) => [Array.from(time), Array.from(value, drawable)]));
}

// The nearest row at which a curve has a value.
function nearestRow(plot, series, hovered, time) {
  const [times, values] = [plot.data[0], plot.data[series]];
  for (let away = 0; away < times.length; ++away) {
    const [before, after] = [hovered - away, hovered + away];
    const has = (row) => values[row] !== null && values[row] !== undefined;
    if (has(before) && has(after)) return Math.abs(times[before] - time) <= Math.abs(times[after] - time) ? before : after;
    if (has(before)) return before;
    if (has(after)) return after;
  }
  return hovered;
}

function drawLine(plot, x, style, vertical) {
  const { ctx, bbox } = plot;
  ctx.save();
  Object.assign(ctx, style);
  ctx.setLineDash(style.dash ?? []);
  ctx.beginPath();
  if (vertical) {
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
  } else {
    ctx.moveTo(bbox.left, x);
    ctx.lineTo(bbox.left + bbox.width, x);
  }
  ctx.stroke();
  ctx.restore();
}

function axis(extra) {
  return { stroke: '#5b6670', grid: { stroke: '#e8ebee', width: 1 }, ticks: { stroke: '#cfd5da', width: 1, size: 5 }, font: '11px system-ui, sans-serif', ...extra };
}

function logSplits(plot, index, low, high) {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const every = Math.max(1, Math.ceil((last - first) / 6));
  const splits = [];
  for (let k = first; k <= last; k += every) splits.push(10 ** k);
  return splits;
}

function optionsOf(chart, curves, context) {
  const value = (plot, v) => (v === null || v === undefined ? '–' : chart.log ? v.toExponential(2) : si(v, chart.unit, 4));
  const yScale = chart.log ? { distr: 3 } : {};
  const yAxis = chart.log
    ? { splits: logSplits, filter: (plot, splits) => splits, values: (plot, splits) => splits.map((v) => (v > 0 ? `1e${Math.round(Math.log10(v))}` : '')) }
    : { values: (plot, splits) => splits.map((v) => si(v, '', 4)) };
  return {
    width: 500,
    height: 210,
    scales: { x: { time: false }, y: yScale },
    series: [{ label: 't', value: (plot, v) => (v === null ? '–' : `${v.toFixed(4)} s`) },
      ...curves.map(({ label, colour }) => ({ label, stroke: colour, width: 1.4, spanGaps: true, points: { show: false }, value }))],
    axes: [axis({ values: (plot, splits) => splits.map((v) => String(Number(v.toPrecision(6)))), label: 'time [s]', labelSize: 18, labelFont: '11px system-ui, sans-serif', size: 32 }),
      axis({ size: 62, ...yAxis })],
    cursor: { sync: { key: 'scree' }, dataIdx: nearestRow, points: { size: 6 }, drag: { x: true, y: false } },
    hooks: { draw: [(plot) => {
      if (chart.log && context.tolerance > 0) {
        const y = plot.valToPos(context.tolerance, 'y', true);
        drawLine(plot, y, { strokeStyle: '#5b6670', lineWidth: 1, dash: [5, 4] }, false);
      }
      const x = plot.valToPos(context.player.time, 'x', true);
      if (x >= plot.bbox.left && x <= plot.bbox.left + plot.bbox.width) drawLine(plot, x, { strokeStyle: '#1c2733', lineWidth: 1.2 }, true);
    }] },
  };
}

// Without a pointer over a chart, its legend shows the values at the moment of the replay.
export function showMoment(charts, time) {
  for (const { plot } of charts) {
    plot.redraw(false, false);
    if (plot.cursor.left >= 0) continue;
    const row = plot.valToIdx(time);
    plot.setLegend({ idxs: plot.series.map((_, series) => (series === 0 ? row : nearestRow(plot, series, row, time))) });
  }
}

// A click (not a drag) moves the replay there.
function seekOnClick(plot, context) {
  let down = null;
  plot.over.addEventListener('mousedown', (event) => { down = event.clientX; });
  plot.over.addEventListener('mouseup', (event) => {
    if (down === null || Math.abs(event.clientX - down) > 3) return;
    const time = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x');
    context.player.pause();
    context.player.seek(Math.round(context.player.momentOf(time)));
  });
}

// Draws all charts into `parent`; returns them as {title, curves: [names], plot}.
export function drawCurves(parent, arrays, context) {
  const drawn = [];
  for (const chart of charts) {
    const curves = curvesOf(chart, arrays);
    if (!curves.length) continue;
    const holder = element('div', { class: 'plot' });
    const note = chart.log && context.tolerance > 0 ? `${chart.note}; dashed: the tolerance (${context.measure})` : chart.note;
    parent.append(element('section', { class: 'chart' },
      element('h3', {}, chart.title + (chart.unit && chart.unit !== '–' ? ` [${chart.unit}]` : ''), element('small', {}, note)), holder));
    const plot = new uPlot(optionsOf(chart, curves, context), join(curves, chart.log), holder);
    new ResizeObserver(() => plot.setSize({ width: holder.clientWidth, height: 210 })).observe(holder);
    seekOnClick(plot, context);
    drawn.push({ title: chart.title, curves: curves.map(({ name }) => name), plot });
  }
  return drawn;
}
