/* The picture: a lane for each device, a column for each item around the slider's place. */

const pictureBox = document.getElementById("picture");
const overviewBox = document.getElementById("overview");

/* Sizes for the room that there is. */
function measures() {
  const width = Math.floor(pictureBox.clientWidth);
  const isNarrow = width < 600;
  const laneHeight = isNarrow ? 54 : lanes.length > 9 ? 46 : lanes.length > 5 ? 58 : 74;
  const labelWidth = isNarrow ? 40 : 96;
  const columnWidth = isNarrow ? 28 : 36;
  const top = 52;
  return {
    width, isNarrow, laneHeight, labelWidth, columnWidth, top,
    height: top + lanes.length * laneHeight + 22,
    columns: Math.max(3, Math.floor((width - labelWidth - 10) / columnWidth)),
  };
}

/* The places that the picture shows. */
function windowAround(place, columns) {
  const first = Math.max(0, Math.min(place - Math.floor(columns * 0.6), items.length - columns));
  return [first, Math.min(lastPlace, first + columns - 1)];
}

class Picture {
  constructor(place) {
    Object.assign(this, measures());
    this.place = place;
    [this.first, this.final] = windowAround(place, this.columns);
    this.svg = draw("svg", { viewBox: `0 0 ${this.width} ${this.height}`, width: this.width,
                             height: this.height, class: "lanes" });
  }

  x(place) { return this.labelWidth + (place - this.first + 0.5) * this.columnWidth; }

  y(device) {
    const lane = lanes.indexOf(device);
    return lane < 0 ? this.height - 8 : this.top + (lane + 0.5) * this.laneHeight;
  }

  render() {
    this.columnBackground();
    this.axis();
    this.laneLines();
    for (let place = this.first; place <= this.final; place++) this.item(place);
    this.labels();
    this.hits();
    pictureBox.replaceChildren(this.svg);
  }

  add(name, attributes, ...content) {
    const element = draw(name, attributes, ...content);
    this.svg.append(element);
    return element;
  }

  columnBackground() {
    this.add("rect", { x: this.x(this.place) - this.columnWidth / 2, y: 0, rx: 6,
                       width: this.columnWidth, height: this.height, class: "here" });
  }

  /* Times, and where time jumps. */
  axis() {
    let freeFrom = this.labelWidth;
    let freeSpanFrom = 0;
    const isShort = items[this.final].time - items[this.first].time < 120000;
    for (let place = this.first; place <= this.final; place++) {
      const [x, time] = [this.x(place), items[place].time];
      const left = x - this.columnWidth / 2;
      const pause = place > 0 ? (items[place].since ?? time) - items[place - 1].time : 0;
      if (pause >= 60000 && place > this.first) {
        this.add("path", { d: `M${left} 30V${this.height - 16}`, class: "pause" });
        if (left >= freeSpanFrom) {
          this.add("text", { x: left, y: 42, class: "pauseText" }, "+" + shortSpan(pause));
          freeSpanFrom = left + 52;
        }
      }
      const text = this.isNarrow ? (isShort ? clockText(time).slice(3) : clockText(time).slice(0, 5))
        : isShort ? timeText(time) : dayText(time) + " " + clockText(time);
      const room = this.isNarrow ? 56 : isShort ? 150 : 128;
      if (x >= freeFrom && x + room / 2 < this.width) {
        this.add("path", { d: `M${x} 20v5`, class: "tick" });
        this.add("text", { x, y: 15, class: "time" }, text);
        freeFrom = x + room;
      }
    }
  }

