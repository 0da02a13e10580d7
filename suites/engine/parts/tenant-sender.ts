import type { Keys } from '../../profile/profile.ts';
import type { WireRequest } from '../../wire/client.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import type { RawAnswer } from '../../wire/raw-socket.ts';
import type { DegradedModels } from '../degraded-models.ts';
import type { ForeignTraffic } from '../foreign-traffic.ts';
import { chatRequest } from '../requests.ts';
import { Semaphore } from '../semaphore.ts';
import type { SlotWatch } from '../slot-watch.ts';
import type { TestKey } from '../test-accounts.ts';
import type { CheckSender } from './check-sender.ts';

export interface TenantSenderSettings {
  readonly sender: CheckSender;
  readonly keys: Keys;
  readonly degraded: DegradedModels;
  /** Called with each answer that a charge follows, if the call was served. */
  readonly onServed: (exchange: Exchange) => void;
  /** The number of calls of one user that may be in flight. */
  readonly width: number;
  /** Handles calls that the cap refuses nevertheless; null in checks of the cap, which judge each refusal. */
  readonly slots: SlotWatch | null;
  /** Foreign traffic on the account; null when only this run uses it. */
  readonly traffic: ForeignTraffic | null;
  /** Semaphores of users that other checks share; null where the account is the check's alone. */
  readonly inFlight: Map<string, Semaphore> | null;
  readonly signal: AbortSignal;
}

/** Sends the calls of one tenant, keeps each user below its cap, and notes which models may be degraded. */
export class TenantSender {
  readonly #settings: TenantSenderSettings;
  readonly #semaphores: Map<string, Semaphore>;
  readonly #made = new Map<string, TestKey>();

  constructor(settings: TenantSenderSettings) {
    this.#settings = settings;
    this.#semaphores = settings.inFlight ?? new Map<string, Semaphore>();
  }

  get mainKey(): string {
    return this.#settings.keys.K1;
  }

  /** Adds a key that was made for the check, before it is used. */
  add(key: TestKey): void {
    this.#made.set(key.secret, key);
  }

  /** Sends at once, however many calls are in flight. */
  open(request: WireRequest): LiveExchange {
    const { sender, degraded, onServed, traffic } = this.#settings;
    const ends = traffic?.begin();
    const live = sender.open(request, (exchange, way) => {
      degraded.noteExchange(request, exchange, (key) => this.#ownerOf(key));
      // A task is charged when it ends.
      if (way !== null && way !== 'tasks') onServed(exchange);
    });
    if (ends !== undefined) void live.done.then(ends);
    return live;
  }

  /** Writes bytes to a new socket and reads the answer until the peer closes or `withinMs` passes. */
  async raw(pieces: readonly (string | Buffer)[], withinMs: number): Promise<RawAnswer> {
    const { sender, traffic } = this.#settings;
    const ends = traffic?.begin();
    try {
      return await sender.raw(pieces, withinMs);
    } finally {
      ends?.(null);
    }
  }

  /**
   * Sends within the limit: at most cap minus one calls of the user of `key` are in flight. The default is the
   * main key.
   */
  async politely(key: string | null | undefined, send: () => Promise<Exchange>): Promise<Exchange> {
    const { slots, signal } = this.#settings;
    if (slots === null || key === null) return this.#semaphoreOf(key ?? undefined).pass(send);
    const own = key ?? this.mainKey;
    // Its body is invalid, so the probe costs nothing.
    const probe = (): Promise<Exchange> => this.open(chatRequest({}, { key: own }, this.mainKey)).done;
    return this.#semaphoreOf(key).pass(() => slots.pass({ key: own, send, probe, signal }));
  }

  /**
   * The semaphore of the key's user. K4 belongs to another user; accounts made for a check have their own users
   * and caps.
   */
  #semaphoreOf(key: string | undefined): Semaphore {
    const { keys, width } = this.#settings;
    const made = key === undefined ? undefined : this.#made.get(key);
    const user = made?.user ?? (key !== undefined && key === keys.K4 ? 'other' : 'main');
    const semaphore =
      this.#semaphores.get(user) ?? new Semaphore(made === undefined ? width : Math.max(1, made.cap - 1));
    this.#semaphores.set(user, semaphore);
    return semaphore;
  }

  /**
   * The key that recovers models which `key` left degraded: that of the account's first user. It is served even when credit
   * was spent.
   */
  #ownerOf(key: string): string {
    const { K1: k1, K4: k4, no_credits, no_quota, fuse } = this.#settings.keys;
    return this.#made.has(key) || [k4, no_credits, no_quota, fuse].includes(key) ? k1 : key;
  }
}
