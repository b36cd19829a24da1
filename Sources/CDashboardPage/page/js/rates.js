/** Bytes a second of each device, from what two readings of the status say. */

/** Milliseconds between two readings that make a rate. */
const shortest = 2000;

export class Rates {
  #last = null;
  #rates = new Map();

  /** @param {object} status the answer of the verb `status` */
  take(status) {
    const held = new Map(status.devices.map((one) => [one.device, one.bytesHeld]));
    const now = status.nowMilliseconds;
    if (this.#last && now >= this.#last.now + shortest) {
      const seconds = (now - this.#last.now) / 1000;
      for (const [device, bytes] of held) {
        const before = this.#last.held.get(device);
        if (before === undefined) continue;
        this.#rates.set(device, {
          bytesPerSecond: Math.max(0, bytes - before) / seconds, from: this.#last.now, to: now });
      }
    }
    if (!this.#last || now >= this.#last.now + shortest) this.#last = { now, held };
  }

  /** `{bytesPerSecond, from, to}` of what a device wrote that came here; null when not known. */
  of(device) {
    return this.#rates.get(device) ?? null;
  }
}
