import type { Clock } from '../clock.ts';

/** What a smallest request of our own shows about the account at the upstream. */
export type ProbeResult = 'refused' | 'works' | 'unclear';

export interface AccountDoubtDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Sends such a request; null for a channel that has none. */
  readonly probe: () => Promise<ProbeResult | null>;
  readonly refused: () => void;
  readonly works: () => void;
}

/** How long the word of one witness waits for another, and our own request for the next one, ms. */
const rememberedMs = 300_000;
const probeAgainMs = 10_000;

/**
 * Whether an upstream refuses our account. A single request can cause such an answer by what it says, so a second
 * witness has to confirm it: another account of ours, or a request of our own (B-109).
 */
export class AccountDoubt {
  readonly #deps: AccountDoubtDeps;
  #witness: string | null = null;
  #sinceMs = 0;
  #probeAgainAtMs = 0;

  constructor(deps: AccountDoubtDeps) {
    this.#deps = deps;
  }

  /** Takes what a witness saw; true when another one saw it before. Otherwise our own request is sent. */
  confirms(witness: string): boolean {
    const nowMs = this.#deps.clock.monotonic();
    const isRemembered = this.#witness !== null && nowMs - this.#sinceMs < rememberedMs;
    if (isRemembered && this.#witness !== witness) return true;
    this.#witness = witness;
    this.#sinceMs = nowMs;
    if (nowMs >= this.#probeAgainAtMs) {
      this.#probeAgainAtMs = nowMs + probeAgainMs;
      void this.#ask();
    }
    return false;
  }

  /** The account was served. */
  clear(): void {
    this.#witness = null;
  }

  async #ask(): Promise<void> {
    const result = await this.#deps.probe();
    if (result === 'refused') this.#deps.refused();
    if (result !== 'works') return;
    this.clear();
    this.#deps.works();
  }
}
