/* What pointer, keys and controls do to the map. */

const HELP = [...byId("chosen").childNodes];
const MOST_LISTED = 40;
const pointers = new Map();
let moved = 0;

function zoom(by, x = wide() / 2, y = tall() / 2) {
  const scale = Math.min(Math.max(view.scale * by, view.whole * 0.5), view.whole * 60);
  view.x += (x - wide() / 2) * (1 / view.scale - 1 / scale);
  view.y += (y - tall() / 2) * (1 / view.scale - 1 / scale);
  view.scale = scale;
  drawSoon();
}

function pan(dx, dy) {
  view.x -= dx / view.scale;
  view.y -= dy / view.scale;
  drawSoon();
}

/* The note at a place of the picture, or the nearest within a few pixels. */
function noteAt(x, y) {
  let best = null, least = Infinity;
  for (const node of nodes) {
    const at = place(node), away = Math.hypot(at.x - x, at.y - y) - radius(node);
    if (away < 5 && away < least) { best = node.number; least = away; }
  }
  return best;
}

function counts(node) {
  const to = node.out === 1 ? "1 note" : `${node.out} notes`, from = node.in === 1 ? "1 links" : `${node.in} link`;
  return node.neighbours ? `links to ${to}, ${from} to it` : "no link";
}

function heading(node) {
  const title = element("p");
  title.append(element("strong", node.title), ` ${counts(node)}`);
  return title;
}

function listed(name, numbers) {
  const line = element("p", `${name} `, "legend");
  for (const number of numbers.slice(0, MOST_LISTED)) {
    const button = element("button", shortened(nodes[number].title, 40));
    button.type = "button";
    button.addEventListener("click", () => choose(number, true));
    line.append(button);
  }
  if (numbers.length > MOST_LISTED) line.append(`and ${numbers.length - MOST_LISTED} more`);
  return numbers.length ? [line] : [];
}

function noteCard(node) {
  const where = element("p", "", "quiet"), link = element("a", node.path);
  link.href = node.url;
  where.append(link);
  const byTitle = (numbers) => [...numbers].sort((a, b) => nodes[b].neighbours - nodes[a].neighbours);
  return [heading(node), where, ...listed("Links to", byTitle(near[node.number].out)), ...listed("Linked from", byTitle(near[node.number].in))];
}

function light(numbers) {
  state.focus = null;
  state.lit = numbers;
  byId("chosen").replaceChildren(...HELP);
  drawSoon();
}

function choose(number, moveThere) {
  if (number === null) { light(null); return; }
  const node = nodes[number], at = place(node);
  state.focus = number;
  state.lit = around(number);
  byId("chosen").replaceChildren(...noteCard(node));
  if (moveThere && (at.x < 0 || at.y < 0 || at.x > wide() || at.y > tall())) pan(wide() / 2 - at.x, tall() / 2 - at.y);
  drawSoon();
}

function find(words) {
  const wanted = folded(words.trim());
  const found = nodes.filter(({ title }) => folded(title).includes(wanted));
  const exact = found.filter(({ title }) => folded(title) === wanted);
  const only = exact.length === 1 ? exact[0] : found.length === 1 ? found[0] : null;
  if (only) choose(only.number, true);
  else light(wanted ? new Set(found.map(({ number }) => number)) : null);
}

function clear() {
  byId("find").value = "";
  light(null);
}

function colourBy(name) {
  state.colouring = name;
  byId("colouring").value = name;
  for (const legend of document.querySelectorAll(".legend[data-colouring]")) legend.hidden = legend.dataset.colouring !== name;
  light(null);
}

function point(event) {
  const over = event.pointerType === "touch" ? null : noteAt(event.offsetX, event.offsetY);
  canvas.style.cursor = over === null ? "grab" : "pointer";
  if (over === null) hideCard();
  else showBeside(event, [heading(nodes[over]), element("p", nodes[over].path, "quiet")]);
  if (over !== state.over) { state.over = over; drawSoon(); }
}

function drag(event) {
  const last = pointers.get(event.pointerId);
  const [dx, dy] = [event.offsetX - last.x, event.offsetY - last.y];
  moved += Math.hypot(dx, dy);
  const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)?.[1];
  if (other) {
    const apart = (at) => Math.hypot(at.x - other.x, at.y - other.y);
    zoom(apart({ x: event.offsetX, y: event.offsetY }) / Math.max(apart(last), 1), other.x, other.y);
  } else pan(dx, dy);
  pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
}

function release(event) {
  if (pointers.delete(event.pointerId) && pointers.size === 0 && moved < 5 && event.type === "pointerup") {
    const number = noteAt(event.offsetX, event.offsetY);
    if (number === null) clear();
    else choose(number, false);
  }
}

const KEYS = {
  ArrowLeft: () => pan(60, 0), ArrowRight: () => pan(-60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
  "+": () => zoom(1.5), "-": () => zoom(0.67), 0: () => { fit(); drawSoon(); }, Escape: clear,
};

function listen() {
  canvas.addEventListener("pointerdown", (event) => {
    if (pointers.size === 0) moved = 0;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  });
  canvas.addEventListener("pointermove", (event) => (pointers.has(event.pointerId) ? drag(event) : point(event)));
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, release);
  canvas.addEventListener("pointerleave", () => { hideCard(); state.over = null; drawSoon(); });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-Math.min(Math.max(event.deltaY, -120), 120) / 300), event.offsetX, event.offsetY);
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  for (const button of document.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => (Number(button.dataset.zoom) ? zoom(Number(button.dataset.zoom)) : KEYS[0]()));
  }
  for (const button of document.querySelectorAll("[data-colour]")) {
    const number = Number(button.dataset.colour);
    button.addEventListener("click", () => light(new Set(nodes.filter((node) => node[state.colouring] === number).map((node) => node.number))));
  }
  byId("find").addEventListener("input", (event) => find(event.target.value));
  byId("colouring").addEventListener("change", (event) => colourBy(event.target.value));
}

if (nodes.length) {
  byId("picture").hidden = false;
  listen();
  colourBy(state.colouring);
  resize();
  addEventListener("resize", resize);
  whenThemeChanges(drawSoon);
}
