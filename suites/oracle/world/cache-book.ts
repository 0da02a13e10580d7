import type { Span } from '../breaker.ts';

/** How long a block with a cache hint is kept; five minutes is the default (reading B-29). */
export const lives = ['5m', '1h'] as const;
export type Life = (typeof lives)[number];

const lifeMs: Readonly<Record<Life, number>> = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

/** Clock tolerance, ms. */
const marginMs = 1_000;

/** A block with a hint: the whole text up to its end, and how long it is to be kept. */
export interface HintedBlock {
  readonly prefix: string;
  readonly life: Life;
}

/** The expected cache use of a prompt. */
export interface Foretold {
  /** The longest slot that the prompt reads, and its time since last use, ms; null where it reads none. */
  readonly read: { readonly life: Life; readonly idleMs: number } | null;
  /** The life of the longest slot that has ended; null where none has. */
  readonly ended: Life | null;
  /** The lives of the slots that are written. */
  readonly written: readonly Life[];
}

/** The slots of one upstream's cache ("Prompt-cache billing multipliers"): a write fills one, and a read renews it. */
export class CacheBook {
  /** By prefix, with the time of the last use. */
  readonly #slots = new Map<string, { readonly life: Life; readonly used: Span }>();

  /**
   * Records a prompt.
   * @returns its expected cache use; null where a slot expires within the time span
   */
  took(blocks: readonly HintedBlock[], at: Span): Foretold | null {
    const slots = blocks.map(({ prefix }) => this.#slots.get(prefix));
    const alive = blocks.map(({ prefix }) => this.#isAlive(prefix, at));
    const hit = alive.lastIndexOf(true);
    for (const [place, { prefix, life }] of blocks.entries()) {
      const known = alive[place] === false ? undefined : slots[place];
      if (place > hit || known !== undefined)
        this.#slots.set(prefix, { life: known?.life ?? life, used: at });
    }
    if (alive.includes(null)) return null;
    const slot = slots[hit];
    return {
      read: slot === undefined ? null : { life: slot.life, idleMs: at.from - slot.used.to },
      ended: slots.findLast((one, place) => place > hit && one !== undefined)?.life ?? null,
      written: blocks.slice(hit + 1).map(({ life }) => life),
    };
  }

  /** Whether a slot is there at a time; null if unknown. */
  #isAlive(prefix: string, { from, to }: Span): boolean | null {
    const slot = this.#slots.get(prefix);
    if (slot === undefined) return false;
    const ms = lifeMs[slot.life];
    if (from >= slot.used.to + ms + marginMs) return false;
    return to < slot.used.from + ms - marginMs ? true : null;
  }
}
