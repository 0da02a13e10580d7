import type { Clock } from '../clock.ts';
import type { WebhookLimits } from '../config.ts';
import type { Shares } from '../work/shares.ts';

/** What is known of a receiver: that it answers in time, that it does not, or neither. */
type Standing = 'unknown' | 'good' | 'slow';

interface Receiver {
  underWay: number;
  standing: Standing;
  /** When a slow one is given the chance of an unknown one again. */
  slowUntilMs: number;
}

/** How long one that let an attempt time out counts as slow. */
const slowMs = 10 * 60_000;
/** The share that all attempts are part of. */
const all = 'all';
/** Receivers without attempts under way that are kept in mind. */
const maxRemembered = 10_000;

/** Who is sent to: an account's receivers are its own, each origin is one. */
export function receiverOf(accountId: string, url: string): string {
  return `${accountId} ${URL.parse(url)?.origin ?? ''}`;
}

/**
 * Shares the attempts that this process makes at once among receivers, so that slow ones leave enough to the others: those
 * known to be slow have half of all, those that are not known to be good three quarters, of which one account has no more
 * than half of all; and each of them has half of what a good one may.
 */
export class Receivers implements Shares {
  readonly #limits: Pick<WebhookLimits, 'at_once' | 'at_once_each'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #all = new Map<string, Receiver>();
  /** Attempts under way by the shares that they are part of. */
  readonly #used = new Map<string, number>();

  constructor(limits: Pick<WebhookLimits, 'at_once' | 'at_once_each'>, clock: Pick<Clock, 'now'>) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** How many attempts each of these may begin now, those that may none left out; the first ones before the others. */
  rooms(wanted: Iterable<string>): Map<string, number> {
    const rooms = new Map<string, number>();
    const planned = new Map<string, number>();
    for (const name of wanted) {
      if (this.#usedOf(all) + (planned.get(all) ?? 0) >= this.#limits.at_once) break;
      const { standing, underWay } = this.#find(name);
      const shares = this.#shares(name, standing);
      const left = shares.map(([key, max]) => max - this.#usedOf(key) - (planned.get(key) ?? 0));
      const room = Math.min(this.#maxEach(standing) - underWay, ...left);
      if (room <= 0) continue;
      rooms.set(name, room);
      for (const [key] of shares) planned.set(key, (planned.get(key) ?? 0) + room);
    }
    return rooms;
  }

  /** Counts an attempt; to be called when it is over, with whether its receiver was too slow (null: nobody can tell). */
  begin(name: string): (wasSlow: boolean | null) => void {
    const receiver = this.#find(name);
    this.#all.set(name, receiver);
    receiver.underWay += 1;
    this.#count(name, receiver.standing, 1);
    return (wasSlow) => {
      this.#count(name, receiver.standing, -1);
      receiver.underWay -= 1;
      if (wasSlow !== null) this.#judge(name, receiver, wasSlow);
      if (receiver.underWay === 0) this.#remember(name, receiver);
    };
  }

  /** Whether an attempt is likely to hang: there is no use in waiting for it. */
  isSlow(name: string): boolean {
    return this.#find(name).standing === 'slow';
  }

  #maxEach(standing: Standing): number {
    const each = this.#limits.at_once_each;
    return standing === 'good' ? each : share(each, 1 / 2);
  }

  /** What an attempt at such a receiver counts for, each with its bound. */
  #shares(name: string, standing: Standing): [key: string, max: number][] {
    const { at_once: atOnce } = this.#limits;
    const shares: [string, number][] = [[all, atOnce]];
    if (standing === 'good') return shares;
    // Whoever has a name has as many hosts below it as they like.
    const [account = ''] = name.split(' ', 1);
    shares.push(['doubtful', share(atOnce, 3 / 4)], [`doubtful of ${account}`, share(atOnce, 1 / 2)]);
    if (standing === 'slow') shares.push(['slow', share(atOnce, 1 / 2)]);
    return shares;
  }

  #usedOf(key: string): number {
    return this.#used.get(key) ?? 0;
  }

  #count(name: string, standing: Standing, by: number): void {
    for (const [key] of this.#shares(name, standing)) {
      const used = this.#usedOf(key) + by;
      if (used === 0) this.#used.delete(key);
      else this.#used.set(key, used);
    }
  }

  #find(name: string): Receiver {
    const receiver = this.#all.get(name);
    if (receiver === undefined) return { underWay: 0, standing: 'unknown', slowUntilMs: 0 };
    if (receiver.standing === 'slow' && this.#clock.now() >= receiver.slowUntilMs)
      this.#move(name, receiver, 'unknown');
    return receiver;
  }

  #judge(name: string, receiver: Receiver, wasSlow: boolean): void {
    if (wasSlow) receiver.slowUntilMs = this.#clock.now() + slowMs;
    this.#move(name, receiver, wasSlow ? 'slow' : 'good');
  }

  /** What it has under way moves with it. */
  #move(name: string, receiver: Receiver, standing: Standing): void {
    this.#count(name, receiver.standing, -receiver.underWay);
    receiver.standing = standing;
    this.#count(name, standing, receiver.underWay);
  }

  /** The one that has done nothing for longest is forgotten first. */
  #remember(name: string, receiver: Receiver): void {
    this.#all.delete(name);
    this.#all.set(name, receiver);
    if (this.#all.size <= maxRemembered) return;
    for (const [other, { underWay }] of this.#all) {
      if (underWay > 0) continue;
      this.#all.delete(other);
      return;
    }
  }
}

function share(of: number, part: number): number {
  return Math.max(1, Math.floor(of * part));
}
