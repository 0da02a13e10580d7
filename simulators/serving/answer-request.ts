import { isChatDialect, type NativeAnswer } from '../answers/native-answer.ts';
import { asNative } from '../answers/whole-answer.ts';
import type { WireEnd } from '../answers/wire-program.ts';
import type { FaultEntry } from '../control/journal.ts';
import { findFault } from '../faults/catalogue.ts';
import type { Upstream } from '../http/upstream.ts';
import type { Dialect, DialectContext, ModelCall, NativeRequest, Opened } from '../providers/dialect.ts';
import { RequestFacts } from '../requests/request-facts.ts';
import { asVariants, variantsOf } from '../variants/known-variants.ts';
import type { Exchange } from './exchange.ts';
import { type PlannedCall, withinLimits } from './make-answer.ts';
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
  if (opened.is !== 'call') return send(exchange, withoutScript(dialect, exchange, native, opened));
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

function withoutScript(
  dialect: Dialect,
  exchange: Exchange,
  { head, channel, body }: NativeRequest,
  opened: Exclude<Opened, ModelCall>,
): Outgoing {
  if (opened.is === 'settled') {
    const { status } = opened.answer;
    const { faultRules } = exchange.tenant;
    if (status < 400 && faultRules.name(new RequestFacts(head, channel, body), exchange.now())) {
      exchange.noteUnexpected(() => 'a rule names it, and rules change only calls of models');
      return {
        answer: notScripted(dialect, 'a rule for this path changes nothing: set it for calls of models'),
      };
    }
    if (status >= 400)
      exchange.noteUnexpected(() => `it was refused with ${status}, and no script applies to it`);
    return { answer: asProvider(exchange, asNative(opened.answer, dialect.name, opened.headers)) };
  }
  exchange.record.faultedBy(opened.fault);
  const { answer } = opened;
  return altered('frames' in answer ? asProvider(exchange, answer) : answer);
}

/** An answer to a poll as the variants of the tenant write it. */
function asProvider({ tenant, record }: Exchange, answer: NativeAnswer): NativeAnswer {
  const { dialect, status } = answer;
  const variants =
    status >= 400 || isChatDialect(dialect) ? [] : variantsOf(tenant.settings.variants, dialect);
  if (variants.length === 0) return answer;
  record.variedBy(variants);
  return asVariants(answer, variants);
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

function outgoingFor(planned: PlannedCall): Outgoing {
  const { exchange, dialect } = planned;
  const { made, fault } = withinLimits(planned);
  const outgoing = 'misfit' in made ? made : overHttp(exchange.connection.http, made);
  const misfit = 'misfit' in outgoing ? outgoing.misfit : null;
  if (fault !== undefined)
    exchange.record.faultedBy({ ...fault, ...(misfit === null ? {} : { applied: false, misfit }) });
  if (!('misfit' in outgoing)) {
    const isHeld = outgoing.scripted?.gates?.includes('head') === true;
    noteIdleFault(exchange, fault, outgoing);
    return isHeld ? { ...outgoing, instead: (reply) => outgoingFor({ ...planned, reply }) } : outgoing;
  }
  const why = `the simulators cannot do what is scripted: ${outgoing.misfit}`;
  exchange.noteUnexpected(() => why);
  return { answer: notScripted(dialect, why) };
}

/** A refused request hides the fault that was scripted for it, and a test that expects an error would pass. */
function noteIdleFault(exchange: Exchange, fault: FaultEntry | undefined, outgoing: Outgoing): void {
  if (fault === undefined || fault.applied) return;
  const status = 'answer' in outgoing ? outgoing.answer.status : 200;
  if (status >= 400)
    exchange.noteUnexpected(() => `it was refused with ${status}, so the fault ${fault.id} could not act`);
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
