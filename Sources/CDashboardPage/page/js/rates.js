/** Bytes a second of each connection, from what two readings of the status say. */

/** Milliseconds between two readings that make a rate. */
const shortest = 2000;

export class Rates {
  #last = null;
  #rates = new Map();

  /** @param {object} status the answer of the verb `status` */
  take(status) {
    const now = status.nowMilliseconds;
    if (this.#last && now < this.#last.now + shortest) return;
    const open = new Map(status.devices
      .filter((one) => one.connected && typeof one.bytesIn === 'number')
      .map((one) => [one.device, one]));
    this.#rates = new Map();
    for (const [device, { bytesIn, bytesOut, connectedSinceMilliseconds: since }] of open) {
      const before = this.#last?.open.get(device);
      if (!before || before.connectedSinceMilliseconds !== since) continue;
      const seconds = (now - this.#last.now) / 1000;
      this.#rates.set(device, {
        in: (bytesIn - before.bytesIn) / seconds, out: (bytesOut - before.bytesOut) / seconds,
        milliseconds: now - this.#last.now });
    }
    this.#last = { now, open };
  }

  /** `{in, out, milliseconds}` of a device's connection; null when not measured. */
  of(device) {
    return this.#rates.get(device) ?? null;
  }
}
