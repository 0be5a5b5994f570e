// @ts-check
// The best result of a search over time, as steps.

/** @param {HTMLCanvasElement} canvas @param {{time: number, best: number}[]} points @param {string} colour */
export function paintCurve(canvas, points, colour) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  const ctx = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  Object.assign(canvas, { width, height });
  const last = points[points.length - 1];
  const values = points.map((point) => point.best);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  /** @param {number} time */ const x = (time) => (last.time ? (time / last.time) * width : 0);
  /** @param {number} best */ const y = (best) => height - 4 - (most > least ? (best - least) / (most - least) : 0.5) * (height - 8);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2 * ratio;
  ctx.beginPath();
  ctx.moveTo(x(points[0].time), y(points[0].best));
  for (let i = 1; i < points.length; i++) {
    ctx.lineTo(x(points[i].time), y(points[i - 1].best));
    ctx.lineTo(x(points[i].time), y(points[i].best));
  }
  ctx.stroke();
}
