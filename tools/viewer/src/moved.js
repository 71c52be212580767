// Which bodies moved how far: a table, and colours by displacement.
(() => {
  const few = 12;   // rows that are shown at first

  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };

  // 0.00123 -> "1.23 mm", and alike up to kilometres.
  function length(metres) {
    const [scale, unit] = metres >= 1000 ? [1e3, 'km'] : metres >= 0.1 || metres === 0 ? [1, 'm'] : metres >= 1e-4 ? [1e-3, 'mm'] : [1e-6, 'µm'];
    return `${Number((metres / scale).toPrecision(3))} ${unit}`;
  }

  function sizeOf(shape) {
    if (shape.kind === 'sphere') return 2 * shape.radius;
    const corners = shape.vertices ?? [];   // x, y, z, x, ...
    let farthest = 0;
    for (let i = 0; i + 2 < corners.length; i += 3) farthest = Math.max(farthest, Math.hypot(...corners.slice(i, i + 3)));
    return 2 * farthest;
  }

  function turned(replay, first, last, body) {
    const [a, b] = [4 * (first * replay.n + body), 4 * (last * replay.n + body)];
    let [dot, aa, bb] = [0, 0, 0];
    for (let k = 0; k < 4; ++k) {
      dot += replay.orientation[a + k] * replay.orientation[b + k];
      aa += replay.orientation[a + k] ** 2;
      bb += replay.orientation[b + k] ** 2;
    }
    return (360 / Math.PI) * Math.acos(Math.min(1, Math.abs(dot) / Math.sqrt(aa * bb)));
  }

  // Of every body that is not fixed: how far it is from where it began in its last frame, the farthest it
  // ever was, and by how much it has turned.
  function ways(replay) {
    const list = [];
    for (let body = 0; body < replay.n; ++body) {
      const frames = [...Array(replay.frames).keys()].filter((frame) => replay.isActive(frame, body));
      if (replay.bodies.fixed[body] || !frames.length) continue;
      const [first, last] = [frames[0], frames.at(-1)];
      const at = (frame) => replay.displacement[frame * replay.n + body];
      list.push({ body, name: replay.bodies.name[body], size: sizeOf(replay.shapeOf(body)), end: at(last),
        most: Math.max(...frames.map(at)), angle: turned(replay, first, last, body) });
    }
    return list.sort((a, b) => b.end - a.end || a.body - b.body);
  }

  function show(body) {
    const { controls, player, replay } = window.scree;
    player.pause();
    player.seek(replay.frames - 1);
    controls?.pin(body);
    document.getElementById('replay').scrollIntoView({ behavior: 'smooth', block: 'nearest' });
  }

  function colourByDisplacement() {
    const menu = document.getElementById('colour');
    menu.value = 'displacement';
    menu.dispatchEvent(new Event('change'));
    show(-1);
  }

  function row({ body, name, size, end, most, angle }, longest) {
    const share = longest > 0 ? end / longest : 0;
    const line = make('tr', { tabindex: 0, 'data-body': body }, make('td', {}, name), make('td', { class: 'number' }, length(end)),
      make('td', {}, make('i', { class: 'bar', style: `width:${(90 * share).toFixed(1)}px` })),
      make('td', { class: 'number' }, size > 0 ? `${Number((end / size).toPrecision(2))}` : '–'),
      make('td', { class: 'number' }, length(most)), make('td', { class: 'number' }, `${angle.toFixed(angle < 10 ? 1 : 0)}°`));
    line.addEventListener('click', () => show(body));
    line.addEventListener('keydown', (event) => { if (event.key === 'Enter') show(body); });
    return line;
  }

  function fill(list, quantum) {
    const rows = make('tbody');
    const fillRows = (count) => rows.replaceChildren(...list.slice(0, count).map((entry) => row(entry, list[0]?.end ?? 0)));
    fillRows(few);
    const far = list.filter(({ end, size }) => end > 0.1 * size).length;
    const text = list.length
      ? `${far} of ${list.length} bodies that can move ended farther than a tenth of their size from where they began. Ways below ${length(2 * quantum)} are not told apart.`
      : 'No body can move.';
    const buttons = make('div');
    if (list.length && window.scree.stage) {
      const colour = make('button', { type: 'button', class: 'plain', id: 'by-displacement' }, 'Colour by displacement');
      colour.addEventListener('click', colourByDisplacement);
      buttons.append(colour);
    }
    if (list.length > few) {
      const all = make('button', { type: 'button', class: 'plain', id: 'all-moved' }, `Show all ${list.length}`);
      all.addEventListener('click', () => { fillRows(list.length); all.remove(); });
      buttons.append(all);
    }
    const head = ['body', 'moved', '', 'in sizes', 'at most', 'turned'].map((name, k) => make('th', k === 1 || k > 2 ? { class: 'number' } : {}, name));
    document.getElementById('moved').append(make('section', { class: 'panel' }, make('p', {}, text),
      make('div', { class: 'scroll' }, make('table', { class: 'list' }, make('thead', {}, make('tr', {}, ...head)), rows)), buttons));
  }

  // The file has no frames: the rest of the page stands without them.
  function hideReplay() {
    const moved = document.getElementById('moved');
    for (const part of [document.getElementById('replay'), document.querySelector('.hint'), moved.previousElementSibling, moved]) part.hidden = true;
    document.getElementById('chips').lastElementChild.textContent = 'no frames';
    document.getElementById('notices').append(make('div', { class: 'notice' }, 'The run kept no frames (--no-frames, or keep_frames = false), so there is no replay.'));
  }

  function start() {
    if (!window.scree?.ready) return void setTimeout(start, 20);
    const { replay } = window.scree;
    window.scree.ways = ways(replay);
    if (replay.about.frames_in_file === 0) return hideReplay();
    fill(window.scree.ways, replay.about.quantum);
  }
  start();
})();
