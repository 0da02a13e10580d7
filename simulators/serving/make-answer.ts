import { isDeepStrictEqual } from 'node:util';
import {
  type DialectVersion,
  isChatDialect,
  type NativeAnswer,
  nativeAnswer,
  type RenderedAnswer,
} from '../answers/native-answer.ts';
import {
  asNative,
  eventsAnswer,
  rawAnswer,
  withErrorMembers,
  withHeaders,
  withWait,
} from '../answers/whole-answer.ts';
import type { FaultEntry } from '../control/journal.ts';
import type { Reply } from '../control/protocol.ts';
import { isRaw } from '../control/raw-reply.ts';
import type { FaultContext } from '../fault-contract/fault.ts';
import { findFault } from '../faults/catalogue.ts';
import type { Pace } from '../latency/pace.ts';
import type { Dialect, ModelCall, NativeRequest } from '../providers/dialect.ts';
import { replaySteps } from '../recordings/recorded.ts';
import type { RequestFacts } from '../requests/request-facts.ts';
import type { Draws } from '../scenarios/draws.ts';
import type { Exhausted, LimitCounter } from '../state/rate-limits.ts';
import { asVariants, refusalAsVariants, variantMisfit } from '../variants/known-variants.ts';
import type { Exchange } from './exchange.ts';
import { type AnswerParts, faultReply } from './fault-reply.ts';
import { counterOf, refusalFault, tokensOf, withWindows } from './limits.ts';
import type { Outgoing } from './outgoing.ts';

/** One call and everything that determines its answer. */
export interface PlannedCall {
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

/** The outgoing answer, and the journal's entry of the fault. */
interface Made {
  readonly made: Outgoing | { readonly misfit: string };
  readonly fault?: FaultEntry;
}

/** The answer, or the provider's own error if the key exceeds its limits. */
export function withinLimits(planned: PlannedCall): Made {
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
  const retry = { 'retry-after': String(Math.ceil(exhausted.retryMs / 1000)) };
  const own = withWait(opened.ownError(429, version), retry);
  const { headers, ...answer } = asNative(own, dialect.name, opened.headers);
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

/** Whether two answers are the same on the wire. */
function isSameAnswer(one: NativeAnswer, other: NativeAnswer): boolean {
  const bytesOf = ({ frames }: NativeAnswer): Buffer => Buffer.concat(frames.map(({ bytes }) => bytes));
  return isDeepStrictEqual(one.headers, other.headers) && bytesOf(one).equals(bytesOf(other));
}

/** The dialect's own error body for a status of 400 or more without a body. */
function rawOf({ dialect, exchange, opened, reply, version, variants, pace }: PlannedCall): NativeAnswer {
  const { status = 200, body, events, error } = reply;
  if (events !== undefined) return eventsAnswer(dialect.name, reply, events, opened.headers);
  const isOwn = body === undefined && status >= 400;
  const own = isOwn ? withWait(opened.ownError(status, version), reply.headers) : null;
  const raw =
    own === null ? rawAnswer(status, body) : error === undefined ? own : withErrorMembers(own, error);
  const answer = asNative(raw, dialect.name, opened.headers, pace.dueMs(0));
  const varied = own === null ? answer : refusalAsVariants(answer, variants, exchange.now());
  if (varied !== answer) exchange.record.variedBy(variants);
  return { ...varied, headers: withHeaders(varied.headers, reply.headers) };
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
  const plain = nativeAnswer(answer);
  const varied = asVariants(plain, variants);
  // A provider may differ in streams alone, or in counts that this call does not ask for.
  if (!isSameAnswer(plain, varied)) exchange.record.variedBy(variants);
  return { answer: varied, isRefusal: false };
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
