// Several runs beside each other: each in the viewer of one run, with one time and one scale of colours for
// all, and tables and curves of all together.
(() => {
  const colours = ['#1f6fb2', '#d1603d', '#3f8f5f', '#8a5aa8', '#c9962b', '#3aa6a6'];
  const most = 15;   // rows of bodies
  const find = (id) => document.getElementById(id);

  const make = (tag, attributes = {}, ...children) => {
    const node = tag === 'svg' || attributes.svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (name !== 'svg') node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const short = (value) => (value === 0 ? '0' : Number(value.toPrecision(4)).toString());

  async function inflated(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
  }

  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

  // The viewer of one run, once it shows it.
  function ready(frame) {
    return new Promise((resolve, reject) => {
      const look = () => {
        const page = frame.contentWindow;
        if (page?.scree?.ready && page.scree.ways) return resolve(page.scree);
        if (page?.document.querySelector('#notices .warning') && !page.scree) return reject(new Error(page.document.querySelector('#notices .warning').textContent));
        return setTimeout(look, 30);
      };
      look();
    });
  }

  async function open(viewer, holder, index) {
    const name = holder.dataset.name;
    const frame = make('iframe', { title: name });
    find('runs').append(make('figure', {}, make('figcaption', {}, make('i', { style: `background:${colours[index % colours.length]}` }), name), frame));
    const [head, middle, tail] = viewer.split(/SCREE-TITLE-HERE|SCREE-DATA-HERE/);
    frame.srcdoc = head + escaped(name) + middle + holder.textContent + tail;
    holder.remove();
    return { name, frame, colour: colours[index % colours.length], page: await ready(frame) };
  }

  function listen(runs) {
    const end = Math.max(...runs.map(({ page }) => page.replay.time.at(-1)));
    const start = Math.min(...runs.map(({ page }) => page.replay.time[0]));
    const scrub = find('scrub-all');
    scrub.min = start;
    scrub.max = end;
    let playing = false;
    const show = (time) => {
      scrub.value = time;
      find('time-all').textContent = `t = ${time.toFixed(4)} s`;
      for (const { page } of runs) {
        page.player.pause();
        page.player.seek(page.player.momentOf(time));
      }
    };
    scrub.addEventListener('input', () => { playing = false; show(Number(scrub.value)); });
    find('play-all').addEventListener('click', () => {
      playing = !playing;
      let time = Number(scrub.value) >= end ? start : Number(scrub.value);
      let last = performance.now();
      const tick = (now) => {
        find('play-all').textContent = playing ? 'Pause' : 'Play';
        if (!playing) return;
        time = Math.min(end, time + (Math.max(0, now - last) / 1000) * runs[0].page.player.speed);
        last = now;
        show(time);
        playing = time < end;
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    });
    show(start);
    return show;
  }

  // One scale: the largest value of all runs is the end of every colour bar.
  function colourBy(runs, name) {
    const shown = runs.filter(({ page }) => page.controls);
    for (const { page, frame } of shown) {
      frame.contentDocument.getElementById('colour').value = name;
      page.controls.colourBy(name);
    }
    const high = Math.max(...shown.map(({ page }) => page.controls.colouring.high ?? 0));
    for (const { page } of shown) {
      if (!(high > 0)) continue;
      Object.assign(page.controls.colouring, { high, low: high * 1e-5 });
      page.controls.showLegend();
      page.controls.refresh();
    }
  }

  function factRows(runs) {
    const figure = (name, scale = 1) => (page) => short((page.header.figures[name] ?? 0) * scale);
    const setting = (name) => (page) => page.header.settings[name] ?? '–';
    const sum = (page) => short(['detect', 'assemble', 'solve', 'advance'].reduce((all, phase) => all + page.header.figures[`seconds_${phase}`], 0));
    const pairs = (page) => page.header.pairs.map(({ a, b, mu, e, law }) => `${a} – ${b}: mu ${mu}, e ${e}, ${law}`).join('; ');
    return [['title', (page) => page.header.title], ['scene, SHA-256', (page) => page.header.scene_sha256.slice(0, 12)],
      ['bodies', figure('bodies')], ['steps', figure('steps')], ['time [s]', figure('time_end')],
      ...['dt', 'theta', 'method', 'measure', 'tolerance', 'activation', 'correction', 'overrides'].map((name) => [name, setting(name)]),
      ['pairs of materials', pairs], ['contacts, max.', figure('contacts_max')], ['iterations, mean', figure('iterations_mean')],
      ['steps unconverged', figure('unconverged')], ['largest penetration [m]', figure('penetration_max')],
      ['largest balance / energy scale', figure('balance_relative')], ['wall time of the steps [s]', sum],
      ['warnings', (page) => String(page.header.warnings.length)], ['state hash', (page) => page.header.state_hash.slice(0, 12) || '–']]
      .map(([name, value]) => [name, runs.map(({ page }) => value(page))]);
  }

  function head(runs, ...first) {
    return make('thead', {}, make('tr', {}, ...first.map((text) => make('th', {}, text)), ...runs.map(({ name }) => make('th', {}, name))));
  }

  function showFacts(runs) {
    const rows = factRows(runs).map(([name, values]) => make('tr', new Set(values).size > 1 ? { class: 'differs' } : {},
      make('td', {}, name), ...values.map((value) => make('td', {}, value))));
    find('facts-all').append(head(runs, ''), make('tbody', {}, ...rows));
  }

  const keptFrames = (page) => page.replay.about.frames_in_file > 0;

  // What devices measured: one row a number, in the order of the first run that has it.
  function measuredRows({ impacts, screens, groups, gauges }) {
    const rows = [];
    if (impacts) rows.push(['impacts', impacts.count], ['energy lost in impacts [J]', impacts.energy_lost], ['energy lost below the thresholds [J]', impacts.below]);
    for (const { name, along, against } of screens ?? []) rows.push([`${name}: passed along its normal`, along], [`${name}: passed against it`, against]);
    for (const [name, , moved] of groups?.members ?? [])
      if (groups.moved !== null) rows.push([`${name}: free bodies moved farther than ${short(groups.moved)} m`, moved]);
    for (const [from, on, impulse, most] of groups?.pairs ?? []) rows.push([`${from} on ${on}: impulse [N s]`, impulse], [`${from} on ${on}: largest mean force of a step [N]`, most]);
    for (const { name, pressure, pressure_max: most, tau, density } of gauges ?? [])
      rows.push([`${name}: pressure at the end [Pa]`, pressure], [`${name}: largest pressure [Pa]`, most], [`${name}: shear stress at the end [Pa]`, tau], [`${name}: density at the end [kg/m³]`, density]);
    return rows;
  }

  function showMeasured(runs) {
    const found = runs.map(({ page }) => new Map(measuredRows(page.header.measured ?? {})));
    const names = [...new Set(found.flatMap((rows) => [...rows.keys()]))];
    if (!names.length) return find('measured-all').closest('section').replaceChildren('The scenes of these runs measure nothing besides.');
    const text = (value) => (typeof value === 'number' ? short(value) : value ?? '–');
    const rows = names.map((name) => {
      const cells = found.map((of) => text(of.get(name)));
      return make('tr', new Set(cells).size > 1 ? { class: 'differs' } : {}, make('td', {}, name), ...cells.map((cell) => make('td', {}, cell)));
    });
    return find('measured-all').append(head(runs, ''), make('tbody', {}, ...rows));
  }

  // Bodies of the same name in all runs, those first whose ways differ most.
  function showMoved(runs) {
    const ways = runs.map(({ page }) => new Map(page.ways.map((way) => [way.name, way])));
    const common = [...ways[0].keys()].filter((name) => ways.every((map) => map.has(name)));
    const rows = common.map((name) => {
      const ends = ways.map((map) => map.get(name).end);
      return { name, ends, difference: Math.max(...ends) - Math.min(...ends) };
    }).sort((a, b) => b.difference - a.difference);
    const unknown = runs.filter(({ page }) => !keptFrames(page)).map(({ name }) => name);
    find('moved-note').textContent = unknown.length
      ? `Not known of runs that kept no frames: ${unknown.join(', ')}.`
      : common.length
      ? `How far each body ended from where it began [m]; the ${Math.min(most, rows.length)} of ${common.length} common bodies whose ways differ most.`
      : 'The runs have no body in common that can move.';
    if (unknown.length || !common.length) return;
    const table = head(runs, 'body', 'difference [m]');
    find('moved-all').append(table, make('tbody', {}, ...rows.slice(0, most).map(({ name, ends, difference }) => make('tr', {},
      make('td', {}, name), make('td', {}, short(difference)), ...ends.map((end) => make('td', {}, short(end)))))));
  }

  function curve(page, name) {
    const [time, value] = ['time', 'value'].map((part) => page.arrays[`curve/${name}/${part}`]);
    return time && value ? Array.from(time, (t, i) => [t, value[i]]).filter(([, v]) => Number.isFinite(v)) : [];
  }

  function farthest(page) {
    const { replay } = page;
    return Array.from(replay.time, (time, f) => {
      let far = 0;
      for (let i = 0; i < replay.n; ++i) if (!replay.bodies.fixed[i] && replay.isActive(f, i)) far = Math.max(far, replay.displacement[f * replay.n + i]);
      return [time, far];
    });
  }

  // A round number at most so many times within a length.
  function roundStep(length, count) {
    const decade = 10 ** Math.floor(Math.log10(length / count));
    return [1, 2, 5, 10].map((k) => k * decade).find((step) => length / step <= count) ?? 10 * decade;
  }

  function chart(runs, title, pointsOf) {
    const lines = runs.map(({ page, colour }) => ({ colour, points: pointsOf(page) })).filter(({ points }) => points.length > 1);
    if (!lines.length) return;
    const [width, height, left, bottom, top, right] = [520, 220, 66, 30, 8, 10];
    const all = lines.flatMap(({ points }) => points);
    const bound = (k, choose) => all.reduce((best, point) => choose(best, point[k]), all[0][k]);
    const [x0, x1] = [bound(0, Math.min), bound(0, Math.max)];
    let [y0, y1] = [bound(1, Math.min), bound(1, Math.max)];
    if (y0 === y1) [y0, y1] = [y0 - 1, y1 + 1];
    const x = (t) => left + ((width - left - right) * (t - x0)) / (x1 - x0 || 1);
    const y = (v) => height - bottom - ((height - bottom - top) * (v - y0)) / (y1 - y0);
    const parts = [];
    for (let step = roundStep(y1 - y0, 5), v = Math.ceil(y0 / step) * step; v <= y1; v += step) {
      parts.push(make('line', { svg: 1, x1: left, x2: width - right, y1: y(v), y2: y(v), stroke: 'var(--line)' }),
        make('text', { svg: 1, x: left - 6, y: y(v) + 4, 'text-anchor': 'end' }, Math.abs(v) < 1e-9 * step ? '0' : short(v)));
    }
    for (let step = roundStep(x1 - x0 || 1, 6), t = Math.ceil(x0 / step) * step; t <= x1; t += step)
      parts.push(make('text', { svg: 1, x: x(t), y: height - bottom + 15, 'text-anchor': 'middle' }, short(t)));
    parts.push(make('text', { svg: 1, x: (left + width) / 2, y: height - 2, 'text-anchor': 'middle' }, 'time [s]'));
    for (const { colour, points } of lines)
      parts.push(make('polyline', { svg: 1, fill: 'none', stroke: colour, 'stroke-width': 1.5, points: points.map(([t, v]) => `${x(t).toFixed(1)},${y(v).toFixed(1)}`).join(' ') }));
    const key = make('div', { class: 'key' }, ...runs.map(({ name, colour }) => make('span', {}, make('i', { style: `background:${colour}` }), name)));
    find('charts').append(make('section', { class: 'chart' }, make('h3', {}, title), make('svg', { viewBox: `0 0 ${width} ${height}` }, ...parts), key));
  }

  function showCurves(runs) {
    for (const [title, name] of [['Kinetic energy [J]', 'kinetic'], ['Work of contacts, normal, summed [J]', 'sum/contact_normal_work'],
      ['Work of contacts, tangential, summed [J]', 'sum/contact_tangential_work'], ['Penetration [m]', 'max_penetration'], ['Solver sweeps', 'iterations']])
      chart(runs, title, (page) => curve(page, name));
    chart(runs, 'Farthest way of a body [m]', farthest);
  }

  async function start() {
    const viewer = await inflated(find('viewer').textContent);
    find('viewer').remove();
    const runs = await Promise.all([...document.querySelectorAll('script.run')].map((holder, index) => open(viewer, holder, index)));
    const seek = listen(runs);
    const menu = find('colour-all');
    menu.append(...runs[0].frame.contentDocument.getElementById('colour').cloneNode(true).children);
    menu.value = 'displacement';
    menu.addEventListener('change', () => colourBy(runs, menu.value));
    colourBy(runs, menu.value);
    showCurves(runs);
    showMoved(runs);
    showMeasured(runs);
    showFacts(runs);
    if (!runs.some(({ page }) => keptFrames(page))) document.querySelector('.runs-bar').hidden = true;
    // For tests, as in the page of one run.
    window.scree = { runs, seek, ready: true };
  }

  start().catch((error) => {
    find('notices').append(make('div', { class: 'notice warning' }, `These runs cannot be shown: ${error.message}. A browser of 2023 or later is needed.`));
    throw error;
  });
})();
