// What devices of the scene measured: impacts, passages of screens, groups, gauges. Who left the terrain. And
// displacements as seen from the body that the scene names.
(() => {
  const make = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  };
  const number = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(4))) : '–');

  // [x, y, z] turned by a quaternion (w, x, y, z), or by its inverse.
  function turned([w, a, b, c], [x, y, z], back = false) {
    const [i, j, k] = back ? [-a, -b, -c] : [a, b, c];
    const [p, q, r] = [2 * (j * z - k * y), 2 * (k * x - i * z), 2 * (i * y - j * x)];
    return [x + w * p + j * r - k * q, y + w * q + k * p - i * r, z + w * r + i * q - j * p];
  }

  function seenFrom(replay, reference) {
    const at = (frame, body) => replay.path(frame, body);
    const way = (frame) => [0, 1, 2, 3].map((k) => replay.orientation[4 * (frame * replay.n + reference) + k]);
    const minus = (a, b) => a.map((value, k) => value - b[k]);
    for (let body = 0; body < replay.n; ++body) {
      let first = -1;
      for (let frame = 0; frame < replay.frames; ++frame) {
        if (!replay.isActive(frame, body)) continue;
        if (first < 0) first = frame;
        const now = turned(way(first), turned(way(frame), minus(at(frame, body), at(frame, reference)), true));
        replay.displacement[frame * replay.n + body] = Math.hypot(...minus(now, minus(at(first, body), at(first, reference))));
      }
    }
  }

  function table(head, rows) {
    const cells = (row, tag) => row.map((cell) => make(tag, typeof cell === 'number' ? { class: 'number' } : {}, typeof cell === 'number' ? number(cell) : cell));
    return make('div', { class: 'scroll' }, make('table', { class: 'list' }, make('thead', {}, make('tr', {}, ...cells(head, 'th'))),
      make('tbody', {}, ...rows.map((row) => make('tr', {}, ...cells(row, 'td'))))));
  }

  function panels({ departures, impacts, screens, groups, gauges }) {
    const list = [];
    const panel = (title, text, ...more) => list.push(make('section', { class: 'panel' }, make('h3', {}, title), make('p', {}, text), ...more));
    if (departures) {
      panel('Left the terrain', `${departures.count} left it, beyond its rim or over cells without data, and are not in the run any more.${departures.rows.length < departures.count ? ' The first of them:' : ''}`,
        table(['time [s]', 'body', 'place [m]', 'speed [m/s]', 'kinetic energy [J]'], departures.rows));
    }
    if (impacts) {
      panel('Impacts', `${impacts.count} impacts lost ${number(impacts.energy_lost)} J; the contacts below the thresholds lost ${number(impacts.below)} J.`
        + (impacts.rows.length < impacts.count ? ` Those that lost most:` : ''),
      table(['time [s]', 'bodies', 'approach [m/s]', 'impulse [N s]', 'energy lost [J]'], impacts.rows));
    }
    for (const screen of screens ?? []) {
      panel(`Screen ${screen.name}`, `${screen.along} passed along its normal, ${screen.against} against it: mass centres of bodies that move freely.${screen.rows.length < screen.along + screen.against ? ' The first of them:' : ''}`,
        table(['time [s]', 'body', 'direction', 'speed [m/s]', 'spin [rad/s]', 'kinetic energy [J]', 'height [m]'], screen.rows));
    }
    if (groups) {
      panel('Groups of bodies', groups.moved === null ? 'Impulses between groups over the whole run.' : `Impulses between groups over the whole run; moved: bodies that move freely and are farther than ${number(groups.moved)} m from where they started at its end.`,
        table(['group', 'bodies', 'moved'], groups.members), table(['from', 'on', 'impulse [N s]', 'largest mean force of a step [N]'], groups.pairs));
    }
    if (gauges) {
      panel('Gauges', 'At the end of the run, and the largest pressure of a step; of a grid means over its cells.',
        table(['gauge', 'cells', 'pressure [Pa]', 'at most [Pa]', 'shear stress [Pa]', 'density [kg/m³]'],
          gauges.map(({ name, cells, ...gauge }) => [name, cells, ...['pressure', 'pressure_max', 'tau', 'density'].map((key) => gauge[key] ?? '–')])));
    }
    return list;
  }

  function start() {
    if (!window.scree?.ready) return void setTimeout(start, 20);
    const { header, replay } = window.scree;
    const measured = header.measured ?? {};
    if (measured.relative_to >= 0) {
      seenFrom(replay, measured.relative_to);
      document.getElementById('moved').append(make('p', {}, `As seen from ${replay.bodies.name[measured.relative_to]}.`));
    }
    const list = panels(measured);
    if (list.length) document.getElementById('moved').after(make('h2', {}, 'What was measured'), make('div', { id: 'measured' }, ...list));
  }
  start();
})();
