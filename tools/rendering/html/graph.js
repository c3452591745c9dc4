/* A graph whose edges come and go with the date; what is near a chosen node stands out. */

const chart = byId("chart");
const nodes = data.nodes.map((node, number) => ({ ...node, number }));
const edges = data.edges.map((edge, number) => ({ ...edge, number }));
const rows = [...document.querySelectorAll("tbody tr")];
const SHAPES = { tag: "diamond", value: "square", unresolved: "circle-open" };
const bounds = edges.flatMap((edge) => [edge.validAt, edge.invalidAt, edge.createdAt, edge.expiredAt])
  .concat(data.now, data.asOf, data.knownAt).filter((moment) => moment !== null);
const days = dayEnds(Math.min(...bounds), Math.max(...bounds));
const dayOf = (moment) => days.findIndex((end) => end >= moment);
const state = { asOf: dayOf(data.asOf ?? data.now), knownAt: data.knownAt === null ? null : dayOf(data.knownAt), focus: null, found: new Set() };
const view = { x: null, y: null };

const shown = () => {
  const knownAt = state.knownAt === null ? Infinity : days[state.knownAt];
  return edges.filter((edge) => holds(edge, days[state.asOf], knownAt));
};

/* On a narrow screen the picture stands upright; on a wide one it is drawn out. */
function placed() {
  const aspect = chart.clientWidth / height();
  const drawnOut = Math.min(Math.max(Math.max(aspect, 1 / aspect) / 1.7, 0.7), 1.5);
  return nodes.map((node) => {
    const along = node.x * drawnOut;
    return aspect < 1 ? { ...node, x: node.y, y: along } : { ...node, x: along };
  });
}

function height() {
  return Math.round(Math.min(Math.max(innerHeight * 0.72, 380), 300 + nodes.length * 12));
}

/* What is drawn fully: everything, or what was searched for, or a node with what is joined to it. */
function lit(visible) {
  if (state.focus === null) return { nodes: state.found.size ? state.found : null, edge: () => state.found.size === 0 };
  const near = new Set([state.focus]);
  const edge = ({ source, target }) => source === state.focus || target === state.focus;
  for (const one of visible.filter(edge)) near.add(one.source).add(one.target);
  return { nodes: near, edge };
}

function radius(node, degree) {
  const scale = nodes.length <= 80 ? 1 : chart.clientWidth < 600 ? 0.5 : 0.7;
  return scale * ((node.hops === 0 ? 9 : 5) + Math.min(Math.sqrt(degree[node.number]) * 1.6, 8));
}

function lines(visible, at, degree) {
  const pairs = new Map();
  for (const edge of visible) {
    const key = [edge.source, edge.target].sort((a, b) => a - b).join();
    pairs.set(key, [...(pairs.get(key) ?? []), edge]);
  }
  return [...pairs.values()].flatMap((beside) => beside.map((edge, nth) => ({
    edge, points: curve(at[edge.source], at[edge.target], nth, beside.length),
    standoff: edge.source === edge.target ? 0 : radius(nodes[edge.target], degree) + 1,
  })));
}

/* One trace for each look: cause or not, inferred or not, lit or dim. Dim ones lie below. */
function edgeTraces(drawn, light) {
  const either = [false, true], crowded = drawn.length > 150 && state.focus === null;
  const strength = ({ causal }, bright) => (bright ? (crowded ? 0.45 : causal ? 0.9 : 0.6) : 0.09);
  const inks = new Map(either.map((causal) => [causal, colour(causal ? "causal" : "quiet")]));
  const looks = either.flatMap((bright) => either.flatMap((causal) => either.map((inferred) => ({ bright, causal, inferred }))));
  const traces = looks.map(({ bright, causal, inferred }) => {
    const mine = drawn.filter(({ edge }) => edge.causal === causal && edge.inferred === inferred && light.edge(edge) === bright);
    return {
      type: "scatter", mode: "lines", hoverinfo: "skip", opacity: strength({ causal }, bright),
      x: mine.flatMap(({ points }) => [...points.map(({ x }) => x), null]),
      y: mine.flatMap(({ points }) => [...points.map(({ y }) => y), null]),
      line: { color: inks.get(causal), width: (causal ? 2.2 : 1.1) * (crowded ? 0.7 : 1), dash: inferred ? "dash" : "solid", simplify: false },
    };
  });
  const pointed = drawn.filter(({ edge }) => edge.source !== edge.target);
  const arrows = {
    type: "scatter", mode: "markers", hoverinfo: "skip", cliponaxis: true,
    x: pointed.map(({ points }) => points.at(-1).x), y: pointed.map(({ points }) => points.at(-1).y),
    marker: {
      symbol: "arrow", line: { width: 0 }, standoff: pointed.map(({ standoff }) => standoff),
      size: pointed.map(({ edge }) => (edge.causal ? 10 : 8)), color: pointed.map(({ edge }) => inks.get(edge.causal)),
      opacity: pointed.map(({ edge }) => strength(edge, light.edge(edge))),
      angle: pointed.map(({ points }) => {
        const [before, tip] = points.slice(-2);
        return (Math.atan2(tip.x - before.x, tip.y - before.y) * 180) / Math.PI;
      }),
    },
  };
  return [...traces, arrows];
}

