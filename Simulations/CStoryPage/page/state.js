"use strict";

/* The story as it was recorded, and how all devices are at any place of it. */

const story = JSON.parse(document.getElementById("story").textContent);
const items = story.items;
const lastPlace = items.length - 1;
const brokenPlace = items.findIndex(item => item.kind === "broken");

/* All that is known of the fleet at one place: the changes of all items up to it. */
class Fleet {
  constructor() {
    this.devices = new Map();
    this.links = new Set();
  }

  device(number) {
    let device = this.devices.get(number);
    if (!device) {
      device = { number, name: "", process: "", standing: "", clock: 0, version: 0,
                 holds: new Map() };
      this.devices.set(number, device);
    }
    return device;
  }

  apply(item) {
    for (const [what, number, ...rest] of item.changes ?? []) {
      switch (what) {
      case "holds": {
        const [chain, first, stored, shown] = rest;
        const holds = this.device(number).holds;
        if (stored < first) holds.delete(chain); else holds.set(chain, { first, stored, shown });
        break;
      }
      case "link": {
        const [other, isUp] = rest;
        const name = Math.min(number, other) + "-" + Math.max(number, other);
        if (isUp) this.links.add(name); else this.links.delete(name);
        break;
      }
      default: this.device(number)[what] = rest[0];
      }
    }
  }

  copy() {
    const fleet = new Fleet();
    for (const [number, device] of this.devices) {
      fleet.devices.set(number, { ...device, holds: new Map(device.holds) });
    }
    fleet.links = new Set(this.links);
    return fleet;
  }
}

/* The fleet at every 200th place, so that any other one is near. */
const keyframeStep = 200;
const keyframes = [];
{
  const fleet = new Fleet();
  items.forEach((item, place) => {
    fleet.apply(item);
    if (place % keyframeStep === 0) keyframes.push(fleet.copy());
  });
}

function fleetAt(place) {
  const frame = Math.floor(place / keyframeStep);
  const fleet = keyframes[frame].copy();
  for (let next = frame * keyframeStep + 1; next <= place; next++) fleet.apply(items[next]);
  return fleet;
}

/* Every device of the story gets a lane, in the order of its number. */
const lanes = [...new Set(items.flatMap(item => (item.changes ?? [])
  .filter(change => change[0] !== "link").map(change => change[1])))].sort((a, b) => a - b);

/* The items of some sort, by place. */
const isFault = item => ["fault", "warning", "clock"].includes(item.kind)
  || item.kind === "state" && item.changes?.some(change => change[2] === "off");
const isBringing = item => item.kind === "message" && (item.batches > 0 || item.records);
/* Where no message brings batches, as between a phone and its watch, each one counts. */
const isArrival = items.some(isBringing) ? isBringing : item => item.kind === "message";
const isVisible = item => Boolean(item.records) || item.kind === "visible";
const isWrite = item => item.kind === "write";

/* The nearest place before or after another one whose item is of a sort; -1 when there is none. */
function seek(place, isWanted, direction) {
  for (let next = place + direction; next >= 0 && next <= lastPlace; next += direction) {
    if (isWanted(items[next])) return next;
  }
  return -1;
}
