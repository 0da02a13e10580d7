import {
  type DialectVersion,
  isChatDialect,
  type NativeAnswer,
  nativeAnswer,
  type RenderedAnswer,
} from '../answers/native-answer.ts';
import { asNative, eventsAnswer, rawAnswer, withErrorMembers, withHeaders } from '../answers/whole-answer.ts';
import type { WireEnd } from '../answers/wire-program.ts';
import type { FaultEntry } from '../control/journal.ts';
import type { Reply } from '../control/protocol.ts';
import { isRaw } from '../control/raw-reply.ts';
import type { FaultContext } from '../fault-contract/fault.ts';
import { findFault } from '../faults/catalogue.ts';
import type { Upstream } from '../http/upstream.ts';
import type { Pace } from '../latency/pace.ts';
import type { Dialect, DialectContext, ModelCall, NativeRequest, Opened } from '../providers/dialect.ts';
import { replaySteps } from '../recordings/recorded.ts';
import { RequestFacts } from '../requests/request-facts.ts';
import type { Draws } from '../scenarios/draws.ts';
import type { Exhausted, LimitCounter } from '../state/rate-limits.ts';
import { asVariants, variantMisfit, variantsOf } from '../variants/known-variants.ts';
import type { Exchange } from './exchange.ts';
import { type AnswerParts, faultReply } from './fault-reply.ts';
import { counterOf, refusalFault, tokensOf, withWindows } from './limits.ts';
import { altered, type Outgoing, overHttp } from './outgoing.ts';
import { isLeftToProvider, leavesAsItComes, passOn, providerAnswer } from './pass-on.ts';
import { planReply } from './plan-reply.ts';
import { send } from './send.ts';

/**
 * Answers one request completely, in any dialect. The stages in order: a scripted end of a reused connection; requests
 * without a script; the script with its faults; the answer; sending it.
 */
export function answerRequest(
  dialect: Dialect,
  exchange: Exchange,
  native: NativeRequest,
  context: DialectContext,
): Promise<void> | void {
  const ends = endOfReused(exchange, native);
  if (ends !== null) return exchange.cut(ends);
  const opened = dialect.open(exchange, native, context);
  const { provider } = context;
  if (opened.is === 'settled' && provider !== null) return passOn(exchange, native, provider);
  if (opened.is !== 'call') return send(exchange, withoutScript(dialect, exchange, opened));
  const planned = plan(dialect, exchange, native, opened, context);
  const refusal = refuseUnscripted(planned, provider);
  if (refusal !== null) return send(exchange, refusal);
  if (
    provider === null ||
    !isLeftToProvider(planned.reply, (fault) => findFault(fault, dialect.name, opened.call, planned.version))
  )
    return send(exchange, outgoingFor(planned));
  return answerFrom(provider, planned);
}

/** Sends the answer of a real provider, with the scripted disturbances. */
async function answerFrom(provider: Upstream, planned: PlannedCall): Promise<void> {
  const { exchange, native, reply, dialect, opened, variants, pace } = planned;
  if (leavesAsItComes(reply) && variants.length === 0)
    return passOn(exchange, native, provider, reply.headers);
  const judged = await providerAnswer(exchange, native, provider, { dialect: dialect.name, pace });
  if (judged === null) return;
  if (!judged.ok && judged.refusal.status < 400)
    return send(exchange, { answer: notScripted(dialect, 'no fault knows the end of this stream') });
  const call = judged.ok ? judged.call : opened.call;
  const real: ModelCall = { ...opened, call, headers: judged.common, answer: () => judged };
  return send(exchange, outgoingFor({ ...planned, opened: real }));
}

function endOfReused(
  { connection, tenant }: Exchange,
  { head, channel, body }: NativeRequest,
): WireEnd | null {
  return connection.earlier === 0 ? null : tenant.scripts.endOfReused(new RequestFacts(head, channel, body));
}

function withoutScript(dialect: Dialect, exchange: Exchange, opened: Exclude<Opened, ModelCall>): Outgoing {
  if (opened.is === 'settled') {
    const { status } = opened.answer;
    if (status >= 400)
      exchange.noteUnexpected(() => `it was refused with ${status}, and no script applies to it`);
    return { answer: asNative(opened.answer, dialect.name, opened.headers) };
  }
  exchange.record.faultedBy(opened.fault);
  return altered(opened.answer);
}

