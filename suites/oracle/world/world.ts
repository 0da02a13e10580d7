import { BreakerModel, type BreakerRules, type Duty, type Span } from '../breaker.ts';

/** The states that an administrator can give a key. */
export const keyStates = ['live', 'disabled', 'expired', 'barred'] as const;
export type KeyState = (typeof keyStates)[number];

export interface WorldKey {
  readonly account: string;
  readonly user: string;
  readonly state: KeyState;
}

/** The facts that decide whether a call reaches an upstream, and the calls in flight. Events change them, time does not. */
export class World {
  readonly #rules: BreakerRules;
  readonly #slackMs: number;
  readonly #keys = new Map<string, WorldKey>();
  readonly #caps = new Map<string, number>();
  readonly #inFlight = new Map<string, number>();
  /** Accounts that have used up their quota. */
  readonly #spent = new Set<string>();
  /** Models that an account does not have, by account. */
  readonly #hidden = new Map<string, ReadonlySet<string>>();
  readonly #breakers = new Map<string, BreakerModel>();
  readonly #blocked = new Set<string>();
  /** The last time at which a model's upstream failed, ms. */
  readonly #failedAt = new Map<string, number>();
  /** Until when a model's upstream has asked to be left alone at most, ms. */
  readonly #restsUntil = new Map<string, number>();

  /** @param slackMs by how much a time of the deployment may be off */
  constructor(rules: BreakerRules, slackMs: number) {
    this.#rules = rules;
    this.#slackMs = slackMs;
  }

  setKey(name: string, key: WorldKey): void {
    this.#keys.set(name, key);
  }

  key(name: string): WorldKey {
    const key = this.#keys.get(name);
    if (key === undefined) throw new Error(`the world has no key ${name}`);
    return key;
  }

  setCap(user: string, cap: number): void {
    this.#caps.set(user, cap);
  }

  capOf(user: string): number {
    return this.#caps.get(user) ?? 0;
  }

  hide(account: string, models: readonly string[]): void {
    this.#hidden.set(account, new Set(models));
  }

  setSpent(account: string, isSpent: boolean): void {
    if (isSpent) this.#spent.add(account);
    else this.#spent.delete(account);
  }

  isSpent(account: string): boolean {
    return this.#spent.has(account);
  }

  lacks(account: string, model: string): boolean {
    return this.#hidden.get(account)?.has(model) === true;
  }

  /** How many calls of the user may begin now. */
  freeSlots(user: string): number {
    return Math.max(0, this.capOf(user) - (this.#inFlight.get(user) ?? 0));
  }

  begin(user: string): void {
    this.#inFlight.set(user, (this.#inFlight.get(user) ?? 0) + 1);
  }

  end(user: string): void {
    this.#inFlight.set(user, Math.max(0, (this.#inFlight.get(user) ?? 0) - 1));
  }

  /** The breaker of the only channel of a model. */
  breaker(model: string): BreakerModel {
    const known = this.#breakers.get(model) ?? new BreakerModel(this.#rules, this.#slackMs);
    this.#breakers.set(model, known);
    return known;
  }

  /** Forgets a model's channel: its observations are old, so it counts as healthy. */
  forget(model: string): void {
    this.#breakers.delete(model);
    this.#failedAt.delete(model);
    this.#restsUntil.delete(model);
  }

  /** What must happen to a call of this model, as far as its channel decides. */
  duty(model: string, at: Span): Duty {
    return this.breaker(model).duty(at);
  }

  /** Records a policy block by the model's upstream. */
  blocked(model: string): void {
    this.#blocked.add(model);
  }

  /** Whether policy blocks are the only possible reason for a cool-down of a model's channel. */
  isOnlyBlocked(model: string): boolean {
    return this.#blocked.has(model) && !this.#failedAt.has(model);
  }

  failed(model: string, atMs: number): void {
    this.#failedAt.set(model, atMs);
  }

  /** Records that a model's upstream has asked for a pause. */
  asked(model: string, untilMs: number): void {
    this.#restsUntil.set(model, Math.max(untilMs, this.#restsUntil.get(model) ?? 0));
  }

  /** Whether a pause that the model's upstream has asked for may not be over. */
  mayRest(model: string, { from }: Span): boolean {
    return from < (this.#restsUntil.get(model) ?? 0) + this.#slackMs;
  }

  /** The last failure of a model's upstream, ms; null when there was none. */
  failedAt(model: string): number | null {
    return this.#failedAt.get(model) ?? null;
  }
}
