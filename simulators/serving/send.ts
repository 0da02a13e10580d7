import { isEnding } from '../answers/cut-point.ts';
import { type Frame, type NativeAnswer, nativeAnswer, type TextFrame } from '../answers/native-answer.ts';
import { noPace } from '../latency/pace.ts';
import type { Exchange } from './exchange.ts';
import type { Outgoing } from './outgoing.ts';
import { type SendStep, sendSteps } from './send-steps.ts';

/** Sends an answer. Returns no promise if everything is due at once. */
export function send(exchange: Exchange, outgoing: Outgoing): Promise<void> | void {
  return sendAtOnce(exchange, outgoing) ? undefined : sendInSteps(exchange, outgoing);
}

/** After this number of consecutive writes, the event loop may run other work, even if the socket accepts more. */
const maxWritesInARow = 256;

/**
 * Sends a program, which may be endless. It advances only as fast as the client reads, and stops when the client disconnects
 * or the tenant is reset. A program without an explicit end ends with FIN.
 */
async function sendInSteps(exchange: Exchange, outgoing: Outgoing): Promise<void> {
  const { scripted = {}, after } = outgoing;
  if (after !== undefined) await exchange.waitFor(after);
  if (scripted.hang === 'head') await exchange.hang();
  if (scripted.gates?.includes('head')) {
    const reply = await exchange.waitAt('head');
    if (reply !== null && outgoing.instead !== undefined) return send(exchange, outgoing.instead(reply));
  }
  if (scripted.retires) exchange.connection.retire();
  const startMs = exchange.now();
  const isProgram = 'stepsAt' in outgoing;
  const steps: Iterable<SendStep> = isProgram
    ? outgoing.stepsAt(startMs)
    : sendSteps(nativeAnswer(outgoing.answer), scripted, outgoing.pace);
  let writes = 0;
  for (const step of steps) {
    await perform(exchange, step, startMs);
    writes += step.do === 'write' ? 1 : 0;
    if (step.do === 'write' && writes % maxWritesInARow === 0) await exchange.pause();
  }
  if (isProgram) exchange.closeWire();
}

async function perform(exchange: Exchange, step: SendStep, startMs: number): Promise<void> {
  switch (step.do) {
    case 'gate':
      return void (await exchange.waitAt(String(step.at)));
    case 'hang':
      return exchange.hang();
    case 'wait':
      return exchange.sleepUntil(startMs + step.untilMs);
    case 'end':
      return exchange.cut(step.by);
    case 'close':
      return exchange.close();
    case 'head':
      await exchange.sleepUntil(startMs + step.dueMs);
      return exchange.head(step.answer.status, headersOf(step.answer), startMs + step.dueMs, true);
    case 'write':
      await exchange.sleepUntil(startMs + step.dueMs);
      return exchange.sendWire(step.label, step.bytes, startMs + step.dueMs);
    case 'frame':
      await exchange.sleepUntil(startMs + step.frame.dueMs);
      return step.isLast ? exchange.finish([step.frame], startMs) : exchange.send([step.frame], startMs);
    case 'together':
      return sendTogether(exchange, step.answer, startMs, step.dueMs);
  }
}

/** Frames are sent together up to this size. The limit exists because a client may not read them. */
const maxTogetherBytes = 64 * 1024;

async function sendTogether(
  exchange: Exchange,
  answer: NativeAnswer,
  startMs: number,
  dueMs: number,
): Promise<void> {
  const { frames, status, call } = answer;
  await exchange.sleepUntil(startMs + dueMs);
  let from = 0;
  let to = endOfDue(frames, from, startMs, exchange.now());
  exchange.head(status, headersOf(answer), startMs + dueMs, to === 0);
  const last = frames.at(-1);
  const hasEnd = last !== undefined && (call === 'plain' || isEnding(last));
  while (from < frames.length) {
    const due = from === 0 && to === frames.length ? frames : frames.slice(from, to);
    if (hasEnd && to === frames.length) return exchange.finish(due, startMs);
    if (due.length > 0) await exchange.send(due, startMs);
    from = to;
    await exchange.sleepUntil(startMs + (frames[from]?.dueMs ?? 0));
    to = endOfDue(frames, from, startMs, exchange.now());
  }
  exchange.close();
}

/** The end of the frames from `from` that are due and fit into one write. */
function endOfDue(frames: readonly Frame[], from: number, startMs: number, nowMs: number): number {
  let bytes = 0;
  for (let at = from; ; at += 1) {
    const frame = frames[at];
    if (frame === undefined || startMs + frame.dueMs > nowMs || bytes >= maxTogetherBytes) return at;
    bytes += frame.bytes.length;
  }
}

/** In bytes, for each unit of a text. */
const longestCharacter = 3;

/** Sends a whole answer in one write. False if it has bytes that are not text, is too large, or has to wait. */
function sendAtOnce(exchange: Exchange, outgoing: Outgoing): boolean {
  const { scripted, after } = outgoing;
  if ('stepsAt' in outgoing || after !== undefined || (outgoing.pace ?? noPace) !== noPace) return false;
  const { gates, hang, cut, retires } = scripted ?? {};
  if (gates !== undefined || hang !== undefined || cut !== undefined || retires === true) return false;
  const { call, status, headers, frames } = outgoing.answer;
  const texts: TextFrame[] = [];
  let characters = 0;
  for (const frame of frames) {
    if ('bytes' in frame || frame.dueMs > 0) return false;
    texts.push(frame);
    characters += frame.text.length;
  }
  if (call === 'stream' && characters * longestCharacter > maxTogetherBytes) return false;
  const length = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const sent = call === 'plain' ? { ...headers, 'content-length': String(length) } : headers;
  exchange.answer(status, sent, texts, exchange.now());
  return true;
}

/** The headers to send. A plain answer has a content length. */
export function headersOf({ call, headers, frames }: NativeAnswer): Record<string, string> {
  if (call === 'stream') return headers;
  const length = frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return { ...headers, 'content-length': String(length) };
}
