import type { PricingStrategy } from '../money/strategy.ts';

/** A stored key without its secret: everything that the gateway needs to decide about a request. */
export interface KeyRecord {
  /** HMAC-SHA256 of the secret, in hex. */
  readonly hash: string;
  readonly id: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly app_id: string;
  /** Requests that the user may have in flight over all of the user's keys. */
  readonly cap: number;
  /** Model ids enabled for the account; null means all. */
  readonly models: readonly string[] | null;
  readonly disabled: boolean;
  /** Unix milliseconds; null means never. */
  readonly expires_at_ms: number | null;
  /** CIDR ranges; empty means from anywhere. */
  readonly allow: readonly string[];
  /** The account whose own channels this account also uses; null: only its own and the shared ones. */
  readonly channels_of: string | null;
  /** The markup on calls of the key's app, in basis points. Single models may have a markup of their own. */
  readonly markup_bp: number;
  readonly model_markup_bp: Readonly<Record<string, number>>;
}

/** The sender of a request whose key was accepted. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly appId: string;
  readonly cap: number;
  readonly models: readonly string[] | null;
  /** The accounts whose own channels serve the caller: the caller's account first, then the channel owner. */
  readonly channelsOf: readonly string[];
  readonly pricing: PricingStrategy;
}
