import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Proof } from './proof.ts';

/** For each check the mutants that it killed in earlier proofs in this clone. */
export type KnownKills = ReadonlyMap<string, readonly string[]>;

const folder = new URL('../../node_modules/.cache/gatecheck/', import.meta.url);
const file = new URL('known-kills.json', folder);

/** Maximum kills stored per check. */
const kept = 8;

/** The mutants that a quick proof tries first. They only save time: without valid ones, the check gets other mutants. */
export function loadKnownKills(): KnownKills {
  try {
    return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>));
  } catch {
    return new Map();
  }
}

/** Stores the kills of each check, first the mutants that need no separate gateway. */
export function keepKills({ mutants, checks }: Pick<Proof, 'mutants' | 'checks'>): void {
  const own = new Set(mutants.filter(({ kind }) => kind === 'source').map(({ id }) => id));
  const reach = new Map(mutants.map(({ id, killed_by }) => [id, killed_by.length]));
  const cost = (id: string): number => (own.has(id) ? 1_000 : 0) - (reach.get(id) ?? 0);
  const known = new Map(loadKnownKills());
  for (const { id, killed } of checks)
    if (killed.length > 0)
      known.set(
        id,
        [...new Set([...killed.toSorted((a, b) => cost(a) - cost(b)), ...(known.get(id) ?? [])])].slice(
          0,
          kept,
        ),
      );
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(Object.fromEntries(known)));
}
