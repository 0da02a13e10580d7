import type { Keys } from '../../profile/profile.ts';
import type { WireRequest } from '../../wire/client.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { Gate } from '../gate.ts';
import type { TestKey } from '../test-accounts.ts';
import type { Wear } from '../wear.ts';
import type { CheckSender } from './check-sender.ts';

export interface LaneSenderSettings {
  readonly sender: CheckSender;
  readonly keys: Keys;
  readonly wear: Wear;
  /** Calls of one user that may be in flight. */
  readonly width: number;
}

/** Sends the calls of one lane, each user's below its cap, and notes which models they wore out. */
export class LaneSender {
  readonly #settings: LaneSenderSettings;
  readonly #gates = new Map<string, Gate>();
  readonly #made = new Map<string, TestKey>();

  constructor(settings: LaneSenderSettings) {
    this.#settings = settings;
  }

  get mainKey(): string {
    return this.#settings.keys.K1;
  }

  /** Told of each key that was made for the check, before it is used. */
  add(key: TestKey): void {
    this.#made.set(key.secret, key);
  }

  /** Sends at once, whatever is in flight. */
  open(request: WireRequest): LiveExchange {
    const { sender, wear } = this.#settings;
    return sender.open(request, (exchange) =>
      wear.noteExchange(request, exchange, (key) => this.#ownerOf(key)),
    );
  }

  /** Sends politely: never more than cap minus one calls in flight of the user of `key`, by default the main one. */
  async politely(key: string | null | undefined, open: () => LiveExchange): Promise<Exchange> {
    return this.#gateOf(key ?? undefined).pass(() => open().done);
  }

  /** The gate of the key's user. K4 is another user's; accounts made for a check have users and caps of their own. */
  #gateOf(key: string | undefined): Gate {
    const { keys, width } = this.#settings;
    const made = key === undefined ? undefined : this.#made.get(key);
    const user = made?.user ?? (key !== undefined && key === keys.K4 ? 'other' : 'main');
    const gate = this.#gates.get(user) ?? new Gate(made === undefined ? width : Math.max(1, made.cap - 1));
    this.#gates.set(user, gate);
    return gate;
  }

  /** The key by which models are recovered that another one wore out: one that is served whatever was spent. */
  #ownerOf(key: string): string {
    const { K1, no_credits, no_quota, fuse } = this.#settings.keys;
    return this.#made.has(key) || [no_credits, no_quota, fuse].includes(key) ? K1 : key;
  }
}
