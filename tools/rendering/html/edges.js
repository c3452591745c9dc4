/* Which edges there are at a moment, and the lines that stand for them. Pure. */

/* An edge is known from createdAt until retractedAt; from expiredAt on it is known to have ended at invalidAt. */
function holds(edge, asOf, knownAt) {
  const began = (edge.validAt ?? -Infinity) <= asOf;
  const believed = edge.retractedAt === null || edge.retractedAt > knownAt;
  const known = believed && (edge.createdAt ?? -Infinity) <= knownAt;
  const open = edge.expiredAt === null || edge.expiredAt > knownAt;
  return began && known && (open || (edge.invalidAt !== null && edge.invalidAt > asOf));
}

/* The end of each day, by the clock of this machine, on which the first to the last moment lie. */
function dayEnds(first, last) {
  const start = new Date(first), ends = [];
  for (let number = 1; ends.length === 0 || ends.at(-1) < last; number += 1) {
    ends.push(new Date(start.getFullYear(), start.getMonth(), start.getDate() + number).getTime() - 1);
  }
  return ends;
}

function isoDay(moment) {
  const day = new Date(moment);
  const two = (number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/* Points from one node to another; edges of one pair lie beside each other, in order of `nth`. */
function curve(from, to, nth, of) {
  const dx = to.x - from.x, dy = to.y - from.y;
  if (dx === 0 && dy === 0) return loop(from, nth);
  if (of === 1) return [from, { x: from.x + dx / 2, y: from.y + dy / 2 }, to];
  const bend = 0.22 * (nth - (of - 1) / 2);
  const side = from.number < to.number ? 1 : -1;
  const control = { x: from.x + dx / 2 - dy * bend * side * 2, y: from.y + dy / 2 + dx * bend * side * 2 };
  return Array.from({ length: 13 }, (_, step) => {
    const t = step / 12, s = 1 - t;
    return {
      x: s * s * from.x + 2 * s * t * control.x + t * t * to.x,
      y: s * s * from.y + 2 * s * t * control.y + t * t * to.y,
    };
  });
}

function loop(at, nth) {
  const radius = 0.1 * (1 + nth * 0.6);
  return Array.from({ length: 13 }, (_, step) => {
    const angle = (step / 12) * 2 * Math.PI - Math.PI / 2;
    return { x: at.x + radius * Math.cos(angle), y: at.y + radius * (1 + Math.sin(angle)) };
  });
}