/* Invisible, in the middle of each line, to point at. */
function handles(drawn) {
  const middle = drawn.map(({ points }) => points[Math.floor(points.length / 2)]);
  return {
    type: "scatter", mode: "markers", x: middle.map(({ x }) => x), y: middle.map(({ y }) => y),
    customdata: drawn.map(({ edge }) => ({ edge: edge.number })), hoverinfo: "none",
    marker: { size: 14, color: "rgba(0,0,0,0)" },
  };
}

function nodeTrace(at, light, degree) {
  const bright = (node) => light.nodes === null || light.nodes.has(node.number);
  const idle = (node) => degree[node.number] === 0 && node.hops > 0;
  return {
    type: "scatter", mode: "markers", x: at.map(({ x }) => x), y: at.map(({ y }) => y),
    customdata: nodes.map(({ number }) => ({ node: number })), hoverinfo: "none", cliponaxis: true,
    marker: {
      symbol: nodes.map(({ kind }) => SHAPES[kind] ?? "circle"),
      size: nodes.map((node) => 2 * radius(node, degree)),
      color: nodes.map((node) => colour(`type-${node.colour}`)),
      opacity: nodes.map((node) => (bright(node) ? (idle(node) ? 0.35 : 1) : 0.15)),
      line: {
        width: nodes.map((node) => (node.hops === 0 || node.number === state.focus ? 3 : SHAPES[node.kind]?.endsWith("open") ? 2 : 1)),
        color: nodes.map((node) => (node.hops === 0 || node.number === state.focus ? colour("ink") : SHAPES[node.kind]?.endsWith("open") ? colour(`type-${node.colour}`) : colour("card"))),
      },
    },
  };
}

function fit(at) {
  const spread = (values) => [Math.min(...values), Math.max(...values)];
  const [left, right] = spread(at.map(({ x }) => x)), [low, high] = spread(at.map(({ y }) => y));
  const edge = Math.min(60, chart.clientWidth * 0.07);
  const unit = Math.max((right - left) / (chart.clientWidth - 2 * edge), (high - low) / (height() - 2 * edge), 0.002);
  const room = unit * edge;
  view.x = [left - room, right + room];
  view.y = [low - room, high + room * 0.8];
}

let scene = null;

async function draw() {
  const visible = shown(), at = placed(), light = lit(visible);
  const degree = nodes.map(() => 0);
  for (const { source, target } of visible) { degree[source] += 1; degree[target] += 1; }
  const drawn = lines(visible, at, degree);
  if (view.x === null) fit(at);
  const layout = {
    height: height(), margin: { l: 8, r: 8, t: 8, b: 8 }, showlegend: false, hovermode: "closest", hoverdistance: 8,
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", dragmode: "pan", font: { family: FONT },
    xaxis: { visible: false, range: view.x, constrain: "range" },
    yaxis: { visible: false, range: view.y, scaleanchor: "x", scaleratio: 1, constrain: "range" },
  };
  const traces = [...edgeTraces(drawn, light), handles(drawn), nodeTrace(at, light, degree)];
  await Plotly.react(chart, traces, layout, { displayModeBar: false, displaylogo: false, scrollZoom: true, doubleClick: false });
  scene = { drawn, at, light, degree };
  names(scene);
  tell(visible);
}

function tell(visible) {
  const there = new Set(visible.map(({ number }) => number));
  rows.forEach((row, number) => { row.hidden = !there.has(number); });
  const known = state.knownAt === null ? "" : `, as known by ${isoDay(days[state.knownAt])}`;
  byId("count").textContent = `${visible.length} of ${edges.length} relations between ${nodes.length} nodes were true on ${isoDay(days[state.asOf])}${known}`;
  chart.dataset.shown = visible.length;
  for (const name of ["as-of", "known-at"]) {
    const day = name === "as-of" ? state.asOf : state.knownAt ?? days.length - 1;
    byId(name).value = day;
    byId(`${name}-slider`).querySelector("output").textContent = isoDay(days[day]);
  }
  byId("known-at-slider").hidden = state.knownAt === null;
  byId("by-knowledge").checked = state.knownAt !== null;
}

let waiting = false;
function drawSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}