  /* Lanes as their processes fare, and bands for links, both in runs of equal columns. */
  laneLines() {
    const fleet = fleetAt(Math.max(0, this.first - 1));
    const runs = new Map();
    const bands = new Map();
    const endBand = (name, end) => {
      const [left, right] = name.split("-").map(Number);
      const [x, y] = [this.x(bands.get(name)) - this.columnWidth / 2, this.y(left)];
      this.bandLayer.append(draw("rect", {
        x, y, width: this.x(end) + this.columnWidth / 2 - x, height: this.y(right) - y, rx: 5,
        class: "band" }));
      bands.delete(name);
    };
    const endRun = (device, end) => {
      const run = runs.get(device);
      const x = this.x(run.first) - this.columnWidth / 2;
      this.add("path", { d: `M${x} ${this.y(device)}H${this.x(end) + this.columnWidth / 2}`,
                         class: "lane " + run.look });
    };
    // Bands that lie over each other are as light as one.
    this.bandLayer = this.add("g", { class: "bands" });
    for (let place = this.first; place <= this.final; place++) {
      if (place > 0) fleet.apply(items[place]);
      for (const name of [...bands.keys()]) if (!fleet.links.has(name)) endBand(name, place);
      for (const name of fleet.links) if (!bands.has(name)) bands.set(name, place);
      for (const number of lanes) {
        const device = fleet.devices.get(number);
        const look = !device || !device.process ? "absent" : [device.process || "absent",
          colourOf(number), device.standing === "in other hands" ? "harmful" : "",
          device.standing === "out" ? "outOfGroup" : ""].join(" ");
        const run = runs.get(number);
        if (run?.look === look) continue;
        if (run) endRun(number, place - 1);
        runs.set(number, { first: place, look });
      }
    }
    for (const name of [...bands.keys()]) endBand(name, this.final);
    for (const number of lanes) if (runs.has(number)) endRun(number, this.final);
  }

  item(place) {
    const item = items[place];
    const x = this.x(place);
    switch (item.kind) {
    case "message": this.message(item, x); return;
    case "phase":
      this.add("path", { d: `M${x} 28V${this.height - 14}`, class: "phase" });
      if (!this.isNarrow || place === this.place) {
        const isLeft = x > this.width / 3;
        this.add("text", { x: x + (isLeft ? -5 : 5), y: this.height - 4,
                           class: isLeft ? "phaseText" : "phaseText right" }, item.text);
      }
      return;
    case "gap": this.tear(x); return;
    case "broken": this.broken(x); return;
    }
    const devices = [item.device, item.other].filter(
      (device, index, all) => device !== undefined && device >= 0 && all.indexOf(device) === index);
    if (devices.length === 2) {
      const [top, bottom] = [this.y(devices[0]), this.y(devices[1])].sort((a, b) => a - b);
      this.add("path", { d: `M${x} ${top}V${bottom}`, class: "joint " + item.kind + (item.idle ? " idle" : "") });
    }
    if (devices.length === 0) {
      for (const number of lanes) this.stamp(item, x, this.y(number));
    }
    for (const device of devices) this.stamp(item, x, this.y(device));
    if (item.records && item.kind !== "visible") {
      const y = this.y(item.kind === "message" ? item.other : item.device);
      this.svg.append(...shapes.visible(x, y - 15, item));
    }
  }

  stamp(item, x, y) { this.svg.append(...(shapes[item.kind] ?? shapes.note)(x, y, item)); }

  message(item, x) {
    const [from, to] = [this.y(item.device), this.y(item.other)];
    const brings = item.batches > 0 || item.records;
    const start = x - this.columnWidth * 0.42;
    const length = Math.hypot(x - start, to - from) || 1;
    const [dx, dy] = [(x - start) / length, (to - from) / length];
    const [endX, endY] = [x - dx * 4, to - dy * 4];
    const look = brings ? "brings" : item.device < 0 ? "foreign" : "quiet";
    this.add("path", { d: `M${start} ${from}L${endX - dx * 6} ${endY - dy * 6}`,
                       class: "arrow " + look });
    this.add("path", {
      d: `M${endX} ${endY}L${endX - dx * 11 - dy * 5} ${endY - dy * 11 + dx * 5}`
        + `L${endX - dx * 11 + dy * 5} ${endY - dy * 11 - dx * 5}Z`, class: "head " + look });
    if (item.batches > 0) {
      const [bx, by] = [start + (x - start) * 0.5, from + (to - from) * 0.5];
      const text = String(item.batches);
      this.add("rect", { x: bx - 5 - text.length * 3.5, y: by - 9, rx: 8,
                         width: 10 + text.length * 7, height: 17, class: "pill" });
      this.add("text", { x: bx, y: by + 3.5, class: "pillText" }, text);
    }
    if (item.records) this.svg.append(...shapes.visible(x + 3, to + (to > from ? 15 : -15), item));
  }

  tear(x) {
    for (const shift of [-4, 4]) {
      let path = `M${x + shift} 26`;
      for (let y = 26; y < this.height - 20; y += 12) path += "l5 6l-5 6";
      this.add("path", { d: path, class: "tear" });
    }
  }

