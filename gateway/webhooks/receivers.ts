import type { Clock } from '../clock.ts';
import type { WebhookLimits } from '../config.ts';
import type { Shares } from '../work/shares.ts';

/** The health of a receiver: good (answers in time), slow, or unknown. */
type ReceiverHealth = 'unknown' | 'good' | 'slow';

interface Receiver {
  inFlight: number;
  health: ReceiverHealth;
  /** When a slow receiver becomes unknown again, and so gets another chance. */
  slowUntilMs: number;
}

/** How long a receiver counts as slow after an attempt timed out. */
const slowMs = 10 * 60_000;
/** The share in which every attempt counts. */
const all = 'all';
/** Maximum remembered receivers without attempts in flight. */
const maxRemembered = 10_000;

/** The receiver of a URL: one origin of one account. Accounts share no receivers. */
export function receiverOf(accountId: string, url: string): string {
  return `${accountId} ${URL.parse(url)?.origin ?? ''}`;
}

/**
 * Shares the attempts of this process among receivers, so that slow ones leave capacity for the others. Receivers
 * known to be slow get half of all attempts; those not known to be good get three quarters. Of these, one account
 * gets no more than half of all. Each receiver that is not good gets half of what a good one may use.
 */
export class Receivers implements Shares {
  readonly #limits: Pick<WebhookLimits, 'at_once' | 'at_once_each'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #all = new Map<string, Receiver>();
  /** Attempts in flight by share. */
  readonly #used = new Map<string, number>();

  constructor(limits: Pick<WebhookLimits, 'at_once' | 'at_once_each'>, clock: Pick<Clock, 'monotonic'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * How many attempts each of these may start now, in the given order; receivers without capacity are left out.
   */
  freeSlots(wanted: Iterable<string>): Map<string, number> {
    const freeSlots = new Map<string, number>();
    const planned = new Map<string, number>();
    for (const name of wanted) {
      if (this.#usedOf(all) + (planned.get(all) ?? 0) >= this.#limits.at_once) break;
      const { health, inFlight } = this.#find(name);
      const shares = this.#shares(name, health);
      const left = shares.map(([key, max]) => max - this.#usedOf(key) - (planned.get(key) ?? 0));
      const room = Math.min(this.#maxEach(health) - inFlight, ...left);
      if (room <= 0) continue;
      freeSlots.set(name, room);
      for (const [key] of shares) planned.set(key, (planned.get(key) ?? 0) + room);
    }
    return freeSlots;
  }

  /** Counts an attempt. Call the result at its end with whether the receiver was too slow (null: unknown). */
  begin(name: string): (wasSlow: boolean | null) => void {
    const receiver = this.#find(name);
    this.#all.set(name, receiver);
    receiver.inFlight += 1;
    this.#count(name, receiver.health, 1);
    return (wasSlow) => {
      this.#count(name, receiver.health, -1);
      receiver.inFlight -= 1;
      if (wasSlow !== null) this.#judge(name, receiver, wasSlow);
      if (receiver.inFlight === 0) this.#remember(name, receiver);
    };
  }

  /** Whether an attempt is likely to hang, so that waiting for it is useless. */
  isSlow(name: string): boolean {
    return this.#find(name).health === 'slow';
  }

  #maxEach(health: ReceiverHealth): number {
    const each = this.#limits.at_once_each;
    return health === 'good' ? each : share(each, 1 / 2);
  }

  /** The shares in which an attempt at this receiver counts, each with its maximum. */
  #shares(name: string, health: ReceiverHealth): [key: string, max: number][] {
    const { at_once: atOnce } = this.#limits;
    const shares: [string, number][] = [[all, atOnce]];
    if (health === 'good') return shares;
    // Limited by account and not by host, because the owner of a domain can have any number of hosts below it.
    const [account = ''] = name.split(' ', 1);
    shares.push(['doubtful', share(atOnce, 3 / 4)], [`doubtful of ${account}`, share(atOnce, 1 / 2)]);
    if (health === 'slow') shares.push(['slow', share(atOnce, 1 / 2)]);
    return shares;
  }

  #usedOf(key: string): number {
    return this.#used.get(key) ?? 0;
  }

  #count(name: string, health: ReceiverHealth, by: number): void {
    for (const [key] of this.#shares(name, health)) {
      const used = this.#usedOf(key) + by;
      if (used === 0) this.#used.delete(key);
      else this.#used.set(key, used);
    }
  }

  #find(name: string): Receiver {
    const receiver = this.#all.get(name);
    if (receiver === undefined) return { inFlight: 0, health: 'unknown', slowUntilMs: 0 };
    if (receiver.health === 'slow' && this.#clock.monotonic() >= receiver.slowUntilMs)
      this.#move(name, receiver, 'unknown');
    return receiver;
  }

  #judge(name: string, receiver: Receiver, wasSlow: boolean): void {
    if (wasSlow) receiver.slowUntilMs = this.#clock.monotonic() + slowMs;
    this.#move(name, receiver, wasSlow ? 'slow' : 'good');
  }

  /** Changes the health of a receiver; its attempts in flight then count in the new shares. */
  #move(name: string, receiver: Receiver, health: ReceiverHealth): void {
    this.#count(name, receiver.health, -receiver.inFlight);
    receiver.health = health;
    this.#count(name, health, receiver.inFlight);
  }

  /** Remembers a receiver. The one that has been idle longest is forgotten first. */
  #remember(name: string, receiver: Receiver): void {
    this.#all.delete(name);
    this.#all.set(name, receiver);
    if (this.#all.size <= maxRemembered) return;
    for (const [other, { inFlight }] of this.#all) {
      if (inFlight > 0) continue;
      this.#all.delete(other);
      return;
    }
  }
}

function share(of: number, part: number): number {
  return Math.max(1, Math.floor(of * part));
}
