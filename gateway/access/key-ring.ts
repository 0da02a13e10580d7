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
  /** Replaces all keys, for every request that begins from now on. */
  replace(records: readonly KeyRecord[]): void;
}

/** So many secrets that were found are kept, in memory alone: to hash one costs more than all the rest of letting its caller in. */
const keptSecrets = 1_000;

/** Holds every key of the deployment in memory, by hash. */
export function createKeyRing(records: readonly KeyRecord[], hashKey: (secret: string) => string): KeyRing {
  let keys = byHash(records);
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
    replace: (next) => {
      keys = byHash(next);
      kept.clear();
    },
    find: (secret) => kept.get(secret) ?? look(secret),
  };
}

function byHash(records: readonly KeyRecord[]): ReadonlyMap<string, RingKey> {
  return new Map(records.map((record) => [record.hash, ringKey(record)]));
}

/** The allow-list is parsed when the key is first used, because every change reloads all keys, however many. */
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
