import type { Clock } from '../clock.ts';

/** What a minimal request of the gateway itself shows about the account at the upstream. */
export type ProbeResult = 'refused' | 'works' | 'unclear';

export interface AccountDoubtDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Sends a minimal request; null for a channel that cannot be probed. */
  readonly probe: () => Promise<ProbeResult | null>;
  readonly refused: () => void;
  readonly works: () => void;
}

/** How long a witness is remembered, and the minimum time between two probes, ms. */
const rememberedMs = 300_000;
const probeAgainMs = 10_000;

/**
 * Whether an upstream refuses our account. The content of a single request can cause such an answer. So a second witness must
 * confirm it: another account, or a request of the gateway itself (B-109).
 */
export class AccountDoubt {
  readonly #deps: AccountDoubtDeps;
  #witness: string | null = null;
  #sinceMs = 0;
  #probeAgainAtMs = 0;

  constructor(deps: AccountDoubtDeps) {
    this.#deps = deps;
  }

  /** Records a witness; true if another witness has reported the same before. Otherwise sends a probe. */
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

  /** Forgets the witness, because the account was served. */
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
