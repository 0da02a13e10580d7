import { readFileSync } from 'node:fs';

/** For each check the mutants that turned it red in the last full proof that somebody noted. */
export type KnownKills = ReadonlyMap<string, readonly string[]>;

const file = new URL('./known-kills.json', import.meta.url);

/**
 * What a quick proof tries first. It is a guess that saves time and proves nothing: where it is out of date the check
 * meets other mutants.
 */
export function loadKnownKills(): KnownKills {
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>));
}
