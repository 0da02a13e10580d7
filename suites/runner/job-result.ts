import type { Verdict } from 'gatecheck-reports/report';
import { breakerRulesOf } from '../engine/breaker-rules.ts';
import type { Check } from '../engine/check.ts';
import type { CheckRecord } from '../engine/parts/check-record.ts';
import type { PropertyFacts } from '../engine/property.ts';
import type { Register } from '../rules/register.ts';
import type { Finding } from '../rules/violation.ts';
import { curlWay } from '../wire/curl.ts';
import { createRedactor } from '../wire/redactor.ts';
import { conclude, type Outcome } from './conclude.ts';
import { describeFailure, reported } from './describe-failure.ts';
import { emptyResult } from './empty-result.ts';
import type { EveryExchange } from './every/every-exchange.ts';
import { lookAround, type Surroundings, type Witnesses } from './evidence/surroundings.ts';
import { timelineOf } from './evidence/timeline-of.ts';
import type { JobResult, JobTarget, RunInput } from './run-input.ts';
import type { StackState, TargetState } from './stack-state.ts';

/** The most failures of a check that get timelines. */
const mostTimelines = 8;

/** How long to collect the evidence around a failure, ms. */
const asksForMs = 5_000;

/** The evidence around the failures of a check; null when it has none, or the run is over. */
export async function surroundingsOf(
  { check, register, target, signal }: JobContext,
  around: Omit<Witnesses, 'breakers' | 'signal'>,
  outcome: Outcome,
): Promise<Surroundings | null> {
  const { verdict, findings } = conclude(register, around.record, outcome);
  if (verdict !== 'fail' || signal.aborted) return null;
  const isAboutTime = check.kind === 'timing' || check.clock !== undefined || check.id.startsWith('route.');
  const breakers = isAboutTime ? breakerRulesOf(target.profile) : null;
  const within = AbortSignal.any([signal, AbortSignal.timeout(asksForMs)]);
  return lookAround({ ...around, breakers, signal: within }, findings.slice(0, mostTimelines));
}

/** The result of a check that ran to its end. */
export function toResult(
  context: JobContext,
  record: CheckRecord,
  outcome: Outcome,
  { durationMs, surroundings }: { readonly durationMs: number; readonly surroundings: Surroundings | null },
): JobResult {
  const redact = createRedactor(context.target.profile, record.concealed);
  const { verdict, findings } = conclude(context.register, ownFirst(record, context.check), outcome);
  const told = { ...context, surroundings, way: curlWay(context.target.profile) };
  const [failure, ...also] = findings.map((finding, nth) => {
    const described = describeFailure(
      told,
      finding,
      finding === outcome.finding ? record.property : null,
      redact,
    );
    if (surroundings === null || nth >= mostTimelines) return described;
    const timeline = timelineOf(finding, surroundings, { seenAt: record.seenAt(finding), redact });
    return { ...described, timeline };
  });
  return {
    ...blank(context, verdict, outcome.missing),
    evidence: {
      cases: Math.max(record.cases, record.exchanges > 0 ? 1 : 0),
      exchanges: record.exchanges,
      cases_digest: record.digest(),
      ...(record.reads === 0 ? {} : { reads: record.reads }),
      ...(record.models.size === 0 ? {} : { models: Object.fromEntries(record.models) }),
      ...(record.places.size === 0 ? {} : { places: Object.fromEntries(record.places) }),
      ...(record.ways.size === 0 ? {} : { ways: Object.fromEntries(record.ways) }),
      ...(record.undrawn === null ? {} : { undrawn: [...record.undrawn] }),
      notes: [...record.notes, ...record.advice.map(sentence)].map(redact),
      missing: withReasons(outcome.missing, context.target),
      property: record.property && withoutInput(record.property),
    },
    duration_ms: Math.round(durationMs),
    ...(surroundings !== null && { began_at: new Date(surroundings.beganAt).toISOString() }),
    ...(context.input.keepsExchanges === true && {
      exchanges: record.sent.map((exchange) => reported(exchange, redact)),
    }),
    ...(failure === undefined ? {} : { failure }),
    ...(also.length === 0 ? {} : { also }),
  };
}

/** With what concerns the rules of the check itself in front, because of warnings only the first is shown. */
function ownFirst(
  { violations, advice }: Pick<CheckRecord, 'violations' | 'advice'>,
  { requirements }: JobContext['check'],
): Pick<CheckRecord, 'violations' | 'advice'> {
  const foreign = ({ requirement }: Finding): number => Number(!requirements.includes(requirement));
  const sorted = (all: readonly Finding[]): Finding[] => all.toSorted((a, b) => foreign(a) - foreign(b));
  return { violations: sorted(violations), advice: sorted(advice) };
}

/** The input is part of the failure, so it is not repeated in the property facts. */
function withoutInput({ seed, path, runs, shrinks }: PropertyFacts): Omit<PropertyFacts, 'input'> {
  return { seed, path, runs, shrinks };
}

/** A result without any evidence. */
export function blank(
  { check, register, target }: JobContext,
  verdict: Verdict,
  missing: string[],
): JobResult {
  return { ...emptyResult(check, register, verdict, withReasons(missing, target)), target: target.id };
}

/** The result of a check that did not come to its end. */
export function notRun(context: JobContext, reason: string): JobResult {
  return { ...blank(context, 'untestable', []), not_run: reason };
}

/** Adds the reason to each declared fact that turned out to be missing. */
function withReasons(missing: readonly string[], { lost = [] }: JobTarget): string[] {
  return missing.map((fact) => lost.find((sentence) => sentence.startsWith(`${fact}: `)) ?? fact);
}

function sentence(finding: Finding): string {
  return `${finding.requirement}: advised ${finding.expected}; got ${finding.actual}`;
}

/** Everything around one run of one check. */
export interface JobContext {
  readonly input: RunInput;
  readonly register: Register;
  readonly check: Check;
  readonly target: JobTarget;
  readonly stack: StackState;
  readonly state: TargetState;
  /** Receives the findings in all exchanges of the check; null when not requested. */
  readonly every: Pick<EveryExchange, 'add' | 'mayAsk'> | null;
  readonly signal: AbortSignal;
}
