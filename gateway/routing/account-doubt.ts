import type { Clock } from '../clock.ts';
import type { FailureReason } from '../upstreams/outcome.ts';

/**
 * What a minimal request of the gateway itself shows about the account at the upstream. `known`: its key is good, and nothing is
 * known of the model, since nothing was made.
 */
export type ProbeResult = 'refused' | 'works' | 'known' | 'unclear';

export interface AccountDoubtDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Sends a minimal request, and resolves with null for a model that cannot be probed; null where no channel can. */
  readonly probe: (() => Promise<ProbeResult | null>) | null;
  readonly refused: () => void;
  readonly works: () => void;
}

/** How long a witness is remembered, and the minimum time between two probes, for which one is believed, ms. */
const rememberedMs = 300_000;
const probeAgainMs = 10_000;

/**
 * Whether an upstream refuses our account. The content of a single request can cause such an answer. So a second witness must
 * confirm it: a request of the gateway itself or, where that shows nothing, another account (B-109).
 */
export class AccountDoubt {
  readonly #deps: AccountDoubtDeps;
  #witness: string | null = null;
  #sinceMs = 0;
  #probeAgainAtMs = 0;
  /** Whether a probe is under way, or has been served lately: callers may have caused what they report. */
  #isTrusted = false;

  constructor(deps: AccountDoubtDeps) {
    this.#deps = deps;
  }

  /** Records a witness; true if another one has reported the same before, and no probe contradicts them. */
  confirms(witness: string, reason: FailureReason): boolean {
    const nowMs = this.#deps.clock.monotonic();
    const { probe } = this.#deps;
    if (probe !== null && nowMs >= this.#probeAgainAtMs) {
      this.#probeAgainAtMs = nowMs + probeAgainMs;
      this.#isTrusted = true;
      void this.#judge(probe(), reason);
    }
    const isRemembered = this.#witness !== null && nowMs - this.#sinceMs < rememberedMs;
    if (isRemembered && this.#witness !== witness) return !this.#isTrusted;
    this.#witness = witness;
    this.#sinceMs = nowMs;
    return false;
  }

  /** Forgets the witness, because the account was served. */
  clear(): void {
    this.#witness = null;
  }

  async #judge(probing: Promise<ProbeResult | null>, reason: FailureReason): Promise<void> {
    const result = await probing.catch(() => null);
    if (result === 'refused') this.#deps.refused();
    // A good key says nothing of what is left on its account.
    const contradicts = result === 'works' || (result === 'known' && reason !== 'exhausted');
    if (!contradicts) {
      this.#isTrusted = false;
      return;
    }
    this.clear();
    if (result === 'works') this.#deps.works();
  }
}
