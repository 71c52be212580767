import 'uplot/dist/uPlot.min.css';
import { Controls } from './controls.js';
import { drawCurves, showMoment } from './curves.js';
import { showFacts, showHeader, showWarnings } from './facts.js';
import { element } from './format.js';
import { decode } from './payload.js';
import { Player } from './player.js';
import { Replay } from './replay.js';
import { Stage } from './stage.js';

const find = (id) => document.getElementById(id);

function fail(text) {
  find('notices').append(element('div', { class: 'notice warning' }, text));
}

function startStage(replay, header) {
  try {
    return new Stage(find('canvas'), replay, header.gravity);
  } catch (error) {
    find('replay').replaceChildren(element('p', { class: 'unavailable' }, `The 3D replay needs WebGL, which this browser does not offer (${error.message}). Everything else is below.`));
    return null;
  }
}

async function start() {
  const { header, arrays } = await decode(find('scree-data').textContent);
  find('scree-data').remove();
  showHeader(header);
  showWarnings(find('notices'), header);
  const replay = new Replay(header, arrays);
  let controls = null;
  let charts = [];
  let lines = 0;
  const redrawLines = () => { lines ||= requestAnimationFrame(() => { lines = 0; showMoment(charts, player.time); }); };
  const player = new Player(replay, () => {
    controls?.refresh();
    redrawLines();
  });
  const stage = startStage(replay, header);
  if (stage) controls = new Controls(stage, replay, player);
  charts = drawCurves(find('charts'), arrays, { player, tolerance: Number(header.settings.tolerance), measure: header.measure });
  showFacts(find('facts'), header);
  player.seek(0);
  // For tests and for the curious: the console can ask the page what it shows.
  window.scree = { header, arrays, replay, player, stage, controls, charts, ready: true };
}

start().catch((error) => {
  fail(`This page cannot be shown: ${error.message}. A browser of 2023 or later is needed.`);
  throw error;
});
