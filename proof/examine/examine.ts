import type { Check } from '../../suites/engine/check.ts';
import type { JobResult } from '../../suites/runner/run-input.ts';
import { ProofStack } from '../kill-matrix/proof-stack.ts';
import { type Bench, withBench } from './bench/bench.ts';
import { lookAlone } from './looks/look-alone.ts';
import { lookTogether, type Suspect } from './looks/look-together.ts';
import { MutantGateways } from './looks/mutant-gateways.ts';
import { putTogether } from './looks/together.ts';
import { findReach } from './reach/find-reach.ts';
import { type Reach, reachedBy } from './reach/reach.ts';
import type { SourceMutant } from './source-mutant.ts';
import type { Look } from './subject-progress.ts';

/** Gateways in parallel, 0.5 GB each: with one mutant, and with a group of survivors. */
const sideBySide = { alone: 5, groups: 2 } as const;

/** Maximum mutants in one gateway. */
const mostTogether = 12;

/** Number of mutants per batch: first all are judged alone, then the survivors among them together. */
const oneSitting = 50;
const enoughTogether = 20;

/** Checks that run in parallel. */
const width = 8;

export interface ExamineOptions {
  /** Mutants that have not been judged. */
  readonly mutants: readonly SourceMutant[];
  /** Mutants that survived the first round of an earlier examination. */
  readonly survivors: readonly SourceMutant[];
  /** Whether the survivors get a second round. */
  readonly twice: boolean;
  /** The checks for a mutant, in their order. */
  readonly checksFor: (mutant: SourceMutant) => readonly Check[];
  /** Duration of a check in ms. */
  readonly msOf: (check: string) => number;
  readonly seed: number;
  /** Time limit of the first round per mutant, in ms. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** If given, first find out which checks run a mutant's code, unless `known` has it. Only those checks judge the mutant. */
  readonly reach?: ReachPart;
  /** Called before each part of the work, with the number of its runs if known. */
  readonly onPart: (title: string, runs: number) => void;
  readonly onJob: (result: JobResult) => void;
  /** Called again for a mutant in the second round. */
  readonly onTrial: (trial: Trial) => void;
}

export interface ReachPart {
  readonly known: Reach | null;
  readonly checks: readonly Check[];
  readonly onFound: (reach: Reach) => void;
}

/** The findings of the checks on one mutant. */
export interface Trial extends Look {
  readonly mutant: SourceMutant;
  /** Why it did not start; null when it did. */
  readonly fault: string | null;
  /** Number of checks for it. */
  readonly checks: number;
  /** The round: 1 alone with a time limit, 2 together with others and by all checks; 0 for none. */
  readonly look: 0 | 1 | 2;
}

/** Judges gateways with one mutant each, and then the survivors together. Resolves with the reason if it broke down. */
export async function examine(options: ExamineOptions): Promise<string | null> {
  const { seed, signal, onJob } = options;
  const stack = await ProofStack.start({
    ...{ seed, mutants: [], variants: [] },
    limits: { upstream: 0, source: sideBySide.alone },
  });
  try {
    const checksFor = await stack.whileUp(reachingChecks(stack, options));
    const work = (bench: Bench): Promise<void> =>
      new Examiner({ ...options, checksFor }, new MutantGateways(stack), bench).examine();
    if (!signal.aborted) await stack.whileUp(withBench({ seed, width, signal, onJob }, work));
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await stack.stop();
  }
}

/** The checks for a mutant: all in their order, or only those that run its code. */
async function reachingChecks(
  stack: ProofStack,
  { mutants: fresh, survivors, checksFor, seed, signal, onPart, onJob, reach }: ExamineOptions,
): Promise<ExamineOptions['checksFor']> {
  if (reach === undefined) return checksFor;
  const { known, checks, onFound } = reach;
  const mutants = [...fresh, ...survivors];
  if (known !== null && mutants.every(({ id }) => Object.hasOwn(known.mutants, id)))
    return (mutant) => reachedBy(checksFor(mutant), mutant, known);
  onPart('which checks run which place', checks.length);
  const found = await findReach(stack, { mutants, checks, seed, signal, onJob });
  if (!signal.aborted) onFound(found);
  return (mutant) => reachedBy(checksFor(mutant), mutant, found);
}

/** One examination in progress. */
class Examiner {
  readonly #options: ExamineOptions;
  readonly #gateways: MutantGateways;
  readonly #bench: Bench;
  readonly #survivors: SourceMutant[];