/** Takes the reply of the request and writes it to the journal. An empty reply stands for generated content. */
function plan(
  dialect: Dialect,
  exchange: Exchange,
  native: NativeRequest,
  opened: ModelCall,
  context: DialectContext,
): PlannedCall {
  const kind = { dialect: dialect.name, call: opened.call };
  const request = new RequestFacts(native.head, native.channel, native.body, kind);
  const {
    reply: planned,
    pace,
    draws,
    script,
    disturbedBy,
  } = planReply(exchange.tenant, request, exchange.now());
  exchange.record.answeredBy(script);
  exchange.record.drew(draws, disturbedBy);
  const reply = context.version === null ? planned : { version: context.version, ...planned };
  const version = reply.version ?? opened.version ?? 'current';
  const isScripted = script !== null || disturbedBy !== null || exchange.tenant.scenario !== null;
  const variants = variantsOf(
    reply.variant === undefined ? exchange.tenant.settings.variants : [reply.variant],
    dialect.name,
  );
  return { dialect, exchange, native, opened, request, isScripted, reply, version, variants, pace, draws };
}

/** Records a request without a script. In a strict tenant, rejects it with the nearest script. */
function refuseUnscripted(
  { exchange, dialect, request, isScripted }: PlannedCall,
  provider: Upstream | null,
): Outgoing | null {
  const { scripts, settings } = exchange.tenant;
  if (isScripted || (provider !== null && !settings.strict)) return null;
  exchange.noteUnexpected(() => scripts.nearest(request));
  if (!settings.strict) return null;
  return {
    answer: notScripted(dialect, `nothing is scripted for this request; ${scripts.nearest(request)}`),
  };
}

/** The outgoing answer, and the journal's entry of the fault. */
interface Made {
  readonly made: Outgoing | { readonly misfit: string };
  readonly fault?: FaultEntry;
}

function outgoingFor(planned: PlannedCall): Outgoing {
  const { exchange, dialect } = planned;
  const { made, fault } = withinLimits(planned);
  const outgoing = 'misfit' in made ? made : overHttp(exchange.connection.http, made);
  const misfit = 'misfit' in outgoing ? outgoing.misfit : null;
  if (fault !== undefined)
    exchange.record.faultedBy({ ...fault, ...(misfit === null ? {} : { applied: false, misfit }) });
  if (!('misfit' in outgoing)) {
    const isHeld = outgoing.scripted?.gates?.includes('head') === true;
    return isHeld ? { ...outgoing, instead: (reply) => outgoingFor({ ...planned, reply }) } : outgoing;
  }
  return { answer: notScripted(dialect, `the simulators cannot do what is scripted: ${outgoing.misfit}`) };
}

/** The answer, or the provider's own error if the key exceeds its limits. */
function withinLimits(planned: PlannedCall): Made {
  const { exchange, request, reply } = planned;
  if (reply.limits === undefined) return madeFor(planned);
  const nowMs = exchange.now();
  const counter = counterOf(exchange.tenant, reply.limits, request, nowMs);
  const exhausted = counter.take(nowMs);
  const made = exhausted === null ? madeFor(planned) : { made: refusalOf(planned, exhausted) };
  if (exhausted === null && counter.countsTokens) spend(planned, counter, nowMs);
  if (!('answer' in made.made)) return made;
  const { answer } = made.made;
  return { ...made, made: { ...made.made, answer: withWindows(answer, counter, nowMs) } };
}

/** A generated answer spends the tokens of its usage, even if its stream does not report them. */
function spend(planned: PlannedCall, counter: LimitCounter, nowMs: number): void {
  const { fault, hang } = planned.reply;
  if (fault !== undefined || hang === 'head' || isRaw(planned.reply)) return;
  if (isChatDialect(planned.dialect.name))
    counter.spendTokens(tokensOf(judge(planned, { fit: 'usage' }).answer), nowMs);
}

function refusalOf(planned: PlannedCall, exhausted: Exhausted): Made['made'] {
  const { dialect, opened, version } = planned;
  const scripted = refusalFault(dialect.name, exhausted);
  const found = scripted === null ? null : findFault(scripted, dialect.name, opened.call, version);
  if (scripted !== null && found?.ok === true && found.fault.kind === 'instead')
    return {
      answer: found.fault.answer({ ...contextOf(planned, found.form, scripted), dialect: found.dialect }),
    };
  const { headers, ...answer } = asNative(opened.ownError(429, version), dialect.name, opened.headers);
  const retry = { 'retry-after': String(Math.ceil(exhausted.retryMs / 1000)) };
  return { answer: { ...answer, headers: withHeaders(headers, retry) } };
}

/** Recordings, faults and raw replies do not depend on the native checks; generated answers do. */
function madeFor(planned: PlannedCall): Made {
  const { reply: scripted, pace } = planned;
  const { replay } = scripted;
  if (replay !== undefined) return { made: { scripted, stepsAt: () => replaySteps(replay) } };
  const misfit =
    scripted.variant === undefined ? null : variantMisfit(scripted.variant, planned.dialect.name);
  if (misfit !== null) return { made: { misfit } };
  if (scripted.fault !== undefined) return withFault(planned, scripted.fault);
  if (isRaw(scripted)) return { made: { answer: rawOf(planned), scripted, pace } };
  if (scripted.hang === 'head') return { made: { scripted, stepsAt: () => [] } };
  const { answer, isRefusal } = judge(planned);
  return { made: { answer, scripted: isRefusal ? {} : scripted, pace } };
}

