import { type Check, clockRank } from '../../suites/engine/check.ts';
import { execute } from '../../suites/runner/execute.ts';
import type { Job, JobResult, JobTarget } from '../../suites/runner/run-input.ts';
import { createRng, type Rng } from '../../suites/values/seed.ts';
import type { Mutant, Variant } from '../edits/mutant.ts';
import { loadKnownKills } from './known-kills.ts';
import { buildMatrix, type Matrix, unproven } from './matrix.ts';
import { inBatches, type Pairing, pairKey, planAll, planFew } from './plan.ts';
import type { Proof } from './proof.ts';
import { type MutantLimits, ProofStack } from './proof-stack.ts';

export interface ProveOptions {
  /** The checks to prove. */
  readonly checks: readonly Check[];
  /** All checks. */
  readonly everyCheck: readonly Check[];
  readonly mutants: readonly Mutant[];
  readonly variants: readonly Variant[];
  /** Whether the question is only which mutants are killed: a check that kills none of them is no gap. */
  readonly onlyMutants: boolean;
  readonly quick: boolean;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Called before each part of the work with the number of its runs and its description. */
  readonly onPart: (runs: number, title: string) => void;
  readonly onResult: (result: JobResult) => void;
}

/** A quick proof has few upstream mutants, and each further tenant slows the start of a gateway. */
const limitsOf = (quick: boolean): MutantLimits =>
  quick ? { upstream: 8, source: 6 } : { upstream: 48, source: 12 };

/** Resolution for interleaving the checks of one gateway with those of others. */
const placesPerStep = 1_000;

/** Number of concurrent checks, in the first run and in repetitions. */
const concurrency = { first: 8, again: 2 };

/** Number of times that gaps are repeated; without gaps a repetition costs nothing. */
const furtherLooks = 2;

/**
 * Proves checks. Each must fail on a gateway with a defect that it covers, for the reason that the defect
 * declares.
 * Each must pass on the reference and on every harmless variant of it.
 * @throws Error when the stack or the runner breaks down.
 */
export async function proveChecks(options: ProveOptions): Promise<Proof> {
  const startedAt = new Date();
  const stack = await ProofStack.start({ ...options, limits: limitsOf(options.quick) });
  try {
    const matrix = await stack.whileUp(new Prover(stack, options).prove());
    return {
      schema: 'gatecheck.proof/1',
      seed: options.seed,
      size: options.quick ? 'quick' : 'full',
      started_at: startedAt.toISOString(),
      duration_ms: Date.now() - startedAt.getTime(),
      whole: matrix.gaps.length === 0 && !options.signal.aborted,
      interrupted: options.signal.aborted,
      ...matrix,
    };
  } finally {
    await stack.stop();
  }
}

/** One proof in progress: the results so far, and what to run next. */
class Prover {
  readonly #stack: ProofStack;
  readonly #options: ProveOptions;
  readonly #results = new Map<string, JobResult>();
  readonly #unsteady = new Set<string>();
  readonly #faults = new Map<string, string>();
  readonly #used = new Set<Mutant>();

  constructor(stack: ProofStack, options: ProveOptions) {
    this.#stack = stack;
    this.#options = options;
  }

