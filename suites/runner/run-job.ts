import { isRed } from 'gatecheck-reports/verdict-words';
import { CheckIsOver } from '../engine/check-is-over.ts';
import { DegradedModels } from '../engine/degraded-models.ts';
import { missingFacts } from '../engine/has-fact.ts';
import type { Timeline } from '../engine/lockstep.ts';
import { CheckRecord } from '../engine/parts/check-record.ts';
import { CheckSender } from '../engine/parts/check-sender.ts';
import { type CheckContext, createCheckParts } from '../engine/parts/create-check-parts.ts';
import type { LeasedTenant } from '../engine/parts/tenant.ts';
import { unlessAborted } from '../process/unless-aborted.ts';
import type { TenantProfile } from '../profile/profile.ts';
import { silencedBy } from '../profile/translation.ts';
import { collecting, Untestable, Violation } from '../rules/violation.ts';
import { isTooLong } from '../wire/body-bounds.ts';
import { Deadline } from '../wire/deadline.ts';
import { createRedactor } from '../wire/redactor.ts';
import { atOneTime } from './at-one-time.ts';
import { type Outcome, verdictOf } from './conclude.ts';
import { describeFailure } from './describe-failure.ts';
import { keepFound, unhidden, watchOver } from './every/watch-job.ts';
import { harnessFinding } from './harness-finding.ts';
import { withoutHidden } from './hidden-by-dialect.ts';
import type { JobContext } from './job-result.ts';
import { blank, notRun, surroundingsOf, toResult } from './job-result.ts';
import { mayBreakOpen, withoutOutages } from './outage.ts';
import type { Job, JobResult, JobTarget } from './run-input.ts';
import { type Lease, tenantsOf } from './tenant-pool.ts';
import { withoutUnknownKeys } from './unknown-keys.ts';

/** The time limit of one check once it has its tenants, ms. It is longer than the limit of a property. */
const checkLimits = { smoke: 300_000, quick: 300_000, full: 600_000 } as const;

/** How often a check restarts when the deployment was unreachable meanwhile; after that, its result counts. */
const beginsAgain = 2;

/**
 * Runs one check against one target and returns its result. It never throws: every error becomes a verdict.
 * @param patience how often it begins again because the deployment was away
 */
export async function runJob(context: JobContext, patience = beginsAgain): Promise<JobResult> {
  const { signal } = context;
  const { presence, budget } = context.state;
  if (presence === null) return runOnce(context);
  for (let left = patience; ; left -= 1) {
    await unlessAborted(presence.here(), signal);
    const [absences, losses] = [presence.absences, presence.losses];
    const kept = keepFound(context);
    const once = { ...context, every: kept.every };
    const result =
      left > 0 ? await runOnce(once, presence.signal) : await presence.turns.pass(() => runOnce(once));
    if (result.not_run !== undefined) return result;
    const isDoubted = isRed(result.verdict) || (result.verdict !== 'pass' && presence.losses > losses);
    if (isDoubted) await unlessAborted(presence.look(), signal);
    if (signal.aborted && presence.absences > absences) return notRun(context, 'the run ended before it');
    if (budget.spent !== null && isDoubted) return notRun(context, budget.spent);
    if (presence.absences > absences && left > 0) continue;
    kept.addAll();
    return result;
  }
}

