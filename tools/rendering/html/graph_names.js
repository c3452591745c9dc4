/* The names of a graph's nodes, then those of its edges. */

function names({ drawn, at, light, degree }) {
  const { xaxis, yaxis } = chart._fullLayout;
  const wide = chart.clientWidth, most = mostLetters(wide);
  const px = (x) => xaxis._offset + xaxis.l2p(x), py = (y) => yaxis._offset + yaxis.l2p(y);
  const bright = (node) => light.nodes === null || light.nodes.has(node.number);
  const taken = at.filter(bright).map((node) => discBox(px(node.x), py(node.y), radius(node, degree) * 0.8));
  const put = nameRoom(wide, chart.clientHeight, taken);
  const main = (node) => node.hops === 0 || node.number === state.focus;
  const weight = (node) => (node.number === state.focus ? 1e6 : 0) + (node.hops === 0 ? 1e5 : 0) + degree[node.number];
  const named = at.filter(bright).sort((a, b) => weight(b) - weight(a)).slice(0, 150).flatMap((node) =>
    put(shortened(node.title, most), px(node.x), py(node.y), {
      size: node.hops === 0 ? 14 : 12, style: main(node) ? "main" : "", always: main(node) && bright(node),
      shifts: besideDisc(radius(node, degree) + 2),
    }));
  const told = drawn.filter(({ edge }) => light.edge(edge)).sort((a, b) => b.edge.causal - a.edge.causal).slice(0, 200)
    .flatMap(({ edge, points }) => {
      const { x, y } = points[Math.floor(points.length / 2)];
      return put(shortened(edge.name, 24), px(x), py(y), {
        size: 11, style: edge.causal ? "told causal" : "told", shifts: () => [[0, 0]],
      });
    });
  byId("names").replaceChildren(...told, ...named);
}