  async prove(): Promise<Matrix> {
    const { checks, mutants, quick } = this.#options;
    const first = quick ? planFew(mutants, checks, new Set(), 1, loadKnownKills()) : planAll(mutants, checks);
    await this.#runPlan(first, this.#constantRuns(), concurrency.first);
    for (let look = 0; look < furtherLooks; look += 1) await this.#lookAgain();
    // A requirement only says which mutants a check may kill. Checks that killed none get more of them.
    for (let each = 1; quick && !this.#options.signal.aborted; each *= 2) {
      const plan = planFew(mutants, unproven(checks, this.#matrix()), new Set(this.#results.keys()), each);
      if (plan.length === 0) break;
      await this.#runPlan(plan, [], concurrency.first);
    }
    return this.#matrix();
  }

  #matrix(): Matrix {
    const { checks, everyCheck, mutants, onlyMutants } = this.#options;
    const used = mutants.filter((mutant) => this.#used.has(mutant));
    const results = [...this.#results.values()];
    return buildMatrix({
      checks,
      everyCheck,
      onlyMutants,
      mutants: used,
      variants: this.#shares().map(({ variant }) => variant),
      results,
      faults: this.#faults,
      unsteady: this.#unsteady,
    });
  }

  /**
   * Repeats every gap under low load, because checks judge times and a busy machine is not a defect. The new result counts,
   * and the proof reports the change.
   */
  async #lookAgain(): Promise<void> {
    const { checks, mutants, variants } = this.#options;
    const matrix = this.#matrix();
    const only = (ids: readonly string[]): Check[] => checks.filter((check) => ids.includes(check.id));
    const alarmed = matrix.variants.flatMap((one) => one.false_alarms);
    const constant: Run[] = [
      {
        target: this.#stack.reference(),
        checks: only([...matrix.baseline.map((one) => one.check), ...alarmed]),
      },
      ...variants.map((variant) => ({
        target: this.#stack.variant(variant),
        checks: only(matrix.variants.find(({ id }) => id === variant.id)?.false_alarms ?? []),
      })),
    ];
    const missed = matrix.mutants
      .filter((one) => !one.named_reason && one.fault === null)
      .map((one) => one.id);
    await this.#runPlan(
      planAll(
        mutants.filter((mutant) => missed.includes(mutant.id)),
        checks,
      ),
      constant.filter((run) => run.checks.length > 0),
      concurrency.again,
    );
  }

  /** Runs a plan batch by batch, with `others` in the first one. */
  async #runPlan(plan: readonly Pairing[], others: readonly Run[], width: number): Promise<void> {
    for (const [index, batch] of inBatches(plan, limitsOf(this.#options.quick)).entries()) {
      if (this.#options.signal.aborted) return;
      for (const { mutant } of batch) this.#used.add(mutant);
      const targets = await this.#stack.arrange(
        batch.map(({ mutant }) => mutant),
        this.#faults,
      );
      const runs: Run[] = batch.flatMap(({ mutant, checks }) => {
        const target = targets.get(mutant.id);
        return target === undefined ? [] : [{ target, checks }];
      });
      await this.#run(index === 0 ? [...others, ...runs] : runs, width);
    }
  }

  /**
   * What runs once: all checks on the reference, and on each variant all that a proxy can pass on.
   * In a quick proof each variant gets a part of the checks, and the reference the rest.
   */
  #constantRuns(): Run[] {
    const { checks, quick } = this.#options;
    const shares = this.#shares();
    const shared = new Set(shares.flatMap((share) => share.checks));
    return [
      { target: this.#stack.reference(), checks: checks.filter((check) => !quick || !shared.has(check)) },
      ...shares.map((share) => ({ target: this.#stack.variant(share.variant), checks: share.checks })),
    ].filter((run) => run.checks.length > 0);
  }

  /** The checks of each variant. In a quick proof of few checks some variants have none. */
  #shares(): { readonly variant: Variant; readonly checks: readonly Check[] }[] {
    const { checks, variants, quick } = this.#options;
    const throughProxy = checks.filter((check) => !check.raw);
    return variants
      .map((variant, turn) => ({
        variant,
        checks: throughProxy.filter((_, place) => !quick || place % variants.length === turn),
      }))
      .filter((share) => !quick || share.checks.length > 0);
  }

  async #run(runs: readonly Run[], width: number): Promise<void> {
    const jobs = spread(runs, createRng(this.#options.seed, 'the order of a proof'));
    if (jobs.length === 0) return;
    const again = width === concurrency.again ? ', a second look' : '';
    this.#options.onPart(jobs.length, `${runs.length} gateways${again}`);
    const { results, faults } = await execute(
      {
        targets: runs.map((run) => run.target),
        jobs,
        seed: this.#options.seed,
        size: 'quick',
        path: null,
        livesOn: false,
        replayPrefix: 'npx gatecheck prove',
      },
      { concurrency: width, bail: 0, onResult: this.#options.onResult, signal: this.#options.signal },
    );
    for (const result of results) this.#keep(result);
    if (faults[0] !== undefined && !this.#options.signal.aborted)
      throw new Error(`the runner broke down: ${faults[0]}`);
  }

  #keep(result: JobResult): void {
    const key = pairKey(result.target, result.id);
    const before = this.#results.get(key);
    if (before !== undefined && before.verdict !== result.verdict) {
      const reason = before.failure?.actual.slice(0, 160) ?? before.verdict;
      this.#unsteady.add(
        `${result.id} on ${result.target}: ${before.verdict}, then ${result.verdict} (${reason})`,
      );
    }
    this.#results.set(key, result);
  }
}

interface Run {
  readonly target: JobTarget;
  readonly checks: readonly Check[];
}

/**
 * Orders the jobs so that the checks of each gateway are spread over the whole run. Mutants with one tenant then do not queue
 * for it. Slow checks of one area do not run together at the end while the machine is idle. Checks that lock the clock come
 * last.
 */
function spread(runs: readonly Run[], rng: Rng): Job[] {
  const jobs = runs.flatMap(({ target, checks }) => {
    const start = rng.int(placesPerStep);
    return checks.map((check, step) => ({
      target: target.id,
      check,
      place: (step * placesPerStep + start) / checks.length,
    }));
  });
  return jobs
    .toSorted((a, b) => clockRank(a.check) - clockRank(b.check) || a.place - b.place)
    .map(({ target, check }) => ({ target, check: check.id }));
}
