import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckFacts } from '../engine/check.ts';
import { keep, readKept } from '../process/kept-folder.ts';

/** The facts about checks that commands need without running them. Loading all checks takes longer than most checks. */
export interface KnownChecks {
  /** In the order of reports. */
  readonly checks: readonly CheckFacts[];
  /** Gateways with one defect that checks must detect. Empty when the proof is not installed. */
  readonly mutants: readonly MutantFacts[];
}

/** A gateway with one defect: the rule that it breaks, and the aspect that a check must report. */
export interface MutantFacts {
  readonly id: string;
  readonly title: string;
  readonly requirement: string;
  readonly aspect: string;
}

/** The proof is only in a clone of the repository; the package has the file below. */
const proof: string = 'gatecheck-proof/mutants';

/** Written when the package is built. */
const shipped = new URL('./known-checks.json', import.meta.url);

const root = fileURLToPath(new URL('../../', import.meta.url));

/** All checks and mutants as plain data: as shipped, as kept by an earlier call from the same sources, or loaded. */
export async function knownChecks(): Promise<KnownChecks> {
  if (existsSync(shipped)) return JSON.parse(readFileSync(shipped, 'utf8')) as KnownChecks;
  const state = stateOfSources();
  const name = `checks-${createHash('sha256').update(root).digest('hex').slice(0, 12)}.json`;
  const kept = readKept(name, state);
  if (kept !== null) return kept as KnownChecks;
  const known = await loadKnownChecks();
  keep(name, state, known);
  return known;
}

/** Reads the same facts from the checks themselves. */
export async function loadKnownChecks(): Promise<KnownChecks> {
  const { allChecks } = await import('../checks/all-checks.ts');
  return {
    checks: allChecks.map(({ id, title, requirements, kind, needs, clock, tenants }) => ({
      ...{ id, title, requirements, kind, needs },
      ...(clock === undefined ? {} : { clock }),
      ...(tenants === undefined ? {} : { tenants }),
    })),
    mutants: await caughtDefects(),
  };
}

async function caughtDefects(): Promise<MutantFacts[]> {
  const found = (await import(proof).catch(() => null)) as { allMutants: readonly MutantFacts[] } | null;
  return (found?.allMutants ?? []).map(({ id, title, requirement, aspect }) => ({
    ...{ id, title, requirement, aspect },
  }));
}

/** A hash over size and time of all source files and fixtures, because checks are made from both. */
function stateOfSources(): string {
  const hash = createHash('sha256').update(process.versions.node);
  for (const folder of ['suites', 'fixtures', 'proof'].filter((one) => existsSync(join(root, one))))
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(path);
      hash.update(`${path}\0${size}\0${mtimeMs}\n`);
    }
  return hash.digest('hex');
}