/** @param away ends it without a result that counts */
async function runOnce(context: JobContext, away: AbortSignal | null = null): Promise<JobResult> {
  const { check, target } = context;
  const missing = missingFacts(check.needs, target.profile);
  if (missing.length > 0) {
    const absent = missing.every((fact) => target.profile.absent.includes(fact));
    return blank(context, absent ? 'not-applicable' : 'untestable', missing);
  }
  const [, code = ''] = /^err\.code\.(.+)$/.exec(check.id) ?? [];
  const blurred = target.profile.translation?.blurred?.get(code.replaceAll('-', '_'));
  const silenced = silencedBy(target.profile.translation, check.requirements);
  if (silenced !== null) return blank(context, 'untestable', [silenced]);
  if (blurred !== undefined) return blank(context, 'untestable', [blurred]);
  const { state, input } = context;
  if (state.budget.spent !== null) return notRun(context, state.budget.spent);
  // Lease tenants before the clock lock: a recovery of a tenant may need the clock for itself.
  const lease =
    target.profile.tenants.length > 0
      ? await state.tenants.lease(tenantsOf(check, input.size), state.channelRecovery ?? undefined)
      : await state.tenants.leaseSeat(sharesAccount(check), state.channelRecovery ?? undefined);
  try {
    return await atOneTime(context, check.clock, (timeline) => {
      const work = (): Promise<JobResult> => judge(context, lease, timeline, away);
      return state.presence?.during(check.id, work) ?? work();
    });
  } catch (error) {
    // A check that waited for its tenants may find the stack closed by the end of the run.
    if (context.signal.aborted) return notRun(context, 'the run ended before it');
    // A hook that fails between checks is the deployment's affair, as it is within a check.
    if (error instanceof Untestable) return blank(context, 'untestable', [error.message]);
    return {
      ...blank(context, 'harness-error', []),
      failure: describeFailure(
        context,
        harnessFinding(context, error),
        null,
        createRedactor(context.target.profile),
      ),
    };
  } finally {
    lease.release();
  }
}

async function judge(
  context: JobContext,
  lease: Lease,
  timeline: Timeline | null,
  away: AbortSignal | null,
): Promise<JobResult> {
  const { check, target, stack, state, input } = context;
  const tenants = leasedTenants(lease, context);
  const reset = (): Promise<unknown> =>
    Promise.all(lease.tenants.map(({ name }) => stack.simulators?.tenant(name).reset()));
  await reset();
  const limit = new Deadline(
    checkLimits[input.size] + (check.extraMs?.(timesOf(target)) ?? 0),
    () => (timeline?.waitedMs ?? 0) + (state.client.pace?.pacedMs ?? 0),
  );
  const record = new CheckRecord(input.keepsExchanges === true ? Number.POSITIVE_INFINITY : undefined);
  const over = new AbortController();
  const around: CheckContext = {
    checkId: check.id,
    seed: input.seed,
    size: input.size,
    path: input.path,
    profile: target.profile,
    tenants,
    ownTenant: lease.own,
    models: target.models,
    mediaModels: target.mediaModels,
    client: state.client,
    signal: AbortSignal.any([
      ...[context.signal, state.budget.signal, limit.signal, over.signal],
      ...(away === null ? [] : [away]),
    ]),
    clock: state.time?.clock ?? null,
    timeline,
    clockSkewMs: target.clockSkewMs ?? 0,
    slots: judgesCap(check) ? null : state.slots,
    inFlight: state.inFlight,
    traffic: state.traffic,
    drawsPace: !isAboutTime(check),
    receiver: await stack.receiver(),
    budget: state.budget,
    saw: (exchange) => watch?.saw(exchange),
  };
  const sender = new CheckSender(around, record);
  const parts = createCheckParts(around, record, sender);
  const watch = context.every === null ? null : await watchOver(context, parts, record);
  const [start, beganAt] = [performance.now(), Date.now()];
  const settled = await settle(
    () =>
      collecting(
        (finding) => (finding.isAdvice ? record.advise(finding) : record.violate(finding)),
        () => check.run(parts),
      ),
    context,
  );
  if (settled.finding !== null) record.sees(settled.finding);
  const open = await withoutOutages(check, parts, record, {
    outcome: settled,
    served: state.waysServed,
    breaks: mayBreakOpen(target.profile),
  }).catch(() => settled);
  const outcome = withoutHidden(target.profile, record, withoutUnknownKeys(record, open), check.requirements);
  // One part of a check may have ended it while other parts still run. They must not affect the next check.
  record.close();
  over.abort(new CheckIsOver());
  limit.clear();
  await sender.idle();
  const witnesses = {
    beganAt,
    record,
    clock: parts.clock,
    simulators: stack.simulators,
    tenants: parts.tenants,
  };
  const surroundings = await surroundingsOf(context, witnesses, outcome);
  // If accounts or upstreams cannot be read, the check's own findings still count.
  const found = await watch?.conclude().catch(() => undefined);
  // Release whatever the check left hanging at the upstream before the tenants go to another check.
  await Promise.all([reset(), ...parts.tenants.map(({ webhooks }) => webhooks.close())]);
  for (const { name, degraded } of tenants) state.channelRecovery?.add(name, degraded.models, state.client);
  // What a check saw while its calls were cut off proves nothing about the deployment.
  const { spent } = state.budget;
  const hasEnded = context.signal.aborted || (spent !== null && !foundTooLong(record, outcome));
  if (hasEnded) return notRun(context, spent ?? 'the run ended before it');
  const hide = createRedactor(target.profile, record.concealed);
  if (found !== undefined)
    context.every?.add(check.id, unhidden(found, target.profile), (finding) =>
      describeFailure(context, finding, null, hide),
    );
  // The wait for the clock is not part of the check's duration.
  return toResult(context, record, outcome, {
    durationMs: performance.now() - start - (timeline?.waitedMs ?? 0),
    surroundings,
  });
}

