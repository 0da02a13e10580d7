import { framesBefore, isDelta, isEnding } from '../answers/cut-point.ts';
import type { Frame, NativeAnswer } from '../answers/native-answer.ts';
import type { Reply } from '../control/protocol.ts';
import { noPace, type Pace } from '../latency/pace.ts';
import type { Exchange } from './exchange.ts';
import { PausePoints } from './pause-points.ts';

/** Scripted interruptions while an answer is sent. */
export type Interruptions = Pick<Reply, 'gates' | 'hang' | 'cut'>;

/**
 * Sends an answer as ordinary HTTP; each frame is one write at its due time. A stream is chunked, and its head
 * leaves at once. A plain answer has a content length, and its head leaves together with its body. When an
 * interruption is scripted inside a plain answer, its head leaves alone. The second half of its body is then the
 * ending.
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
  await pauses.beforeHead();
  const headMs = pauses.startMs + (isPlain ? (answer.frames[0]?.dueMs ?? 0) : 0);
  await exchange.sleepUntil(headMs);
  const flush = !isPlain || stopsInside || answer.frames.length > 1;
  exchange.head(answer.status, headersOf(answer), headMs, flush);
  if (interruptions.cut !== undefined) return sendUntilCut(exchange, pauses, answer, interruptions.cut);
  const frames = isPlain && stopsInside ? halve(answer.frames, pace) : answer.frames;
  const last = frames.at(-1);
  // Gates and hangs before the end act even when the ending lacks its last frame.
  const closing = last !== undefined && (isPlain || isEnding(last)) ? last : null;
  const hasEnded = await sendFrames(exchange, pauses, frames, closing);
  if (closing !== null) return;
  if (!hasEnded) await pauses.beforeEnd(frames.filter(isDelta).length);
  await exchange.close();
}

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
    const dueMs = pauses.startMs + frame.dueMs;
    await exchange.sleepUntil(dueMs);
    if (frame === closing) await exchange.finish(frame.label, frame.bytes, dueMs);
    else await exchange.send(frame.label, frame.bytes, dueMs);
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
