import { StopMatcher } from './stop-matcher.ts';

/**
 * Cuts a text that comes in pieces before the first stop in it: the one that is complete first, and of several that
 * are complete at once the longest. In what pieces the text comes makes no difference.
 */
export class TextCutter {
  readonly #matchers: readonly StopMatcher[];
  /** The end of the text so far, which may be the beginning of a stop. */
  #held = '';
  #stop: string | null = null;

  constructor(stops: readonly string[]) {
    this.#matchers = stops.map((stop) => new StopMatcher(stop));
  }

  /** A stop has come: nothing after it belongs to the text. */
  get isCut(): boolean {
    return this.#stop !== null;
  }

  /** The stop that has come; null when none has. */
  get stop(): string | null {
    return this.#stop;
  }

  /** Takes more of the text and returns what of it is certain: not the possible beginning of a stop. */
  take(text: string): string {
    if (this.isCut) return '';
    const known = this.#held + text;
    for (let at = this.#held.length; at < known.length; at += 1) {
      const stopLength = this.#follow(known.charCodeAt(at));
      if (stopLength === 0) continue;
      this.#stop = known.slice(at + 1 - stopLength, at + 1);
      this.#held = '';
      return known.slice(0, at + 1 - stopLength);
    }
    const certain = known.length - Math.max(0, ...this.#matchers.map((matcher) => matcher.matched));
    this.#held = known.slice(certain);
    return known.slice(0, certain);
  }

  /** What was held back, when nothing follows: it was no stop. */
  release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Length of the longest stop that is complete with this unit; 0 when none is. */
  #follow(unit: number): number {
    let length = 0;
    for (const matcher of this.#matchers) {
      matcher.take(unit);
      if (matcher.isComplete) length = Math.max(length, matcher.matched);
    }
    return length;
  }
}
