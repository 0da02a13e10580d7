import type { DialectName, Frame } from '../answers/native-answer.ts';
import { asNative, withHeaders } from '../answers/whole-answer.ts';
import type { Reply, ScriptedFault } from '../control/protocol.ts';
import { isRaw } from '../control/raw-reply.ts';
import type { FoundFault } from '../faults/catalogue.ts';
import { isDelta } from '../faults/native/places.ts';
import { secretsIn } from '../http/secrets.ts';
import type { Upstream } from '../http/upstream.ts';
import { noPace, type Pace } from '../latency/pace.ts';
import { callProvider, type ProviderAnswer } from '../passthrough/call-provider.ts';
import { type RealAnswer, readAnswer } from '../passthrough/read-answer.ts';
import type { NativeRequest } from '../providers/dialect.ts';
import { type Exchange, ExchangeEnded } from './exchange.ts';
import { spokenMembers } from './plan-reply.ts';
import { send } from './send.ts';

/** Keys are longer. A shorter value may occur in any text. */
const shortestSecret = 8;

/** The secrets of a request for a provider, which no journal may show. */
export function secretsOf({ head }: Pick<NativeRequest, 'head'>): string[] {
  return [...secretsIn(head.headers, head.target)].filter(({ length }) => length >= shortestSecret);
}

/** Whether the provider answers: the script sets no part of the answer, and its fault only changes an answer. */
export function isLeftToProvider(reply: Reply, find: (fault: ScriptedFault) => FoundFault): boolean {
  if (isRaw(reply) || reply.replay !== undefined || reply.hang === 'head' || reply.limits !== undefined)
    return false;
  if (spokenMembers.some((name) => reply[name] !== undefined)) return false;
  const fault = reply.fault === undefined ? null : find(reply.fault);
  return fault === null || (fault.ok && ['edit', 'wire', 'cut'].includes(fault.fault.kind));
}

/** Whether the answer can pass through unchanged. Otherwise it is read completely first. */
export function leavesAsItComes({ headers: _added, strict: _s, version: _v, ...reply }: Reply): boolean {
  return Object.values(reply).every((value) => value === undefined);
}

/** Passes a request to the provider, and its answer to the client, while it comes. */
export async function passOn(
  exchange: Exchange,
  native: NativeRequest,
  provider: Upstream,
  added?: Reply['headers'],
): Promise<void> {
  const answer = await asked(exchange, native, provider, async (given) => given);
  if (answer === null) return;
  const startMs = exchange.now();
  exchange.head(answer.status, withHeaders(answer.headers, added), startMs, true);
  const body = answer.body[Symbol.asyncIterator]();
  for (;;) {
    const next = await untilBroken(exchange, body.next());
    if (next === null) return exchange.cut('rst');
    if (next.done === true) return exchange.close();
    const frame: Frame = { label: 'body', bytes: next.value, dueMs: exchange.now() - startMs };
    await exchange.send([frame], startMs);
  }
}

/** The complete answer of the provider. Null if it failed, after the client has been informed. */
export async function providerAnswer(
  exchange: Exchange,
  native: NativeRequest,
  provider: Upstream,
  { dialect, pace }: { readonly dialect: DialectName; readonly pace: Pace },
): Promise<RealAnswer | null> {
  const judged = await asked(exchange, native, provider, (answer) => readAnswer(dialect, answer));
  if (judged?.ok !== true || pace === noPace) return judged;
  let deltas = 0;
  const paced = judged.frames.map((frame) => ({
    ...frame,
    dueMs: pace.dueMs(isDelta(frame) ? deltas++ : deltas),
  }));
  return { ...judged, frames: paced };
}

async function asked<T>(
  exchange: Exchange,
  native: NativeRequest,
  provider: Upstream,
  read: (answer: ProviderAnswer) => Promise<T>,
): Promise<T | null> {
  exchange.record.passedTo(provider.origin);
  const gone = new AbortController();
  exchange.connection.onClose(() => gone.abort());
  const { method, path, query, head, body } = native;
  const request = { method, path, query, headers: head.headers, body };
  try {
    return await read(await callProvider(provider, request, gone.signal));
  } catch (error) {
    if (gone.signal.aborted) throw new ExchangeEnded();
    const reason = error instanceof Error ? error.message : String(error);
    const message = `gatecheck: ${provider.origin} gave no whole answer: ${reason || 'no connection'}.`;
    const refusal = { error: { message, type: 'provider_unreachable', param: null, code: null } };
    const headers = { 'content-type': 'application/json' };
    const answer = { status: 502, headers, body: Buffer.from(`${JSON.stringify(refusal)}\n`) };
    await send(exchange, { answer: asNative(answer, 'chat-completions', {}) });
    return null;
  }
}

/** The next result; null if the provider breaks off. */
async function untilBroken<T>(exchange: Exchange, next: Promise<T>): Promise<T | null> {
  try {
    return await next;
  } catch {
    if (exchange.connection.isClosed) throw new ExchangeEnded();
    return null;
  }
}
