import { framesBefore, isDelta, isEnding } from '../answers/cut-point.ts';
import type { Frame, NativeAnswer, RenderedAnswer, TextFrame } from '../answers/native-answer.ts';
import type { Reply } from '../control/protocol.ts';
import { noPace, type Pace } from '../latency/pace.ts';
import type { Exchange } from './exchange.ts';
import { PausePoints } from './pause-points.ts';

/** Scripted interruptions while an answer is sent. */
export type Interruptions = Pick<Reply, 'gates' | 'hang' | 'cut'>;

/**
 * Sends an answer as ordinary HTTP; each frame is one write at its due time, and one chunk. What is due together leaves
 * in one write, the head included, where nothing is scripted between. A stream is chunked, and its head leaves at once. A
 * plain answer has a content length, and its head leaves together with its body. When an interruption is scripted inside
 * a plain answer, its head leaves alone. The second half of its body is then the ending.
 */
export async function sendAnswer(
  exchange: Exchange,
  answer: NativeAnswer,
  interruptions: Interruptions,
  pace: Pace = noPace,
): Promise<void> {
  const isPlain = answer.call === 'plain';
  const stopsInside = actsInside(interruptions);
  const pauses = new PausePoints(exchange, interruptions);
  if (interruptions.gates !== undefined || interruptions.hang !== undefined) await pauses.beforeHead();
  if (!stopsInside) return sendUndisturbed(exchange, answer, pauses.startMs);
  const headMs = pauses.startMs + (isPlain ? (answer.frames[0]?.dueMs ?? 0) : 0);
  await exchange.sleepUntil(headMs);
  exchange.head(answer.status, headersOf(answer), headMs, true);
  if (interruptions.cut !== undefined) return sendUntilCut(exchange, pauses, answer, interruptions.cut);
  const frames = isPlain ? halve(answer.frames, pace) : answer.frames;
  const last = frames.at(-1);
  // Gates and hangs before the end act even when the ending lacks its last frame.
  const closing = last !== undefined && (isPlain || isEnding(last)) ? last : null;
  const hasEnded = await sendFrames(exchange, pauses, frames, closing);
  if (closing !== null) return;
  if (!hasEnded) await pauses.beforeEnd(frames.filter(isDelta).length);
  exchange.close();
}

/** Whether nothing is scripted at any point of the answer. */
export function isUndisturbed({ gates, hang, cut }: Interruptions): boolean {
  return gates === undefined && hang === undefined && cut === undefined;
}

/** Sends an answer whose frames are all due, in one write. Returns false for one that is not of text, or too large. */
export function sendAtOnce(exchange: Exchange, { call, status, headers, frames }: RenderedAnswer): boolean {
  const texts: TextFrame[] = [];
  let characters = 0;
  for (const frame of frames) {
    if ('bytes' in frame) return false;
    texts.push(frame);
    characters += frame.text.length;
  }
  if (call === 'plain') {
    const length = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    exchange.answer(status, { ...headers, 'content-length': String(length) }, texts, exchange.now());
    return true;
  }
  if (characters * longestCharacter > maxTogetherBytes) return false;
  exchange.answer(status, headers, texts, exchange.now());
  return true;
}

/** In bytes, for each unit of a text. */
const longestCharacter = 3;

async function sendUntilCut(
  exchange: Exchange,
  pauses: PausePoints,
  answer: NativeAnswer,
  cut: NonNullable<Interruptions['cut']>,
): Promise<never> {
  const { frames, wireTail } = framesBefore(answer, cut);
  await sendFrames(exchange, pauses, frames, null);
  if (wireTail !== null) {
    await pauses.beforeDelta(frames.filter(isDelta).length);
    await exchange.sleepUntil(pauses.startMs + wireTail.dueMs);
    await exchange.sendWire(wireTail.label, wireTail.bytes, pauses.startMs + wireTail.dueMs);
  }
  return exchange.cut(cut.by);
}

/** Frames leave together until they are so large, since a client need not read them. */
const maxTogetherBytes = 64 * 1024;

/** Sends an answer with nothing scripted inside it: what is due together leaves in one write. */
async function sendUndisturbed(exchange: Exchange, answer: NativeAnswer, startMs: number): Promise<void> {
  const { frames, status, call } = answer;
  const headMs = startMs + (call === 'plain' ? (frames[0]?.dueMs ?? 0) : 0);
  await exchange.sleepUntil(headMs);
  let from = 0;
  let to = endOfDue(frames, from, startMs, exchange.now());
  exchange.head(status, headersOf(answer), headMs, to === 0);
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

/** Where the frames from `from` end that are due and can leave together. */
function endOfDue(frames: readonly Frame[], from: number, startMs: number, nowMs: number): number {
  let bytes = 0;
  for (let at = from; ; at += 1) {
    const frame = frames[at];
    if (frame === undefined || startMs + frame.dueMs > nowMs || bytes >= maxTogetherBytes) return at;
    bytes += frame.bytes.length;
  }
}

/** Sends the frames, with `closing` as the end of the answer. Returns whether the ending was among them. */
async function sendFrames(
  exchange: Exchange,
  pauses: PausePoints,
  frames: readonly Frame[],
  closing: Frame | null,
): Promise<boolean> {
  let deltas = 0;
  let hasEnded = false;
  for (const frame of frames) {
    if (isDelta(frame)) {
      await pauses.beforeDelta(deltas);
      deltas += 1;
    } else if (!hasEnded && isEnding(frame)) {
      hasEnded = true;
      await pauses.beforeEnd(deltas);
    }
    await exchange.sleepUntil(pauses.startMs + frame.dueMs);
    if (frame === closing) exchange.finish([frame], pauses.startMs);
    else await exchange.send([frame], pauses.startMs);
  }
  return hasEnded;
}

function headersOf({ call, headers, frames }: NativeAnswer): Record<string, string> {
  if (call === 'stream') return headers;
  const length = frames.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return { ...headers, 'content-length': String(length) };
}

/** Whether anything is scripted between the head and the last byte. */
function actsInside({ gates = [], hang, cut }: Interruptions): boolean {
  return cut !== undefined || typeof hang === 'number' || gates.some((gate) => gate !== 'head');
}

function halve(frames: readonly Frame[], pace: Pace): readonly Frame[] {
  const [body] = frames;
  if (body === undefined || frames.length > 1) return frames;
  const half = Math.floor(body.bytes.length / 2);
  const rest = { label: 'body-rest', bytes: body.bytes.subarray(half), dueMs: pace.dueMs(1) };
  return [{ ...body, bytes: body.bytes.subarray(0, half) }, rest];
}
