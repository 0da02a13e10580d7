import type { SourceMutant } from '../source-mutant.ts';
import { type FileCoverage, hasRun } from './coverage-line.ts';

/** The checks that run a place: their ids, or `all` if any check may depend on it. */
export type Reached = 'all' | readonly string[];

/** Which checks make the gateway run the places of mutants. Plain data: it can be kept as JSON. */
export interface Reach {
  /** By mutant id. `all`: it ran while the gateway started, or in a thread without coverage data. */
  readonly mutants: Readonly<Record<string, Reached>>;
  /** By file, the checks that run any code in it. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

/** Collects the code that the gateways ran, check by check. */
export class ReachRecord {
  readonly #mutants: readonly SourceMutant[];
  readonly #known = new Set<string>();
  readonly #always = new Set<string>();
  readonly #checksOf = new Map<string, Set<string>>();
  readonly #files = new Map<string, Set<string>>();

  constructor(mutants: readonly SourceMutant[]) {
    this.#mutants = mutants;
  }

  /** Records the code that ran before the first check. */
  start(coverage: readonly FileCoverage[]): void {
    for (const { path } of coverage) this.#known.add(path);
    for (const { id } of this.#runBy(coverage)) this.#always.add(id);
  }

  /** Records the code that ran while the check was the only one on its gateway. */
  check(check: string, coverage: readonly FileCoverage[]): void {
    for (const { path, ranges } of coverage)
      if (ranges.some(([, , count]) => count > 0)) add(this.#files, path, check);
    for (const { id } of this.#runBy(coverage)) add(this.#checksOf, id, check);
  }

  reach(): Reach {
    const reached = ({ id, file }: SourceMutant): Reached =>
      this.#always.has(id) || !this.#known.has(file) ? 'all' : [...(this.#checksOf.get(id) ?? [])].toSorted();
    return {
      mutants: Object.fromEntries(this.#mutants.map((mutant) => [mutant.id, reached(mutant)])),
      files: Object.fromEntries([...this.#files].map(([path, checks]) => [path, [...checks].toSorted()])),
    };
  }

  #runBy(coverage: readonly FileCoverage[]): SourceMutant[] {
    const ranges = new Map(coverage.map((file) => [file.path, file.ranges]));
    return this.#mutants.filter(({ file, offset }) => hasRun(ranges.get(file) ?? [], offset));
  }
}

/**
 * The checks for a mutant, in the order of all checks: those that run its code. If that is unknown, all checks, with those
 * that run any code of its file first.
 */
export function reachedBy<T extends { readonly id: string }>(
  checks: readonly T[],
  { id, file }: SourceMutant,
  { mutants, files }: Reach,
): T[] {
  const reached = mutants[id] ?? 'all';
  const near = new Set(reached === 'all' ? files[file] : reached);
  const first = checks.filter((check) => near.has(check.id));
  return reached === 'all' ? [...first, ...checks.filter((check) => !near.has(check.id))] : first;
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}
