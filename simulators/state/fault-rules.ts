import { replyOf } from '../control/disturbance.ts';
import type { UnmetFault } from '../control/matching.ts';
import type { Reply } from '../control/protocol.ts';
import type { FaultRule, FaultRuleState } from '../control/rules.ts';
import type { RequestFacts } from '../requests/request-facts.ts';
import { selects, showSelectors } from '../requests/selectors.ts';
import type { Draws } from '../scenarios/draws.ts';

/** A limit, because rules that are never removed must not fill the process. */
const maxRules = 1000;

interface SetRule {
  readonly id: string;
  /** How many rules the tenant had before this one since its last reset. It names the draws of this rule. */
  readonly order: number;
  readonly rule: FaultRule;
  readonly reply: Reply;
  readonly expiresAtMs: number | null;
  fired: number;
}

/** The active disturbances of one tenant. */
export class FaultRules {
  /** Newest first. */
  #set: SetRule[] = [];
  #last = 0;
  #order = 0;

  /** Adds a rule and returns its id, or null when the tenant is at its limit. */
  add(rule: FaultRule, nowMs: number): string | null {
    this.#forgetSpent(nowMs);
    if (this.#set.length >= maxRules) return null;
    this.#last += 1;
    const id = `fault-${this.#last}`;
    const expiresAtMs = rule.ttl_ms === undefined ? null : nowMs + rule.ttl_ms;
    this.#set.unshift({ id, order: this.#order, rule, reply: replyOf(rule), expiresAtMs, fired: 0 });
    this.#order += 1;
    return id;
  }

  get isEmpty(): boolean {
    return this.#set.length === 0;
  }

  /** Removes a rule; returns whether it existed. */
  remove(id: string): boolean {
    const before = this.#set.length;
    this.#set = this.#set.filter((set) => set.id !== id);
    return this.#set.length < before;
  }

  clear(): void {
    this.#set = [];
    this.#order = 0;
  }

  /** Fires the newest rule that selects the request and whose draw succeeds. */
  fire(request: RequestFacts, draws: Draws, nowMs: number): { id: string; reply: Reply } | null {
    if (this.isEmpty) return null;
    this.#forgetSpent(nowMs);
    const meant = this.#set.filter(({ rule }) => selects(rule.when ?? {}, request));
    const fires = meant.find(
      ({ order, rule: { rate = 1 } }) => rate === 1 || draws.unit(`rate-${order}`) < rate,
    );
    if (fires === undefined) return null;
    fires.fired += 1;
    return { id: fires.id, reply: fires.reply };
  }

  /** Whether an active rule names exactly the path of this request. */
  name(request: RequestFacts, nowMs: number): boolean {
    if (this.isEmpty) return false;
    this.#forgetSpent(nowMs);
    return this.#set.some(({ rule: { when = {} } }) => when.path === request.path && selects(when, request));
  }

  /** The active rules that no request met, except those that leave it to a draw. */
  unmet(nowMs: number): UnmetFault[] {
    return this.list(nowMs)
      .filter(({ fired, rate }) => fired === 0 && rate === 1)
      .map(({ id, when, reply }) => ({ id, when, set: reply.fault?.id ?? JSON.stringify(reply) }));
  }

  /** In the order they were added, without expired or used-up rules. */
  list(nowMs: number): FaultRuleState[] {
    this.#forgetSpent(nowMs);
    return this.#set.toReversed().map(({ id, rule, reply, fired, expiresAtMs }) => ({
      id,
      when: showSelectors(rule.when ?? {}),
      reply,
      rate: rule.rate ?? 1,
      fired,
      times_left: rule.times === undefined ? null : rule.times - fired,
      expires_at_ms: expiresAtMs,
    }));
  }

  #forgetSpent(nowMs: number): void {
    this.#set = this.#set.filter(
      ({ rule, fired, expiresAtMs }) =>
        fired < (rule.times ?? Infinity) && (expiresAtMs === null || nowMs < expiresAtMs),
    );
  }
}
