/* Lanes of marks along an axis of time. Details are copied from the list below the picture. */

const SYMBOLS = {
  created: "circle", modified: "diamond", linked: "triangle-up", unlinked: "triangle-down-open",
  superseded: "square", renamed: "star", deleted: "x",
};
const ROW = 17, TITLE = 24, GAP = 10, DAY = 86400000;
const chart = byId("chart");
const hidden = new Set();
const moments = data.events.map((event) => Date.parse(`${event.when}Z`));
const whole = (() => {
  const first = Math.min(...moments), last = Math.max(...moments);
  const margin = Math.max((last - first) * 0.04, 10 * DAY);
  return [first - margin, last + margin];
})();
let range = [...whole];

/* Marks of one note that fall on nearly the same time stand below each other. */
function places() {
  const near = (range[1] - range[0]) / Math.max(chart.clientWidth / 15, 1);
  const lanes = data.lanes.map(() => []);
  const rows = moments.map((moment, index) => {
    const ends = lanes[data.events[index].lane];
    let row = ends.findIndex((end) => moment - end >= near);
    if (row < 0) row = ends.length;
    ends[row] = moment;
    return row;
  });
  let top = 0;
  const tops = lanes.map((ends) => {
    const here = top;
    top += TITLE + Math.max(ends.length, 1) * ROW + GAP;
    return here;
  });
  const y = rows.map((row, index) => tops[data.events[index].lane] + TITLE + (row + 0.5) * ROW);
  return { tops, y, height: top };
}

/* The charting library reads tags, entities and $formulas$ in labels: notes must not say any. */
function label(title) {
  return shortened(title, Math.max(Math.floor((chart.clientWidth - 30) / 7.2), 12))
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("$", "&#36;");
}

function draw() {
  const { tops, y, height } = places();
  const ink = colour("ink"), quiet = colour("quiet"), faint = colour("faint");
  const traces = Object.entries(SYMBOLS).map(([kind, symbol]) => {
    const mine = data.events.flatMap((event, index) => (event.kind === kind ? [index] : []));
    return {
      type: "scatter", mode: "markers", name: kind, visible: !hidden.has(kind), cliponaxis: true,
      x: mine.map((index) => data.events[index].when), y: mine.map((index) => y[index]),
      customdata: mine, hoverinfo: "none",
      marker: { symbol, size: symbol.startsWith("triangle") || symbol === "star" ? 14 : 12, color: colour(kind), line: { width: 1.5, color: symbol.endsWith("open") ? colour(kind) : colour("card") } },
    };
  });
  const layout = {
    height: height + 56, margin: { l: 12, r: 12, t: 34, b: 14 }, showlegend: false,
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", dragmode: "pan", hovermode: "closest",
    hoverdistance: 12, font: { family: FONT, size: 12, color: quiet },
    xaxis: {
      type: "date", range: range.map((moment) => new Date(moment).toISOString().slice(0, 19)), side: "top",
      gridcolor: faint, tickcolor: faint, zeroline: false, linecolor: faint,
      nticks: Math.max(Math.floor(chart.clientWidth / 90), 3),
    },
    yaxis: { range: [height, 0], fixedrange: true, visible: false },
    shapes: tops.map((top) => ({
      type: "line", xref: "paper", x0: 0, x1: 1, y0: top, y1: top, line: { color: faint, width: 1 }, layer: "below",
    })),
    annotations: data.lanes.map((title, lane) => ({
      text: label(title), xref: "paper", x: 0, xanchor: "left", y: tops[lane] + 3, yanchor: "top",
      showarrow: false, font: { size: 13, color: ink, family: FONT }, borderpad: 2, bgcolor: colour("card"),
    })),
  };
  return Plotly.react(chart, traces, layout, { displayModeBar: false, displaylogo: false, responsive: false });
}

function move(first, last) {
  const least = 2 * DAY, most = (whole[1] - whole[0]) * 1.2;
  const middle = (first + last) / 2, half = Math.min(Math.max(last - first, least), most) / 2;
  range = [middle - half, middle + half];
  draw();
}

function zoom(factor, middle = (range[0] + range[1]) / 2) {
  move(middle - (middle - range[0]) * factor, middle + (range[1] - middle) * factor);
}

function details(index) {
  return [...byId(`event-${index}`).cloneNode(true).childNodes];
}

function start() {
  byId("picture").hidden = false;
  draw().then(() => {
    chart.on("plotly_hover", ({ event, points }) => showBeside(event, details(points[0].customdata)));
    chart.on("plotly_unhover", hideCard);
    chart.on("plotly_click", ({ points }) => byId("chosen").replaceChildren(...details(points[0].customdata)));
    chart.on("plotly_relayout", (change) => {
      const ends = change["xaxis.range"] ?? [change["xaxis.range[0]"], change["xaxis.range[1]"]];
      if (ends[0] === undefined) return;
      range = ends.map((end) => Date.parse(`${String(end).replace(" ", "T")}Z`));
    });
    chart.on("plotly_doubleclick", () => move(...whole));
  });
  chart.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = chart.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    zoom(event.deltaY > 0 ? 1.15 : 0.87, range[0] + share * (range[1] - range[0]));
  }, { passive: false });
  const by = (share) => move(range[0] + share * (range[1] - range[0]), range[1] + share * (range[1] - range[0]));
  byId("closer").addEventListener("click", () => zoom(0.5));
  byId("wider").addEventListener("click", () => zoom(2));
  byId("earlier").addEventListener("click", () => by(-0.4));
  byId("later").addEventListener("click", () => by(0.4));
  byId("all").addEventListener("click", () => move(...whole));
  for (const button of document.querySelectorAll("[data-kind]")) {
    button.addEventListener("click", () => {
      const { kind } = button.dataset;
      if (!hidden.delete(kind)) hidden.add(kind);
      button.setAttribute("aria-pressed", String(!hidden.has(kind)));
      draw();
    });
  }
  addEventListener("resize", draw);
  whenThemeChanges(draw);
}

if (data.events.length) start();
