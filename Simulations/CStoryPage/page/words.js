/* Words for people: times, amounts, and a sentence for each sort of mark. */

function clockText(milliseconds) {
  const two = number => String(number).padStart(2, "0");
  const seconds = Math.floor(milliseconds / 1000);
  return two(Math.floor(seconds / 3600) % 24) + ":" + two(Math.floor(seconds / 60) % 60) + ":"
    + two(seconds % 60);
}

const dayText = milliseconds => "day " + Math.floor(milliseconds / 86400000);

const timeText = milliseconds => dayText(milliseconds) + " " + clockText(milliseconds) + "."
  + String(milliseconds % 1000).padStart(3, "0");

const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

const counted = (number, one, several = one + "s") =>
  number === 1 ? "1 " + one : grouped(number) + " " + several;

function spanText(milliseconds) {
  const size = Math.abs(milliseconds);
  const units = [[31536000000, "year"], [86400000, "day"], [3600000, "hour"], [60000, "minute"],
                 [1000, "second"]];
  const unit = units.find(([length]) => size >= 2 * length) ?? units.findLast(
    ([length]) => size >= length);
  return unit ? counted(Math.floor(size / unit[0]), unit[1]) : size + " ms";
}

function shortSpan(milliseconds) {
  const units = [[31536000000, "y"], [86400000, "d"], [3600000, "h"], [60000, "min"], [1000, "s"]];
  const unit = units.find(([length]) => milliseconds >= length) ?? [1, "ms"];
  return Math.floor(milliseconds / unit[0]) + " " + unit[1];
}

/* A sort of thing: its name, and the sentence by which its mark explains itself. */
const sorts = {
  write: ["Write", "A person or an application writes on a device: a commit of one or several batches. A hollow mark: nothing was seen to come of it."],
  person: ["Deed", "A person does something else with a device."],
  meet: ["Meeting", "Two devices come near each other or part; the band between their lanes is the link. A pale line: no link came of it."],
  message: ["Message", "Bytes of one device reach another. A thick arrow brought batches, and says how many."],
  fault: ["Fault", "Something goes wrong here on purpose."],
  state: ["Process", "The process of a device starts, ends, sleeps or wakes."],
  clock: ["Clock", "The clock of a device goes wrong, or right again."],
  visible: ["Visible", "Something became visible on a device: merged into its records, handed to its app, or shown by a widget."],
  stored: ["Stored", "A device stored batches, or lost some."],
  warning: ["Warning", "A replica says that something deserves attention."],
  session: ["Session", "A word about a session between two devices."],
  membership: ["Group", "Somebody is admitted or removed, or learns of it."],
  note: ["Note", "Something that the simulator noted."],
  phase: ["Phase", "From here on the run is about something else."],
  broken: ["Broken", "The invariant broke here."],
  gap: ["Left out", "A long story leaves out what matters less; how devices stand is right after it, too."],
};

const processWords = {
  running: "runs", off: "is off", asleep: "sleeps", locked: "is locked until somebody unlocks it",
};

function clockWords(offset) {
  if (Math.abs(offset) < 1000) return "clock right";
  return "clock " + spanText(offset) + (offset < 0 ? " behind" : " ahead");
}

/* Long names of keys by their beginnings. */
const shortened = text => text.replace(/([0-9a-f]{8})[0-9a-f]{40,}/g, "$1…");

const deviceName = number => number < 0 ? "outside" : "Device " + number;

/* A chain in words. */
function writerWords(chain) {
  return (chain.writer === null ? "somebody" : "device " + chain.writer)
    + (chain.life > 1 ? ", life " + chain.life : "");
}

function chainWords(chain) {
  return writerWords(chain) + ", scope " + chain.scope + (chain.branch ? ", a branch" : "");
}

/* Text or elements in an element. Nothing of the story is ever read as markup. */
function make(name, className, ...content) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...content.filter(part => part !== null && part !== undefined && part !== ""));
  return element;
}

function draw(name, attributes, ...content) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}
