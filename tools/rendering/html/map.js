/* The map of a vault's links on a canvas, which redraws thousands of notes and links at once. */

const chart = byId("chart"), canvas = byId("map"), pen = canvas.getContext("2d");
const nodes = data.nodes.map((node, number) => ({ ...node, number }));
const near = nodes.map(() => ({ out: [], in: [] }));
for (const [source, target] of data.links) { near[source].out.push(target); near[target].in.push(source); }
const upwards = [...nodes].sort((a, b) => a.neighbours - b.neighbours);
const state = { colouring: data.colouring, lit: null, focus: null, over: null };
const HUBS = 8;
const view = { x: 0, y: 0, scale: 0, whole: 1 };
const wide = () => canvas.clientWidth, tall = () => canvas.clientHeight;
const around = (number) => new Set([number, ...near[number].out, ...near[number].in]);

/* On a narrow screen the picture stands upright. */
function place(node) {
  const [x, y] = wide() < tall() ? [-node.y, node.x] : [node.x, -node.y];
  return { x: wide() / 2 + (x - view.x) * view.scale, y: tall() / 2 + (y - view.y) * view.scale };
}

function radius(node) {
  const dense = Math.min(Math.max(Math.sqrt(500 / nodes.length), 0.55), 1.8);
  const closer = Math.min(Math.max(Math.sqrt(view.scale / view.whole), 0.6), 4);
  return dense * closer * (2.2 + Math.min(Math.sqrt(node.neighbours) * 1.1, 11));
}

function fit() {
  const low = Math.min(-1, ...nodes.map(({ y }) => y));
  const upright = wide() < tall(), edge = 0.08;
  const [across, along] = upright ? [1 - low, 3.4] : [3.4, 1 - low];
  view.scale = view.whole = Math.min(wide() / (across + 2 * edge), tall() / (along + 2 * edge));
  [view.x, view.y] = upright ? [-(1 + low) / 2, 0] : [0, -(1 + low) / 2];
}

function resize() {
  const ratio = devicePixelRatio || 1;
  canvas.style.height = `${Math.round(Math.min(Math.max(innerHeight * 0.78, 360), 1000))}px`;
  canvas.width = wide() * ratio;
  canvas.height = tall() * ratio;
  fit();
  drawSoon();
}

/* Many short paths: one path of thousands of lines is drawn slowly. */
function strokeLines(lines, ink, alpha, width) {
  pen.strokeStyle = ink;
  pen.globalAlpha = alpha;
  pen.lineWidth = width;
  for (let from = 0; from < lines.length; from += 200) {
    pen.beginPath();
    for (const [a, b] of lines.slice(from, from + 200)) { pen.moveTo(a.x, a.y); pen.lineTo(b.x, b.y); }
    pen.stroke();
  }
}

/* A link has the colour of its notes where that is one. Those that stand out are drawn last. */
function drawLinks(at, inks) {
  const looks = new Map(), centre = state.over ?? state.focus;
  const outside = (a, b) => Math.max(a.x, b.x) < 0 || Math.min(a.x, b.x) > wide() || Math.max(a.y, b.y) < 0 || Math.min(a.y, b.y) > tall();
  for (const [source, target] of data.links) {
    if (outside(at[source], at[target])) continue;
    const own = nodes[source][state.colouring], other = nodes[target][state.colouring];
    const strong = centre === null ? false : source === centre || target === centre;
    const lit = state.lit === null || (state.focus === null && state.lit.has(source) && state.lit.has(target));
    const key = `${strong ? 2 : lit ? 1 : 0} ${own === other ? own : 0}`;
    if (!looks.has(key)) looks.set(key, []);
    looks.get(key).push([at[source], at[target]]);
  }
  const usual = Math.min(Math.max(12 / Math.sqrt(data.links.length), 0.09), 0.5);
  const closer = Math.min(Math.max(view.scale / view.whole, 1), 3);
  for (const key of [...looks.keys()].sort()) {
    const [look, ink] = key.split(" ").map(Number);
    const alpha = [usual * 0.2, Math.min(usual * Math.sqrt(closer), 0.6), 0.85][look];
    strokeLines(looks.get(key), inks[ink], alpha, look === 2 ? 1.4 : 0.9);
  }
}

function drawNotes(at, inks) {
  const centre = state.over === null ? null : around(state.over);
  for (const node of upwards) {
    const { x, y } = at[node.number], r = radius(node);
    if (x < -r || y < -r || x > wide() + r || y > tall() + r) continue;
    const main = node.number === state.focus || node.number === state.over;
    pen.globalAlpha = state.lit === null || state.lit.has(node.number) || centre?.has(node.number) ? 1 : 0.15;
    pen.fillStyle = inks[node[state.colouring]];
    pen.strokeStyle = main ? inks.ink : inks.card;
    pen.lineWidth = main ? 2.5 : 0.8;
    pen.beginPath();
    pen.arc(x, y, r, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
  }
}

/* Hubs first: their names may lie over small dots, the others over none. */
function drawNames(at) {
  const bright = ({ number }) => state.lit === null || state.lit.has(number);
  const inside = ({ number }) => at[number].x > 0 && at[number].y > 0 && at[number].x < wide() && at[number].y < tall();
  const wanted = upwards.filter((node) => bright(node) && inside(node)).reverse().slice(0, 150);
  wanted.sort((a, b) => (b.number === state.focus) - (a.number === state.focus));
  const discs = wanted.map((node) => discBox(at[node.number].x, at[node.number].y, radius(node) * 0.8));
  const taken = discs.splice(0, HUBS), put = nameRoom(wide(), tall(), taken), most = mostLetters(wide());
  byId("names").replaceChildren(...wanted.flatMap((node, nth) => {
    if (nth === HUBS) taken.push(...discs);
    const main = node.number === state.focus, { x, y } = at[node.number];
    return put(shortened(node.title, most), x, y, {
      size: nth < HUBS ? 13.5 : 12, style: main ? "main" : "", always: main, shifts: besideDisc(radius(node) + 2),
    });
  }));
}

function draw() {
  const ratio = devicePixelRatio || 1, at = nodes.map(place);
  const inks = Object.assign(Array.from({ length: 9 }, (_, number) => colour(number ? `type-${number}` : "quiet")), { ink: colour("ink"), card: colour("card") });
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, wide(), tall());
  drawLinks(at, inks);
  drawNotes(at, inks);
  drawNames(at);
  chart.dataset.lit = state.lit === null ? nodes.length : state.lit.size;
}

let waiting = false;
function drawSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}
