/** Wishes under intents: one that is said again after a silence is carried out once. */

import { call, intent } from './api.js';

export class Wishes {
  #text = null;
  #intent = null;
  #ask;

  /** @param {typeof call} [ask] what carries a verb out */
  constructor(ask = call) {
    this.#ask = ask;
  }

  /**
   * Carries out a verb under an intent. The intent is the one of the last try when nobody answered
   * that and nothing in the wish changed; else it is a new one.
   */
  async call(verb, members) {
    const text = JSON.stringify([verb, members]);
    if (text !== this.#text) {
      this.#text = text;
      this.#intent = intent();
    }
    try {
      const answer = await this.#ask(verb, { ...members, intent: this.#intent });
      this.#text = null;
      return answer;
    } catch (error) {
      if (error.code !== 'silent') this.#text = null;
      throw error;
    }
  }
}
