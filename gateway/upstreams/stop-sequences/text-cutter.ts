import { StopMatcher } from './stop-matcher.ts';

/**
 * Cuts a streamed text before its first stop sequence: the one that is complete first, or the longest of several.
 * How the text is split into pieces makes no difference.
 */
export class TextCutter {
  readonly #matchers: readonly StopMatcher[];
  /** The end of the text so far, which may be the beginning of a stop sequence. */
  #held = '';
  #stop: string | null = null;

  constructor(stops: readonly string[]) {
    this.#matchers = stops.map((stop) => new StopMatcher(stop));
  }

  /** A stop sequence has come: nothing after it belongs to the text. */
  get isCut(): boolean {
    return this.#stop !== null;
  }

  /** The stop sequence that has arrived; null if none has. */
  get stop(): string | null {
    return this.#stop;
  }

  /** Takes more text and returns all but a possible beginning of a stop sequence. */
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

  /** Returns the held text at the end: it was not a stop sequence after all. */
  release(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }

  /** Length of the longest stop sequence that this unit completes; 0 when none. */
  #follow(unit: number): number {
    let length = 0;
    for (const matcher of this.#matchers) {
      matcher.take(unit);
      if (matcher.isComplete) length = Math.max(length, matcher.matched);
    }
    return length;
  }
}
