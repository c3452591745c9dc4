/* Names where there is room, what matters most first; a name never hides another. */

const measure = document.createElement("canvas").getContext("2d");

function names({ drawn, at, light, degree }) {
  const { xaxis, yaxis } = chart._fullLayout;
  const wide = chart.clientWidth, tall = chart.clientHeight;
  const px = (x) => xaxis._offset + xaxis.l2p(x), py = (y) => yaxis._offset + yaxis.l2p(y);
  const bright = (node) => light.nodes === null || light.nodes.has(node.number);
  const taken = at.filter(bright).map((node) => {
    const r = radius(node, degree) * 0.8, x = px(node.x), y = py(node.y);
    return { left: x - r, right: x + r, top: y - r, bottom: y + r };
  });
  const free = (box) => box.left > 0 && box.right < wide && box.top > 0 && box.bottom < tall
    && taken.every((one) => box.right < one.left || box.left > one.right || box.bottom < one.top || box.top > one.bottom);
  const put = (text, { x, y }, { size, style = "", always = false, shifts }) => {
    measure.font = `${style.includes("main") ? "600 " : ""}${size}px ${FONT}`;
    const half = measure.measureText(text).width / 2 + 3, high = size * 0.66 + 1;
    for (const [sx, sy] of shifts(half, high)) {
      const left = px(x) + sx - half, top = py(y) + sy - high;
      const box = { left, right: left + 2 * half, top, bottom: top + 2 * high };
      if (!always && !free(box)) continue;
      taken.push(box);
      const name = element("span", text, style);
      name.style.cssText = `left:${left}px;top:${top}px;width:${2 * half}px;font-size:${size}px;line-height:${2 * high}px`;
      return [name];
    }
    return [];
  };
  const main = (node) => node.hops === 0 || node.number === state.focus;
  const weight = (node) => (node.number === state.focus ? 1e6 : 0) + (node.hops === 0 ? 1e5 : 0) + degree[node.number];
  const most = Math.max(Math.min(Math.floor(wide / 26), 38), 16);
  const named = at.filter(bright).sort((a, b) => weight(b) - weight(a)).slice(0, 150).flatMap((node) => {
    const r = radius(node, degree) + 2;
    return put(shortened(node.title, most), node, {
      size: node.hops === 0 ? 14 : 12, style: main(node) ? "main" : "", always: main(node) && bright(node),
      shifts: (half, high) => [[0, r + high], [0, -r - high], [r + half, 0], [-r - half, 0]],
    });
  });
  const told = drawn.filter(({ edge }) => light.edge(edge)).sort((a, b) => b.edge.causal - a.edge.causal).slice(0, 200)
    .flatMap(({ edge, points }) => put(shortened(edge.name, 24), points[Math.floor(points.length / 2)], {
      size: 11, style: edge.causal ? "told causal" : "told", shifts: () => [[0, 0]],
    }));
  byId("names").replaceChildren(...told, ...named);
}
