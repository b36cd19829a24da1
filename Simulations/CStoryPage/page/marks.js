/* The marks of the picture: each has a shape of its own, so that colour is never all there is. */

const colourOf = number => "device" + (number < 0 ? "Outside" : number % 8);

const shapes = {
  write: (x, y, item) => [
    draw("circle", { cx: x, cy: y, r: 7.5, class: "mark fill "
      + (item.idle ? "idle " : "") + colourOf(item.device ?? -1) }),
    draw("path", { d: `M${x - 3} ${y + 3}L${x + 3} ${y - 3}`, class: item.idle ? "hands" : "pen" }),
  ],
  visible: (x, y) => [draw("path", {
    d: `M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z`, class: "mark visible" })],
  stored: (x, y) => [draw("rect", { x: x - 5, y: y - 5, width: 10, height: 10, rx: 1.5,
                                    class: "mark stored" })],
  fault: (x, y) => [draw("path", {
    d: `M${x + 2} ${y - 10}L${x - 6} ${y + 2}H${x - 0.5}L${x - 2} ${y + 10}L${x + 6} ${y - 3}`
      + `H${x + 0.5}Z`, class: "mark fault" })],
  warning: (x, y) => [
    draw("path", { d: `M${x} ${y - 9}L${x + 9} ${y + 7}H${x - 9}Z`, class: "mark warning" }),
    draw("path", { d: `M${x} ${y - 4}V${y + 1.5}M${x} ${y + 4}v.5`, class: "sign" }),
  ],
  clock: (x, y) => [
    draw("circle", { cx: x, cy: y, r: 8, class: "mark plain" }),
    draw("path", { d: `M${x} ${y - 5}V${y}L${x + 4} ${y + 2}`, class: "hands" }),
  ],
  person: (x, y) => [
    draw("circle", { cx: x, cy: y - 4, r: 3.5, class: "mark person" }),
    draw("path", { d: `M${x - 6} ${y + 7}a6 6 0 0 1 12 0Z`, class: "mark person" }),
  ],
  membership: (x, y) => [
    draw("circle", { cx: x, cy: y, r: 8, class: "mark plain" }),
    draw("path", { d: `M${x - 4} ${y}H${x + 4}M${x} ${y - 4}V${y + 4}`, class: "hands" }),
  ],
  meet: (x, y, item) => [draw("circle", { cx: x, cy: y, r: 3.5,
                                           class: "mark meeting" + (item.idle ? " idle" : "") })],
  session: (x, y) => [draw("circle", { cx: x, cy: y, r: 4.5, class: "mark plain" })],
  note: (x, y) => [draw("rect", { x: x - 3.5, y: y - 3.5, width: 7, height: 7, class: "mark plain" })],
  broken: (x, y) => [
    draw("circle", { cx: x, cy: y, r: 11, class: "mark broken" }),
    draw("path", { d: `M${x - 5} ${y - 5}L${x + 5} ${y + 5}M${x + 5} ${y - 5}L${x - 5} ${y + 5}`,
                   class: "cross" }),
  ],
  state: (x, y, item) => {
    const process = item.changes?.find(
      change => change[0] === "process" && change[1] === item.device)?.[2];
    switch (process) {
    case "running": return [draw("path", {
      d: `M${x - 5} ${y - 7}L${x + 7} ${y}L${x - 5} ${y + 7}Z`, class: "mark start" })];
    case "asleep": case "locked": return [
      draw("circle", { cx: x, cy: y, r: 8, class: "mark plain" }),
      draw("path", { d: `M${x - 2.5} ${y - 4}V${y + 4}M${x + 2.5} ${y - 4}V${y + 4}`, class: "hands" })];
    case "off": return [
      draw("circle", { cx: x, cy: y, r: 8, class: "mark end" }),
      draw("path", { d: `M${x - 4} ${y - 4}L${x + 4} ${y + 4}M${x + 4} ${y - 4}L${x - 4} ${y + 4}`,
                     class: "hands" })];
    default: return [draw("rect", { x: x - 6, y: y - 6, width: 12, height: 12, rx: 3,
                                    class: "mark plain" })];
    }
  },
};

/* A mark by itself, for legends and cards. */
function icon(kind, item = { device: 0, changes: [["process", 0, "running"]] }) {
  const svg = draw("svg", { viewBox: "0 0 26 26", class: "icon", "aria-hidden": "true" });
  if (kind === "message") {
    svg.append(draw("path", { d: "M4 21L20 7", class: "arrow brings" }),
               draw("path", { d: "M22 5l-2.5 7.5L14 7Z", class: "head brings" }));
  } else if (kind === "phase") {
    svg.append(draw("path", { d: "M13 3V23", class: "phase" }));
  } else if (kind === "gap") {
    svg.append(draw("path", { d: "M9 2l4 4-4 4 4 4-4 4 4 4M14 2l4 4-4 4 4 4-4 4 4 4", class: "tear" }));
  } else {
    svg.append(...(shapes[kind] ?? shapes.note)(13, 13, item));
  }
  return svg;
}
