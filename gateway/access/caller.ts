import type { PricingStrategy } from '../money/strategy.ts';

/** A key as it is kept: everything that decides about a request, and no secret. */
export interface KeyRecord {
  /** HMAC-SHA256 of the secret, in hex. */
  readonly hash: string;
  readonly id: string;
  readonly account_id: string;
  readonly user_id: string;
  readonly app_id: string;
  /** Requests that the user may have in flight over all keys. */
  readonly cap: number;
  /** Model ids enabled for the account; null means all. */
  readonly models: readonly string[] | null;
  readonly disabled: boolean;
  /** Unix milliseconds; null means never. */
  readonly expires_at_ms: number | null;
  /** CIDR ranges; empty means from anywhere. */
  readonly allow: readonly string[];
  /** The account whose own channels this one uses, too; null: its own and the shared ones. */
  readonly channels_of: string | null;
  /** How calls of the key's app are marked up, in basis points; single models may have a markup of their own. */
  readonly markup_bp: number;
  readonly model_markup_bp: Readonly<Record<string, number>>;
}

/** Who a request comes from, once its key was accepted. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly appId: string;
  readonly cap: number;
  readonly models: readonly string[] | null;
  /** The accounts by whose own channels the caller is served: its own before the one that lends it some. */
  readonly channelsOf: readonly string[];
  readonly pricing: PricingStrategy;
}
