/* Names where there is room, what matters most first; a name never hides another. */

const measure = document.createElement("canvas").getContext("2d");

/* Gives a text's element if there is room near (x, y), in pixels; `taken` are boxes to keep clear. */
function nameRoom(wide, tall, taken) {
  const free = (box) => box.left > 0 && box.right < wide && box.top > 0 && box.bottom < tall
    && taken.every((one) => box.right < one.left || box.left > one.right || box.bottom < one.top || box.top > one.bottom);
  return (text, x, y, { size, style = "", always = false, shifts }) => {
    measure.font = `${style.includes("main") ? "600 " : ""}${size}px ${FONT}`;
    const half = measure.measureText(text).width / 2 + 3, high = size * 0.66 + 1;
    for (const [sx, sy] of shifts(half, high)) {
      const left = x + sx - half, top = y + sy - high;
      const box = { left, right: left + 2 * half, top, bottom: top + 2 * high };
      if (!always && !free(box)) continue;
      taken.push(box);
      const name = element("span", text, style);
      name.style.cssText = `left:${left}px;top:${top}px;width:${2 * half}px;font-size:${size}px;line-height:${2 * high}px`;
      return [name];
    }
    return [];
  };
}

const discBox = (x, y, r) => ({ left: x - r, right: x + r, top: y - r, bottom: y + r });
const besideDisc = (r) => (half, high) => [[0, r + high], [0, -r - high], [r + half, 0], [-r - half, 0]];
const mostLetters = (wide) => Math.max(Math.min(Math.floor(wide / 26), 38), 16);
