import { timingSafeEqual } from 'node:crypto';
import { allowList } from './allow-list.ts';
import type { KeyRecord } from './caller.ts';

export interface RingKey {
  readonly record: KeyRecord;
  readonly allows: (address: string) => boolean;
}

export interface KeyRing {
  /** The key with this secret, or null. */
  find(secret: string): RingKey | null;
  /** Replaces all keys, or those of some accounts, for every request that begins from now on. */
  replace(records: readonly KeyRecord[], accounts: readonly string[] | null): void;
}

/** The number of known secrets kept in memory. Hashing one costs more than all other steps of accepting its caller. */
const keptSecrets = 1_000;

/** Holds every key of the deployment in memory, by hash. */
export function createKeyRing(records: readonly KeyRecord[], hashKey: (secret: string) => string): KeyRing {
  const keys = byHash(records);
  const kept = new Map<string, RingKey>();
  const look = (secret: string): RingKey | null => {
    const hash = hashKey(secret);
    const found = keys.get(hash);
    // The look-up compares hashes, not secrets. This comparison takes the same time for every outcome.
    const key = found !== undefined && sameText(found.record.hash, hash) ? found : null;
    if (key === null) return null;
    if (kept.size >= keptSecrets) kept.clear();
    kept.set(secret, key);
    return key;
  };
  return {
    replace: (next, accounts) => {
      const replaced = accounts === null ? null : new Set(accounts);
      for (const [hash, { record }] of keys)
        if (replaced === null || replaced.has(record.account_id)) keys.delete(hash);
      for (const [hash, key] of byHash(next)) keys.set(hash, key);
      kept.clear();
    },
    find: (secret) => kept.get(secret) ?? look(secret),
  };
}

function byHash(records: readonly KeyRecord[]): Map<string, RingKey> {
  return new Map(records.map((record) => [record.hash, ringKey(record)]));
}

/** Parses the allow-list when the key is first used, because a change may replace many keys. */
function ringKey(record: KeyRecord): RingKey {
  let allows: RingKey['allows'] | null = null;
  return {
    record,
    allows: (address) => {
      allows ??= allowList(record.allow);
      return allows(address);
    },
  };
}

/** Compares two texts of equal length in constant time. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
