import { isRed } from 'gatecheck-reports/verdict-words';
import type { JobResult } from '../../../suites/runner/run-input.ts';
import type { Bench } from '../bench/bench.ts';
import type { SourceMutant } from '../source-mutant.ts';
import { killOf, type Look } from '../subject-progress.ts';
import type { MutantGateway, MutantGateways } from './mutant-gateways.ts';
import { type Accusation, accusationsOf, GroupRecord, halves, type Member } from './together.ts';

/** A survivor of the first round. */
export interface Suspect extends Member {
  readonly mutant: SourceMutant;
}

/** The result for a mutant in the second round. */
export interface Finding extends Look {
  readonly mutant: SourceMutant;
  readonly fault: string | null;
}

export interface TogetherOptions {
  /** All checks, in the order in which they run. */
  readonly order: readonly string[];
  readonly gateways: Pick<MutantGateways, 'reference' | 'start'>;
  readonly bench: Bench;
  readonly onRun: (suspects: readonly Suspect[], checks: number) => void;
  readonly onFinding: (finding: Finding) => void;
}

/** Concurrent checks on one gateway, and concurrent gateways with one suspect. */
const atOnce = { checks: 8, suspects: 3 } as const;

/** After this many failures the run stops to follow up: one mutant may fail hundreds of checks. */
const enoughFailures = 12;

/** Maximum runs of a group. A mutant that is left then was judged by only some of its checks. */
const mostRounds = 10;

/**
 * Runs every check that reaches a member of the group once, on one gateway with all of them. A failing check is then tried
 * alone on each member that it reaches. A group that does not start, or breaks down, is split in two.
 */
export async function lookTogether(group: readonly Suspect[], options: TogetherOptions): Promise<void> {
  const court = new Court(group, options);
  for (let round = 0; round < mostRounds && court.todo().length > 0; round += 1) {
    const isWhole = await court.sit();
    if (options.bench.signal.aborted) return;
    if (isWhole) continue;
    for (const half of halves(court.record.left)) await lookTogether(half, options);
    return;
  }
  court.release();
}

/** One group in progress. */
class Court {
  readonly record: GroupRecord<Suspect>;
  readonly #options: TogetherOptions;
  readonly #warned = new Set<string>();
  readonly #untestable = new Set<string>();
  readonly #unsteady = new Map<string, string[]>();

  constructor(group: readonly Suspect[], options: TogetherOptions) {
    this.record = new GroupRecord(group);
    this.#options = options;
  }

  todo(): string[] {
    return this.record.todo(this.#options.order);
  }

  /** Runs the remaining checks once. Returns false if there are several members and their gateway does not work. */
  async sit(): Promise<boolean> {
    const { gateways, bench, onRun } = this.#options;
    const { left } = this.record;
    const todo = this.todo();
    onRun(left, todo.length);
    const gateway = await gateways.start(left.map(({ mutant }) => mutant));
    if ('refusal' in gateway) {
      const [only] = left;
      if (left.length > 1 || only === undefined) return false;
      this.#dismiss(only, { fault: gateway.refusal });
      return true;
    }
    const results = await this.#judgeAll(gateway, todo);
    const failed = results.filter(({ verdict }) => isRed(verdict)).map(({ id }) => id);
    const isDown = failed.length > 0 && left.length > 1 && (await gateway.fault()) !== null;
    bench.withdraw(gateway.target);
    await gateway.stop();
    if (isDown) return false;
    for (const result of results) this.#note(result);
    for (const accusation of accusationsOf(failed, left)) await this.#followUp(accusation);
    return true;
  }

  /** The remaining members have survived. */
  release(): void {
    for (const suspect of this.record.left) this.#options.onFinding(this.#findingOf(suspect, {}));
  }

  async #judgeAll({ target }: MutantGateway, checks: readonly string[]): Promise<JobResult[]> {
    const queue = [...checks];
    const results: JobResult[] = [];
    const work = async (): Promise<void> => {
      while (results.filter(({ verdict }) => isRed(verdict)).length < enoughFailures) {
        const check = queue.shift();
        if (check === undefined) return;
        const result = await this.#options.bench.judge(target, check);
        if (result === null) return;
        results.push(result);
      }
    };
    await Promise.all(Array.from({ length: atOnce.checks }, work));
    return results;
  }

  #note(result: JobResult): void {
    if (isRed(result.verdict)) return;
    this.record.settle(result.id);
    if (result.verdict === 'warn') this.#warned.add(result.id);
    if (result.verdict === 'untestable') this.#untestable.add(result.id);
  }

  /** Runs a check on single suspects, a few at a time, until it is known which one it kills. */
  async #followUp({ check, suspects }: Accusation<Suspect>): Promise<void> {
    const { bench, gateways } = this.#options;
    const beside = await bench.judge(gateways.reference(), check);
    const isSteady = beside !== null && !isRed(beside.verdict);
    for (let from = 0; isSteady && from < suspects.length; from += atOnce.suspects) {
      const few = suspects.slice(from, from + atOnce.suspects);
      const killed = await Promise.all(few.map((suspect) => this.#tryAlone(suspect, check)));
      if (killed.includes(true)) return;
    }
    if (bench.signal.aborted) return;
    this.record.settle(check);
    for (const { id } of suspects) {
      const text = isSteady ? 'and on none of them alone' : 'and on the reference';
      const earlier = this.#unsteady.get(id) ?? [];
      this.#unsteady.set(id, [...earlier, `${check}: failed on ${suspects.length} together, ${text}`]);
    }
  }

  /** Whether the check kills the suspect, as it failed on all together and passed on the reference. */
  async #tryAlone(suspect: Suspect, check: string): Promise<boolean> {
    const { bench, gateways } = this.#options;
    const gateway = await gateways.start([suspect.mutant]);
    if ('refusal' in gateway) {
      this.#dismiss(suspect, { fault: gateway.refusal });
      return true;
    }
    const result = await bench.judge(gateway.target, check);
    await gateway.stop();
    if (result === null || !isRed(result.verdict)) return false;
    this.#dismiss(suspect, { kill: killOf(result) });
    return true;
  }

  #dismiss(suspect: Suspect, what: Partial<Finding>): void {
    if (this.#options.bench.signal.aborted) return;
    this.#options.onFinding(this.#findingOf(suspect, what));
    this.record.remove(suspect);
  }

  #findingOf(suspect: Suspect, what: Partial<Finding>): Finding {
    const its = (ids: ReadonlySet<string>): string[] =>
      [...ids].filter((id) => suspect.checks.has(id)).toSorted();
    return {
      mutant: suspect.mutant,
      ...{ kill: null, fault: null, judged: this.record.judgedOn(suspect) },
      ...{ warnedBy: its(this.#warned), untestable: its(this.#untestable) },
      unsteady: this.#unsteady.get(suspect.id) ?? [],
      ...what,
    };
  }
}