  constructor(options: ExamineOptions, gateways: MutantGateways, bench: Bench) {
    this.#options = options;
    this.#gateways = gateways;
    this.#bench = bench;
    this.#survivors = [...options.survivors];
  }

  async examine(): Promise<void> {
    const { mutants, checksFor, twice, onPart } = this.#options;
    const { signal } = this.#bench;
    const reached = mutants.filter((mutant) => checksFor(mutant).length > 0);
    for (const mutant of mutants)
      if (!reached.includes(mutant)) this.#note(mutant, { ...nothingSeen, fault: null, look: 0 });
    // In batches: the results of a batch are final, however early the run ends.
    for (let from = 0; !signal.aborted; from += oneSitting) {
      if (twice && (from >= reached.length || this.#survivors.length >= enoughTogether))
        await this.#lookTogether();
      if (from >= reached.length) return;
      const part = reached.slice(from, from + oneSitting);
      onPart(`${part.length} mutants, each alone`, 0);
      await inSlots(part, { slots: sideBySide.alone, signal }, (mutant) => this.#lookAlone(mutant));
    }
  }

  async #lookAlone(mutant: SourceMutant): Promise<void> {
    const { checksFor, msOf, limitMs } = this.#options;
    const { signal } = this.#bench;
    const gateway = await this.#gateways.start([mutant]);
    if ('refusal' in gateway) {
      if (!signal.aborted) this.#note(mutant, { ...nothingSeen, fault: gateway.refusal, look: 1 });
      return;
    }
    const checks = shortFirst(checksFor(mutant), msOf);
    const { target } = gateway;
    const [bench, reference] = [this.#bench, this.#gateways.reference()];
    const now = (): number => performance.now();
    const look = await lookAlone({ target, reference, checks, bench, limitMs, now });
    bench.withdraw(target);
    await gateway.stop();
    // A mutant whose checks were interrupted has not survived.
    if (signal.aborted && look.kill === null) return;
    this.#note(mutant, { ...look, fault: null, look: 1 });
    if (look.kill === null && look.judged < checks.length) this.#survivors.push(mutant);
  }

  async #lookTogether(): Promise<void> {
    const { checksFor, msOf, onPart } = this.#options;
    const { signal } = this.#bench;
    const survivors = this.#survivors.splice(0);
    const suspects = survivors.map((mutant): Suspect => {
      const checks = new Set(checksFor(mutant).map(({ id }) => id));
      return { id: mutant.id, file: mutant.file, mutant, checks };
    });
    const all = new Map(survivors.flatMap(checksFor).map((check) => [check.id, check]));
    const order = shortFirst([...all.values()], msOf).map(({ id }) => id);
    const groups = putTogether(suspects, mostTogether);
    if (groups.length > 0) onPart(`${suspects.length} survivors in ${groups.length} groups`, 0);
    await inSlots(groups, { slots: sideBySide.groups, signal }, (group) =>
      lookTogether(group, {
        ...{ order, gateways: this.#gateways, bench: this.#bench },
        onRun: (left, checks) => onPart(left.map(({ id }) => id).join(', '), checks),
        onFinding: ({ mutant, ...found }) => this.#note(mutant, { ...found, look: 2 }),
      }),
    );
  }

  #note(mutant: SourceMutant, found: Omit<Trial, 'mutant' | 'checks'>): void {
    this.#options.onTrial({ mutant, checks: this.#options.checksFor(mutant).length, ...found });
  }
}

const nothingSeen: Look = { kill: null, judged: 0, warnedBy: [], untestable: [], unsteady: [] };

/** Works on all items, so many at a time: when one is done, the next begins. Nothing begins once the signal is aborted. */
async function inSlots<T>(
  items: readonly T[],
  { slots, signal }: { readonly slots: number; readonly signal: AbortSignal },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const one = async (): Promise<void> => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: slots }, one));
}

/** A check that takes longer is not for a first look, ms. */
const longestMs = 8_000;

/**
 * The checks for a first look: in their order, but those that take long, or hold up all others by moving the clock, last.
 */
export function shortFirst(checks: readonly Check[], msOf: (id: string) => number): Check[] {
  const isShort = ({ id, clock }: Check): boolean => clock === undefined && msOf(id) <= longestMs;
  return [...checks.filter(isShort), ...checks.filter((check) => !isShort(check))];
}
