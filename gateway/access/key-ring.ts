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
}

/** Every key of the deployment, in memory, by hash. */
export function createKeyRing(records: readonly KeyRecord[], hashKey: (secret: string) => string): KeyRing {
  const keys = new Map<string, RingKey>();
  for (const record of records) keys.set(record.hash, { record, allows: allowList(record.allow) });
  return {
    find: (secret) => {
      const hash = hashKey(secret);
      const found = keys.get(hash);
      // The look-up compares hashes, not secrets; the second comparison takes the same time for every outcome.
      return found !== undefined && sameText(found.record.hash, hash) ? found : null;
    },
  };
}

/** Compares two texts of equal length in constant time. */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
