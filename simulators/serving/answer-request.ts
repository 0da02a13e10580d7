import {
  type DialectVersion,
  type NativeAnswer,
  nativeAnswer,
  type RenderedAnswer,
} from '../answers/native-answer.ts';
import { asNative, withHeaders } from '../answers/whole-answer.ts';
import type { Reply } from '../control/protocol.ts';
import { isRaw } from '../control/raw-reply.ts';
import type { FaultContext } from '../fault-contract/fault.ts';
import { findFault } from '../faults/catalogue.ts';
import { noPace, type Pace } from '../latency/pace.ts';
import type { Dialect, DialectContext, ModelCall, NativeRequest } from '../providers/dialect.ts';
import { replaySteps } from '../recordings/replay.ts';
import type { Draws } from '../scenarios/draws.ts';
import type { AppliedJobFault } from '../state/jobs/job.ts';
import { applyFault, runAfterHeadGate, sendAltered } from './apply-fault.ts';
import type { Exchange } from './exchange.ts';
import { answerRaw, takeReply } from './scripted-reply.ts';
import { isUndisturbed, sendAnswer, sendAtOnce } from './send-answer.ts';

/**
 * Answers one request completely. Every dialect keeps the same order: first the address, then raw replies and
 * hangs before the head, then the native checks. Last comes the answer, with its scripted faults and
 * interruptions.
 */
export function answerRequest(
  dialect: Dialect,
  exchange: Exchange,
  native: NativeRequest,
  context: DialectContext,
): Promise<void> | void {
  const ends = exchange.earlier > 0 ? exchange.tenant.endOfReused(native.channel, native.body) : null;
  if (ends !== null) return exchange.cut(ends);
  const opened = dialect.open(exchange, native, context);
  if (opened.is === 'settled') {
    return sendAnswer(exchange, asNative(opened.answer, dialect.name, opened.headers), {});
  }
  if (opened.is === 'faulted') {
    exchange.record.faultedBy(opened.fault);
    return sendAltered(exchange, opened.answer, {});
  }
  const taken = takeReply(exchange, native, { dialect: dialect.name, call: opened.call });
  const { pace, draws } = taken;
  const reply = context.version === null ? taken.reply : { version: context.version, ...taken.reply };
  const version = reply.version ?? opened.version ?? 'current';
  const planned: PlannedCall = { dialect, exchange, native, opened, reply, version, pace, draws };
  // Raw replies and hangs before the head do not depend on the content of the request.
  const { replay } = reply;
  if (replay !== undefined) return runAfterHeadGate(exchange, reply, () => replaySteps(replay));
  if (reply.fault !== undefined) return answerWithFault(planned, reply.fault);
  if (isRaw(reply)) return sendAnswer(exchange, rawOf(planned), reply, pace);
  if (reply.hang === 'head') return exchange.hang();
  const { answer, isRefusal } = judge(planned);
  if (pace === noPace && isUndisturbed(reply) && sendAtOnce(exchange, answer)) return;
  return sendAnswer(exchange, nativeAnswer(answer), isRefusal ? {} : reply, pace);
}

/** One call and everything that determines its answer. */
interface PlannedCall {
  readonly dialect: Dialect;
  readonly exchange: Exchange;
  readonly native: NativeRequest;
  readonly opened: ModelCall;
  readonly reply: Reply;
  readonly version: DialectVersion;
  readonly pace: Pace;
  readonly draws: Draws;
}

function rawOf({ dialect, opened, reply, version, pace }: PlannedCall): NativeAnswer {
  const raw = answerRaw(reply, (status) => opened.ownError(status, version));
  const answer = asNative(raw, dialect.name, opened.headers, pace.dueMs(0));
  return { ...answer, headers: withHeaders(answer.headers, reply.headers) };
}

function judge(
  { dialect, opened, reply, pace }: PlannedCall,
  appliedFault: AppliedJobFault | null = null,
): { answer: RenderedAnswer; isRefusal: boolean } {
  const job = { ...reply.job, ...appliedFault?.fault.life };
  const judged = opened.answer({ ...reply, job }, pace, appliedFault);
  if (!judged.ok) return { answer: asNative(judged.refusal, dialect.name, opened.headers), isRefusal: true };
  const headers = withHeaders({ ...opened.headers, ...judged.headers }, reply.headers);
  const { call, status = 200, frames } = judged;
  return { answer: { dialect: dialect.name, call, status, headers, frames }, isRefusal: false };
}

async function answerWithFault(planned: PlannedCall, scripted: NonNullable<Reply['fault']>): Promise<void> {
  const { dialect, exchange, opened, reply, version, pace } = planned;
  const found = findFault(scripted, dialect.name, opened.call, version);
  const { id, after = null } = scripted;
  if (!found.ok) {
    exchange.record.faultedBy({ id, form: scripted.form ?? null, after, misfit: found.misfit });
    return sendAnswer(exchange, misfitAnswer(planned, found.misfit), {});
  }
  const { fault, form } = found;
  exchange.record.faultedBy({ id, form, after });
  const context = contextOf(planned, form, after);
  await applyFault(exchange, fault, context, {
    interruptions: reply,
    pace,
    headers: reply.headers,
    answer: (appliedFault) => {
      const { answer, isRefusal } = judge(planned, appliedFault);
      return { answer: nativeAnswer(answer), isRefusal };
    },
  });
}

function contextOf(
  { dialect, exchange, native, opened, version, draws }: PlannedCall,
  form: string | null,
  after: number | null,
): FaultContext {
  return {
    dialect: dialect.name,
    call: opened.call,
    version,
    form,
    after,
    random: draws.shown('fault'),
    nth: draws.of.nth,
    earlier: exchange.earlier,
    nowMs: exchange.now(),
    request: native.body,
    host: native.headers.get('host') ?? '',
    target: native.head.target,
    headers: opened.headers,
    submits: opened.submits ?? 1,
  };
}

/**
 * The answer to a script that asks for an unsupported fault. Its status makes the mistake visible to any client.
 */
function misfitAnswer({ dialect }: PlannedCall, misfit: string): NativeAnswer {
  const body = Buffer.from(`The simulators cannot do what is scripted: ${misfit}.\n`);
  return asNative({ status: 501, headers: { 'content-type': 'text/plain' }, body }, dialect.name, {});
}
