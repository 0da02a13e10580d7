import type { Arm, ArmState } from '../control/arming.ts';
import { replyOf } from '../control/disturbance.ts';
import type { Reply } from '../control/protocol.ts';
import type { RequestFacts } from '../requests/request-facts.ts';
import { selects, showSelectors } from '../requests/selectors.ts';
import type { Draws } from '../scenarios/draws.ts';

/** A limit, because arms that are never removed must not fill the process. */
const maxArms = 1000;

interface Armed {
  readonly id: string;
  /** How many arms the tenant had before this one since its last reset. It names the draws of this arm. */
  readonly order: number;
  readonly arm: Arm;
  readonly reply: Reply;
  readonly expiresAtMs: number | null;
  fired: number;
}

/** The active arms of one tenant. */
export class Arms {
  /** Newest first. */
  #armed: Armed[] = [];
  #last = 0;
  #order = 0;

  /** Adds an arm and returns its id, or null when the tenant is at its limit. */
  add(arm: Arm, nowMs: number): string | null {
    this.#forgetSpent(nowMs);
    if (this.#armed.length >= maxArms) return null;
    this.#last += 1;
    const id = `arm-${this.#last}`;
    const expiresAtMs = arm.ttl_ms === undefined ? null : nowMs + arm.ttl_ms;
    this.#armed.unshift({ id, order: this.#order, arm, reply: replyOf(arm), expiresAtMs, fired: 0 });
    this.#order += 1;
    return id;
  }

  get isEmpty(): boolean {
    return this.#armed.length === 0;
  }

  /** Whether there was such a one. */
  remove(id: string): boolean {
    const before = this.#armed.length;
    this.#armed = this.#armed.filter((armed) => armed.id !== id);
    return this.#armed.length < before;
  }

  clear(): void {
    this.#armed = [];
    this.#order = 0;
  }

  /** Fires the newest arm that selects the request and whose draw succeeds. */
  fire(request: RequestFacts, draws: Draws, nowMs: number): { id: string; reply: Reply } | null {
    if (this.isEmpty) return null;
    this.#forgetSpent(nowMs);
    const meant = this.#armed.filter(({ arm }) => selects(arm.when ?? {}, request));
    const fires = meant.find(
      ({ order, arm: { rate = 1 } }) => rate === 1 || draws.unit(`rate-${order}`) < rate,
    );
    if (fires === undefined) return null;
    fires.fired += 1;
    return { id: fires.id, reply: fires.reply };
  }

  /** In the order they were added, without expired or used-up arms. */
  list(nowMs: number): ArmState[] {
    this.#forgetSpent(nowMs);
    return this.#armed.toReversed().map(({ id, arm, reply, fired, expiresAtMs }) => ({
      id,
      when: showSelectors(arm.when ?? {}),
      reply,
      rate: arm.rate ?? 1,
      fired,
      times_left: arm.times === undefined ? null : arm.times - fired,
      expires_at_ms: expiresAtMs,
    }));
  }

  #forgetSpent(nowMs: number): void {
    this.#armed = this.#armed.filter(
      ({ arm, fired, expiresAtMs }) =>
        fired < (arm.times ?? Infinity) && (expiresAtMs === null || nowMs < expiresAtMs),
    );
  }
}