/* How many relations are true over time, as a low hill under the slider. */
function hill() {
  const knownAt = state.knownAt === null ? Infinity : days[state.knownAt];
  const steps = Math.min(days.length, 160);
  const counts = Array.from({ length: steps }, (_, step) => {
    const day = days[Math.round((step / Math.max(steps - 1, 1)) * (days.length - 1))];
    return edges.filter((edge) => holds(edge, day, knownAt)).length;
  });
  const most = Math.max(...counts, 1);
  const points = counts.map((count, step) => `L${(step / Math.max(steps - 1, 1)) * 100} ${10 - (count / most) * 9.5}`);
  byId("as-of-slider").querySelector("path").setAttribute("d", `M0 10 ${points.join(" ")} L100 10 Z`);
}

function nodeCard(number) {
  const node = nodes[number];
  const title = element("p");
  title.append(element("strong", node.title), ` ${node.type}`);
  const near = shown().filter(({ source, target }) => source === number || target === number);
  const list = element("ul");
  for (const edge of near.slice(0, 12)) {
    const other = nodes[edge.source === number ? edge.target : edge.source].title;
    list.append(element("li", edge.source === number ? `${edge.name} → ${other}` : `← ${edge.name} ${other}`, edge.causal ? "causal" : ""));
  }
  if (near.length > 12) list.append(element("li", `and ${near.length - 12} more`));
  return [title, element("p", node.path, "quiet"), list];
}

function edgeCard(number) {
  const cells = [...rows[number].cells].map((cell) => cell.textContent);
  const line = element("p");
  line.append(`${cells[0]} `, element("strong", cells[1]), ` → ${cells[2]}`);
  return [line, element("p", `true ${cells[3] || "always"} · known ${cells[4] || "always"}`), element("p", cells[5], "quiet")];
}

function choose(number) {
  state.focus = number;
  if (number !== null) byId("chosen").replaceChildren(...nodeCard(number));
  drawSoon();
}

function find(words) {
  const wanted = folded(words.trim());
  const found = wanted ? nodes.filter(({ title }) => folded(title).includes(wanted)) : [];
  state.found = new Set(found.map(({ number }) => number));
  const exact = found.filter(({ title }) => folded(title) === wanted);
  choose(exact.length === 1 ? exact[0].number : found.length === 1 ? found[0].number : null);
}

function stepTo(direction) {
  const now = shown().map(({ number }) => number).join();
  const before = state.asOf;
  do state.asOf += direction;
  while (state.asOf >= 0 && state.asOf < days.length && shown().map(({ number }) => number).join() === now);
  if (state.asOf < 0 || state.asOf >= days.length) state.asOf = before;
  drawSoon();
}

function start() {
  byId("picture").hidden = false;
  for (const name of ["as-of", "known-at"]) byId(name).max = days.length - 1;
  byId("as-of").addEventListener("input", (event) => { state.asOf = Number(event.target.value); drawSoon(); });
  byId("known-at").addEventListener("input", (event) => { state.knownAt = Number(event.target.value); hill(); drawSoon(); });
  byId("by-knowledge").addEventListener("change", (event) => {
    state.knownAt = event.target.checked ? dayOf(Math.min(data.now, days.at(-1))) : null;
    hill();
    drawSoon();
  });
  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => stepTo(Number(button.dataset.step)));
  }
  byId("find").addEventListener("input", (event) => find(event.target.value));
  hill();
  draw().then(() => {
    let pointed = false;
    chart.on("plotly_hover", ({ event, points }) => {
      const { node, edge } = points.find(({ customdata }) => customdata?.node !== undefined)?.customdata ?? points[0].customdata;
      showBeside(event, node === undefined ? edgeCard(edge) : nodeCard(node));
    });
    chart.on("plotly_unhover", hideCard);
    chart.on("plotly_click", ({ points }) => {
      const { node, edge } = points.find(({ customdata }) => customdata?.node !== undefined)?.customdata ?? points[0].customdata;
      pointed = true;
      if (node === undefined) byId("chosen").replaceChildren(...edgeCard(edge));
      else choose(node);
    });
    chart.addEventListener("click", () => {
      if (!pointed && (state.focus !== null || state.found.size)) { state.found.clear(); byId("find").value = ""; choose(null); }
      pointed = false;
    });
    chart.on("plotly_relayouting", () => names(scene));
    chart.on("plotly_relayout", (change) => {
      if (change["xaxis.range[0]"] === undefined) return;
      view.x = [change["xaxis.range[0]"], change["xaxis.range[1]"]];
      view.y = [change["yaxis.range[0]"], change["yaxis.range[1]"]];
      names(scene);
    });
  });
  addEventListener("resize", () => { view.x = null; drawSoon(); });
  whenThemeChanges(drawSoon);
}

if (nodes.length) start();
