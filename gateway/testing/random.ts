/** Random numbers that depend only on the seed: equal seeds give equal sequences. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Spreads neighbouring seeds, whose first draws would otherwise be alike.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    for (let i = 0; i < 4; i += 1) this.next();
  }

  /** Uniform in [0, 1); the generator is mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `min` to `max`, both included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<One>(list: readonly [One, ...One[]]): One {
    return list[Math.floor(this.next() * list.length)] ?? list[0];
  }

  /** A text of URL-safe characters, as in ids. */
  id(): string {
    const digits = Array.from({ length: 4 }, () => this.whole(0, 0x7fffffff).toString(36).padStart(6, '0'));
    return digits.join('');
  }
}
