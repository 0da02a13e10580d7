import type { CheckResult, Verdict } from 'gatecheck-reports/report';
import { UnreachableError, UsageError } from '../process/exit-codes.ts';
import { requirementOf } from '../rules/register.ts';
import { type Finding, Untestable, Violation } from '../rules/violation.ts';
import { describeFailure } from '../runner/describe-failure.ts';
import { deriveSeed } from '../values/seed.ts';
import type { Redact } from '../wire/redactor.ts';
import { receiverChecks } from './all-checks.ts';
import { CaseJudge } from './case-judge.ts';
import type { ReceiverCheck } from './check.ts';
import { receiverRules } from './rules.ts';
import type { Session } from './session.ts';

export interface JudgeOptions {
  readonly session: Session;
  readonly selected: readonly ReceiverCheck[];
  readonly seed: number;
  /** The command that repeats the judgement, without the selection of checks. */
  readonly replayPrefix: string;
  readonly redact: Redact;
  readonly signal: AbortSignal;
  /** Called with each result for the report as soon as it is known. */
  readonly onResult: (result: CheckResult) => void;
}

/**
 * Runs the checks one after the other, each after its prerequisites.
 * An unselected prerequisite is in the result only when it failed.
 */
export async function judgeReceiver(options: JudgeOptions): Promise<CheckResult[]> {
  const results = new Map<string, CheckResult>();
  const wanted = withPrerequisites(options.selected);
  for (const check of receiverChecks.filter((one) => wanted.has(one.id))) {
    const result = await resultOf(check, results, options);
    results.set(check.id, result);
    if (isReported(result, options)) options.onResult(result);
  }
  return [...results.values()].filter((result) => isReported(result, options));
}

function isReported({ id, verdict }: CheckResult, { selected }: JudgeOptions): boolean {
  return selected.some((check) => check.id === id) || !['pass', 'warn'].includes(verdict);
}

function withPrerequisites(selected: readonly ReceiverCheck[]): Set<string> {
  return new Set(selected.flatMap(({ id, after }) => [...after.map(({ check }) => check), id]));
}

async function resultOf(
  check: ReceiverCheck,
  results: ReadonlyMap<string, CheckResult>,
  options: JudgeOptions,
): Promise<CheckResult> {
  const stopped = stopperOf(check, results);
  if (stopped !== null) return unjudged(check, [], `not judged: ${stopped} failed, which explains it`);
  if (options.signal.aborted) return unjudged(check, [], 'interrupted');
  const caseJudge = new CaseJudge(options.session, options.seed, check.id);
  const before = options.session.exchanges;
  const start = performance.now();
  const outcome = await settle(() => check.run(caseJudge), check);
  if (options.signal.aborted) return unjudged(check, [], 'interrupted');
  const finding = outcome.finding ?? caseJudge.advice[0] ?? null;
  const verdict = outcome.verdict === 'pass' && finding !== null ? 'warn' : outcome.verdict;
  const context = { check, register: receiverRules, input: { ...options, size: 'quick' as const } };
  return {
    ...unjudged(check, outcome.missing),
    verdict,
    evidence: {
      cases: caseJudge.cases,
      exchanges: options.session.exchanges - before,
      cases_digest: deriveSeed(options.seed, check.id).toString(16),
      notes: [caseJudge.saw, ...caseJudge.notes, ...caseJudge.advice.map(sentence)].map(options.redact),
      missing: outcome.missing,
      property: null,
    },
    duration_ms: Math.round(performance.now() - start),
    ...(finding === null ? {} : { failure: describeFailure(context, finding, null, options.redact) }),
  };
}

/** The failed prerequisite that makes a result of this check meaningless, or null. */
function stopperOf({ after }: ReceiverCheck, results: ReadonlyMap<string, CheckResult>): string | null {
  const shut = [...results.values()].find(({ failure }) => failure?.aspect === 'still-accepts');
  if (shut !== undefined) return shut.id;
  const stopper = after.find(({ check, aspects }) => {
    const result = results.get(check);
    return (
      result?.verdict === 'fail' && (aspects === undefined || aspects.includes(result.failure?.aspect ?? ''))
    );
  });
  return stopper?.check ?? null;
}

interface Outcome {
  readonly verdict: Verdict;
  readonly finding: Finding | null;
  readonly missing: string[];
}

async function settle(work: () => Promise<void>, check: ReceiverCheck): Promise<Outcome> {
  try {
    await work();
    return { verdict: 'pass', finding: null, missing: [] };
  } catch (error) {
    if (error instanceof UnreachableError || error instanceof UsageError) throw error;
    if (error instanceof Untestable)
      return { verdict: 'untestable', finding: null, missing: [error.message] };
    if (error instanceof Violation) {
      const { level } = requirementOf(receiverRules, error.finding.requirement);
      return { verdict: level === 'SHOULD' ? 'warn' : 'fail', finding: error.finding, missing: [] };
    }
    const actual = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const finding = {
      requirement: check.rule,
      aspect: 'harness',
      expected: 'the check runs to its end',
      actual,
    };
    return { verdict: 'harness-error', finding, missing: [] };
  }
}

function unjudged(check: ReceiverCheck, missing: string[], note?: string): CheckResult {
  const { area, level } = requirementOf(receiverRules, check.rule);
  const notes = note === undefined ? [] : [note];
  return {
    id: check.id,
    title: check.title,
    area,
    requirements: [check.rule],
    level,
    verdict: 'untestable',
    evidence: { cases: 0, exchanges: 0, cases_digest: '', notes, missing, property: null },
    duration_ms: 0,
  };
}

function sentence({ requirement, expected, actual }: Finding): string {
  return `${requirement}: advised ${expected}; got ${actual}`;
}