  broken(x) {
    this.add("path", { d: `M${x} 26V${this.height - 14}`, class: "brokenLine" });
    const named = story.verdict.devices ?? [];
    for (const device of named.length ? named : lanes) {
      this.svg.append(...shapes.broken(x, this.y(device)));
    }
    const text = story.verdict.code + " broken";
    this.add("text", { x: Math.min(x, this.width - 46), y: this.height - 3, class: "brokenText" }, text);
  }

  labels() {
    this.add("rect", { x: 0, y: 26, width: this.labelWidth - 4, height: this.height - 26,
                       class: "labelGround" });
    const fleet = fleetAt(this.place);
    for (const number of lanes) {
      const y = this.y(number);
      const device = fleet.devices.get(number);
      this.add("circle", { cx: 14, cy: y, r: 12, class: "badge " + colourOf(number) });
      this.add("text", { x: 14, y: y + 4.5, class: "badgeText" }, String(number));
      if (this.isNarrow) continue;
      const state = !device?.process ? "not there yet"
        : device.standing === "in other hands" ? "other hands"
        : device.process !== "running" ? device.process
        : device.standing === "out" ? "out" : device.standing || "runs";
      this.add("text", { x: 32, y: y - 2, class: "laneName" },
               (device?.name || "device " + number).slice(0, 10));
      this.add("text", { x: 32, y: y + 12, class: "laneState" }, state);
    }
  }

  /* A column is chosen by a click anywhere in it, and tells its sentence to a pointer. */
  hits() {
    for (let place = this.first; place <= this.final; place++) {
      const hit = this.add("rect", {
        x: this.x(place) - this.columnWidth / 2, y: 0, width: this.columnWidth,
        height: this.height, class: "hit" });
      hit.append(draw("title", {}, items[place].text));
      hit.addEventListener("click", () => go(place));
    }
  }
}

/* The whole story in one strip: what matters, where it is, and the part that the picture shows. */
class Overview {
  constructor() {
    this.width = Math.floor(overviewBox.clientWidth);
    this.height = 14 + lanes.length * 5 + 6;
    this.svg = draw("svg", { viewBox: `0 0 ${this.width} ${this.height}`, width: this.width,
                             height: this.height });
    this.draw();
    this.view = draw("rect", { y: 0, height: this.height, rx: 4, class: "view" });
    this.now = draw("path", { class: "now" });
    this.svg.append(this.view, this.now);
    this.svg.addEventListener("pointerdown", event => this.follow(event));
    this.svg.addEventListener("pointermove", event => { if (event.buttons) this.follow(event); });
    overviewBox.replaceChildren(this.svg);
  }

  x(place) { return 8 + (this.width - 16) * (lastPlace > 0 ? place / lastPlace : 0); }

  follow(event) {
    const share = (event.clientX - this.svg.getBoundingClientRect().left - 8) / (this.width - 16);
    go(Math.round(Math.min(1, Math.max(0, share)) * lastPlace));
  }

  draw() {
    const drawn = new Set();
    let day = -1;
    let freeFrom = 0;
    const marks = [];
    items.forEach((item, place) => {
      const x = this.x(place);
      const today = Math.floor(item.time / 86400000);
      if (today !== day) {
        day = today;
        if (x >= freeFrom && x < this.width - 40) {
          this.svg.append(draw("text", { x: x + 2, y: 10, class: "dayText" }, "day " + today));
          this.svg.append(draw("path", { d: `M${x} 2V${this.height}`, class: "dayLine" }));
          freeFrom = x + 48;
        }
      }
      if (item.kind === "broken" || item.kind === "phase" || item.kind === "gap") {
        marks.push(draw("path", { d: `M${x} 0V${this.height}`, class: item.kind + "Strip" }));
        return;
      }
      const look = isFault(item) ? "fault" : isBringing(item) || isVisible(item) ? "arrival"
        : isWrite(item) ? "write" : "";
      if (!look) return;
      for (const device of [item.device, item.other]) {
        const lane = lanes.indexOf(device);
        const name = Math.round(x) + look + lane;
        if (lane < 0 || drawn.has(name)) continue;
        drawn.add(name);
        marks.push(draw("rect", { x: x - 0.75, y: 15 + lane * 5, width: 1.8, height: 4,
                                  class: look + "Strip" }));
      }
    });
    this.svg.append(...marks);
  }

  show(place) {
    const [first, final] = windowAround(place, measures().columns);
    this.view.setAttribute("x", this.x(first));
    this.view.setAttribute("width", Math.max(4, this.x(final) - this.x(first)));
    this.now.setAttribute("d", `M${this.x(place)} 0V${this.height}`);
  }
}
