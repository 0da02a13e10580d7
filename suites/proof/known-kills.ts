import { readFileSync } from 'node:fs';

/** For each check the mutants that it killed in the last recorded full proof. */
export type KnownKills = ReadonlyMap<string, readonly string[]>;

const file = new URL('./known-kills.json', import.meta.url);

/**
 * The mutants that a quick proof tries first. They only save time: where they are out of date, the check gets
 * other mutants.
 */
export function loadKnownKills(): KnownKills {
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>));
}
