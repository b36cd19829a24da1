/* Steps through the story: the slider, buttons and keys all end in `go`. */

let currentPlace = -1;
let overview = null;
let playing = 0;

/* Shows a place, and tells that it is painted. */
function go(wantedPlace) {
  const place = Math.max(0, Math.min(lastPlace, wantedPlace));
  currentPlace = place;
  const slider = document.getElementById("place");
  slider.value = place;
  slider.setAttribute("aria-valuetext", timeText(items[place].time) + ": " + items[place].text);
  document.getElementById("clock").textContent = timeText(items[place].time);
  new Picture(place).render();
  overview.show(place);
  fillHere(place);
  fillDevices(place);
  fillList(place);
  document.documentElement.dataset.place = place;
}

function play(isOn) {
  clearInterval(playing);
  playing = isOn ? setInterval(() => {
    if (currentPlace >= lastPlace) play(false); else go(currentPlace + 1);
  }, 700) : 0;
  const button = document.getElementById("play");
  button.textContent = isOn ? "Stop" : "Play";
  button.setAttribute("aria-pressed", String(isOn));
}

const jumps = [
  ["f", "fault", isFault], ["m", "message", isArrival], ["w", "write", isWrite],
  ["v", "visible", isVisible], ["b", "broken", item => item.kind === "broken"],
];

/* To the next item of a sort, or the one before; stays where there is none. */
function jump(isWanted, direction) {
  const place = seek(currentPlace, isWanted, direction);
  if (place >= 0) go(place);
  else if (isWanted(items[currentPlace])) return;
  else {
    const other = seek(currentPlace, isWanted, -direction);
    if (other >= 0 && items[other].kind === "broken") go(other);
  }
}

function fillJumps() {
  const box = document.getElementById("jumps");
  for (const [key, name, isWanted] of jumps) {
    if (!items.some(isWanted)) continue;
    const pair = make("span", "jump");
    for (const [sign, direction, words] of [["‹", -1, "Previous"], ["›", 1, "Next"]]) {
      const label = words + " " + name + " (" + (direction < 0 ? "Shift " : "") + key + ")";
      const button = make("button", "", sign);
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => jump(isWanted, direction));
      pair.append(button);
    }
    pair.insertBefore(make("span", "", name), pair.lastChild);
    box.append(pair);
  }
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isTyping = ["words", "sort"].includes(event.target.id);
  if (isTyping) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const isPressed = event.key === " " && ["BUTTON", "SUMMARY"].includes(event.target.tagName);
  if (isPressed) return;
  const deeds = {
    ArrowLeft: () => go(currentPlace - 1), ArrowRight: () => go(currentPlace + 1),
    Home: () => go(0), End: () => go(lastPlace), " ": () => play(!playing),
    "/": () => document.getElementById("words").focus(),
  };
  for (const [key, , isWanted] of jumps) {
    deeds[key] = () => jump(isWanted, 1);
    deeds[key.toUpperCase()] = () => jump(isWanted, -1);
  }
  const deed = deeds[event.key];
  if (!deed) return;
  event.preventDefault();
  if (event.key !== " ") play(false);
  deed();
}

function begin() {
  fillHead();
  fillAbout();
  fillSorts();
  fillJumps();
  const on = (id, name, deed) => document.getElementById(id).addEventListener(name, deed);
  const slider = document.getElementById("place");
  slider.max = lastPlace;
  on("place", "input", () => go(Number(slider.value)));
  on("first", "click", () => go(0));
  on("back", "click", () => go(currentPlace - 1));
  on("forth", "click", () => go(currentPlace + 1));
  on("last", "click", () => go(lastPlace));
  on("play", "click", () => play(!playing));
  on("words", "input", () => fillList(currentPlace));
  on("sort", "change", () => fillList(currentPlace));
  document.addEventListener("keydown", onKey);
  let width = 0;
  new ResizeObserver(() => {
    if (width === pictureBox.clientWidth) return;
    width = pictureBox.clientWidth;
    overview = new Overview();
    go(currentPlace < 0 ? Math.max(0, brokenPlace) : currentPlace);
  }).observe(pictureBox);
}

begin();
