import type { Check } from '../engine/check.ts';
import type { Mutant } from '../mutation/mutant.ts';
import { targetOf } from '../proof/plan.ts';
import { ProofStack } from '../proof/proof-stack.ts';
import { preflight } from '../runner/preflight.ts';
import type { JobResult, JobTarget } from '../runner/run-input.ts';
import type { Look } from './docket.ts';
import type { Kill } from './examination.ts';
import { judgeBatch } from './judge-batch.ts';
import { findReach } from './reach/find-reach.ts';
import { type Reach, reachedBy } from './reach/reach.ts';
import type { SourceMutant } from './source-mutant.ts';

/** Gateways side by side: 0.5 GB each, and two cores have no use for more. */
const sideBySide = 5;

export interface ExamineOptions {
  readonly mutants: readonly SourceMutant[];
  /** The checks that are to look at a mutant, in their order. */
  readonly checksFor: (mutant: SourceMutant) => readonly Check[];
  readonly seed: number;
  /** How long the checks may look at one mutant, ms. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Given: the checks that run a place are found out first, unless `known` has it, and only they look at its mutant. */
  readonly reach?: ReachPart;
  readonly onBatch: (mutants: readonly SourceMutant[]) => void;
  readonly onJob: (result: JobResult) => void;
  readonly onTrial: (trial: Trial) => void;
}

export interface ReachPart {
  readonly known: Reach | null;
  readonly checks: readonly Check[];
  /** Called before the first check, and with what was found. */
  readonly onStart: () => void;
  readonly onFound: (reach: Reach) => void;
}

/** What the checks found out about one mutant. */
export interface Trial {
  readonly mutant: SourceMutant;
  readonly kill: Kill | null;
  /** Why it did not start; null when it did. */
  readonly fault: string | null;
  readonly judged: number;
  readonly checks: number;
  readonly warnedBy: readonly string[];
  readonly untestable: readonly string[];
  readonly unsteady: readonly string[];
}

/** Runs checks on gateways with one mutant each until one fails. What was found out so far is kept when it breaks down. */
export async function examine(
  options: ExamineOptions,
): Promise<{ trials: readonly Trial[]; broken: string | null }> {
  const trials: Trial[] = [];
  const stack = await ProofStack.start({
    seed: options.seed,
    mutants: [],
    variants: [],
    limits: { upstream: 0, source: sideBySide },
  });
  const note = (trial: Trial): void => {
    trials.push(trial);
    options.onTrial(trial);
  };
  try {
    const checksFor = await stack.whileUp(reachingChecks(stack, options));
    const [reached, unreached] = partition(options.mutants, (mutant) => checksFor(mutant).length > 0);
    if (!options.signal.aborted)
      for (const mutant of unreached) note({ mutant, fault: null, checks: 0, ...nothingSeen });
    for (let from = 0; from < reached.length && !options.signal.aborted; from += sideBySide) {
      const batch = reached.slice(from, from + sideBySide);
      options.onBatch(batch);
      for (const trial of await stack.whileUp(tryBatch(stack, batch, { ...options, checksFor }))) note(trial);
    }
    return { trials, broken: null };
  } catch (error) {
    return { trials, broken: (error as Error).message };
  } finally {
    await stack.stop();
  }
}

/** The checks for a mutant: all in their order, or those that run its place. */
async function reachingChecks(
  stack: ProofStack,
  { mutants, checksFor, seed, signal, onJob, reach }: ExamineOptions,
): Promise<ExamineOptions['checksFor']> {
  if (reach === undefined) return checksFor;
  const { known, checks, onStart, onFound } = reach;
  if (known !== null && mutants.every(({ id }) => Object.hasOwn(known.mutants, id)))
    return (mutant) => reachedBy(checksFor(mutant), mutant, known);
  onStart();
  const found = await findReach(stack, { mutants, checks, seed, signal, onJob });
  if (!signal.aborted) onFound(found);
  return (mutant) => reachedBy(checksFor(mutant), mutant, found);
}

function partition<T>(items: readonly T[], suits: (item: T) => boolean): [T[], T[]] {
  return [items.filter(suits), items.filter((item) => !suits(item))];
}

async function tryBatch(
  stack: ProofStack,
  batch: readonly SourceMutant[],
  options: ExamineOptions,
): Promise<Trial[]> {
  const faults = new Map<string, string>();
  const started = await stack.arrange(batch.map(asSource), faults);
  const targets = new Map<string, JobTarget>();
  for (const [id, target] of started) {
    const fault = await faultOf(target);
    if (fault === null) targets.set(id, target);
    else faults.set(id, fault);
  }
  const able = batch.filter(({ id }) => targets.has(id));
  const looks = await judgeBatch(
    able.map((mutant) => ({ id: targetOf('mutant', mutant.id), checks: options.checksFor(mutant) })),
    { targets: [...targets.values()], reference: stack.reference() },
    options,
  );
  const trials = batch.map((mutant) => ({
    mutant,
    fault: faults.get(mutant.id) ?? null,
    checks: options.checksFor(mutant).length,
    ...(looks.get(targetOf('mutant', mutant.id)) ?? nothingSeen),
  }));
  // Whom an interrupt saved has not survived.
  return trials.filter(({ kill, fault }) => !options.signal.aborted || kill !== null || fault !== null);
}

const nothingSeen: Look = { kill: null, judged: 0, warnedBy: [], untestable: [], unsteady: [] };

function asSource({ id, file, find, replace, operator }: SourceMutant): Mutant {
  return { id, title: operator, requirement: '', aspect: '', kind: 'source', file, find, replace };
}

/** What the first requests of a run say against the gateway, if anything. */
async function faultOf({ profile }: JobTarget): Promise<string | null> {
  try {
    const { lost } = await preflight(profile);
    return lost.length === 0 ? null : `the gateway is not whole: ${lost.join('; ')}`;
  } catch (error) {
    return (error as Error).message;
  }
}
