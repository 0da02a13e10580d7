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
}

/** Who a request comes from, once its key was accepted. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  readonly userId: string;
  readonly appId: string;
  readonly cap: number;
  readonly models: readonly string[] | null;
}