/** Whether a check found an answer too long. That is a finding even if it also ended the run. */
function foundTooLong({ violations }: CheckRecord, { finding }: Outcome): boolean {
  return [...violations, finding].some((one) => one?.exchange !== undefined && isTooLong(one.exchange));
}

/** Whether a check may run beside others on one account, because it neither fills the cap nor measures times. */
function sharesAccount(check: JobContext['check']): boolean {
  return !isAboutTime(check) && !judgesCap(check);
}

function isAboutTime({ kind, clock }: JobContext['check']): boolean {
  return ['concurrency', 'timing'].includes(kind) || clock !== undefined;
}

/** Whether a check is about slots, so that each refusal by the cap counts. */
function judgesCap({ requirements }: JobContext['check']): boolean {
  return requirements.some((id) => /^(?:LIM-00\d|LIM-010|ERR-020)$/.test(id));
}

function leasedTenants(
  { tenants }: Lease,
  { target, stack, state }: JobContext,
): readonly [LeasedTenant, ...LeasedTenant[]] {
  const { profile } = target;
  // The profile's common secret belongs only to K1's account, so it applies only without separate tenants.
  const common = profile.tenants.length === 0 ? profile.webhooks.secret : undefined;
  const leasedOf = ({
    name,
    keys,
    channels,
    webhook_secret: secret = common,
  }: TenantProfile): LeasedTenant => ({
    ...{ name, keys, channels },
    webhookSecret: secret ?? null,
    upstream: stack.simulators?.tenant(name) ?? null,
    degraded: new DegradedModels(profile),
    served: state.served,
  });
  const [first, ...others] = tenants;
  return [leasedOf(first), ...others.map(leasedOf)];
}

async function settle(work: () => Promise<void>, context: JobContext): Promise<Outcome> {
  try {
    await work();
    return { verdict: 'pass', finding: null, missing: [] };
  } catch (error) {
    if (error instanceof Violation)
      return { verdict: verdictOf(error.finding, context.register), finding: error.finding, missing: [] };
    if (error instanceof Untestable) {
      const isAbsent = isAbsentFact(context.target.profile, error.message);
      const verdict = isAbsent ? 'not-applicable' : 'untestable';
      return { verdict, finding: null, missing: [error.message] };
    }
    return { verdict: 'harness-error', finding: harnessFinding(context, error), missing: [] };
  }
}

/**
 * Whether the profile declares a fact absent: a fact, a part of the interface, or a model in a role that no own model has.
 */
function isAbsentFact({ absent, dialect }: JobTarget['profile'], missing: string): boolean {
  const isRole = missing.startsWith('models.enabled with');
  const hasOwn = Object.keys(dialect?.models ?? {}).length > 0;
  return (
    absent.includes(missing) || (isRole && (hasOwn || absent.includes('images') || absent.includes('tasks')))
  );
}

function timesOf(target: JobTarget): { answerMs: number; headerTimeoutMs: number } {
  return {
    answerMs: target.profile.timeouts.answer_ms,
    headerTimeoutMs: target.profile.http.header_timeout_ms ?? 0,
  };
}

/** The name of a job in the test runner: unique, and readable in the runner's own errors. */
export function jobName(job: Job): string {
  return `${job.check} @ ${job.target}`;
}
