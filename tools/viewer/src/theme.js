// Charts and ground in the colours of the page: dark where the reader asked for it.
(() => {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const light = { axis: '#5b6670', grid: '#e8ebee', tick: '#cfd5da', moment: '#1c2733', ground: 0xe9ebec };
  const night = { axis: '#9aa7b2', grid: '#2b343c', tick: '#3d4a55', moment: '#e3e8ec', ground: 0x59616a };

  // The line at the moment of the replay, over the one that is drawn for bright paper.
  function drawMoment(plot, colour) {
    const x = plot.valToPos(window.scree.player.time, 'x', true);
    const { ctx, bbox } = plot;
    if (!(x >= bbox.left && x <= bbox.left + bbox.width)) return;
    ctx.save();
    ctx.strokeStyle = colour;
    ctx.lineWidth = 1.4;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  function apply() {
    const colours = dark.matches ? night : light;
    for (const { plot } of window.scree.charts) {
      for (const axis of plot.axes) {
        axis.stroke = () => colours.axis;
        axis.grid.stroke = () => colours.grid;
        axis.ticks.stroke = () => colours.tick;
      }
      plot.redraw(false, true);
    }
    window.scree.stage?.ground.group.traverse((part) => {
      if (part.isMesh) part.material.color.setHex(colours.ground);
    });
    window.scree.stage?.invalidate();
  }

  function start() {
    if (!window.scree?.ready) return void setTimeout(start, 20);
    for (const { plot } of window.scree.charts) plot.hooks.draw.push((one) => drawMoment(one, (dark.matches ? night : light).moment));
    dark.addEventListener('change', apply);
    apply();
  }
  start();
})();