/** One call and everything that determines its answer. */
interface PlannedCall {
  readonly dialect: Dialect;
  readonly exchange: Exchange;
  readonly native: NativeRequest;
  readonly opened: ModelCall;
  readonly request: RequestFacts;
  /** Whether a script, a fault or a scenario affects the call. */
  readonly isScripted: boolean;
  readonly reply: Reply;
  readonly version: DialectVersion;
  readonly variants: readonly string[];
  readonly pace: Pace;
  readonly draws: Draws;
}

/** The dialect's own error body for a status of 400 or more without a body. */
function rawOf({ dialect, opened, reply, version, pace }: PlannedCall): NativeAnswer {
  const { status = 200, body, events, error } = reply;
  if (events !== undefined) return eventsAnswer(dialect.name, reply, events, opened.headers);
  const own = body === undefined && status >= 400 ? opened.ownError(status, version) : null;
  const raw =
    own === null ? rawAnswer(status, body) : error === undefined ? own : withErrorMembers(own, error);
  const answer = asNative(raw, dialect.name, opened.headers, pace.dueMs(0));
  return { ...answer, headers: withHeaders(answer.headers, reply.headers) };
}

function judge(
  { dialect, exchange, opened, reply, variants, pace }: PlannedCall,
  { appliedFault, fit, except }: AnswerParts = {},
): { answer: RenderedAnswer; isRefusal: boolean } {
  const job = { ...reply.job, ...appliedFault?.fault.life };
  const fitted = {
    ...(fit === undefined ? {} : { fit }),
    ...(except === undefined ? {} : { [except]: undefined }),
  };
  const judged = opened.answer({ ...reply, ...fitted, job }, pace, appliedFault ?? null);
  if (!judged.ok) return { answer: asNative(judged.refusal, dialect.name, opened.headers), isRefusal: true };
  const headers = withHeaders({ ...opened.headers, ...judged.headers }, reply.headers);
  const { call, status = 200, frames } = judged;
  const answer = { dialect: dialect.name, call, status, headers, frames };
  if (variants.length === 0) return { answer, isRefusal: false };
  exchange.record.variedBy(variants);
  return { answer: asVariants(nativeAnswer(answer), variants), isRefusal: false };
}

function withFault(planned: PlannedCall, scripted: NonNullable<Reply['fault']>): Made {
  const { dialect, opened, reply, version, pace } = planned;
  const found = findFault(scripted, dialect.name, opened.call, version);
  const { id, after = null } = scripted;
  const form = found.ok ? found.form : (scripted.form ?? null);
  const made = found.ok
    ? faultReply(found.fault, () => ({ ...contextOf(planned, form, scripted), dialect: found.dialect }), {
        scripted: reply,
        pace,
        headers: reply.headers,
        answer: (parts) => {
          const { answer, isRefusal } = judge(planned, parts);
          return { answer: nativeAnswer(answer), isRefusal };
        },
      })
    : found;
  const fault = { id, form, after };
  if ('misfit' in made) return { made, fault: { ...fault, applied: false } };
  return { made: made.outgoing, fault: { ...fault, ...made.entry } };
}

function contextOf(
  { dialect, exchange, native, opened, version, draws }: PlannedCall,
  form: string | null,
  scripted: NonNullable<Reply['fault']>,
): FaultContext {
  return {
    dialect: dialect.name,
    call: opened.call,
    version,
    form,
    after: scripted.after ?? null,
    waitMs: scripted.wait_ms ?? null,
    random: draws.shown('fault'),
    nth: draws.of.nth,
    ...{ http: exchange.connection.http, earlier: exchange.connection.earlier },
    nowMs: exchange.now(),
    request: native.body,
    host: native.headers.get('host') ?? '',
    target: native.head.target,
    headers: opened.headers,
    submits: opened.submits ?? 1,
  };
}

/** The answer to a wrong or missing script. Its status makes the mistake visible to any client. */
function notScripted({ name }: Dialect, why: string): NativeAnswer {
  const error = { message: `gatecheck: ${why}.`, type: 'not_scripted', param: null, code: 'not_scripted' };
  const body = Buffer.from(`${JSON.stringify({ type: 'error', error })}\n`);
  return asNative(
    { status: 501, headers: { 'content-type': 'application/json', 'x-should-retry': 'false' }, body },
    name,
    {},
  );
}
