import { framesBefore, isDelta, isEnding } from '../answers/cut-point.ts';
import type { Frame, NativeAnswer } from '../answers/native-answer.ts';
import type { Reply } from '../control/protocol.ts';
import { noPace, type Pace } from '../latency/pace.ts';
import type { Exchange } from './exchange.ts';
import { PausePoints } from './pause-points.ts';

/** Scripted interruptions while an answer is sent. */
export type Interruptions = Pick<Reply, 'gates' | 'hang' | 'cut'>;

/**
 * Sends an answer as ordinary HTTP; each frame is one write at its due time, and one chunk. Frames that are due together
 * leave together where nothing is scripted between them. A stream is chunked, and its head leaves at once. A plain answer has a content length, and its head leaves together with its body. When an
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
  const isUndisturbed = !stopsInside && interruptions.hang === undefined;
  exchange.head(answer.status, headersOf(answer), headMs, flush && isUndisturbed ? 'gather' : flush);
  if (interruptions.cut !== undefined) return sendUntilCut(exchange, pauses, answer, interruptions.cut);
  const frames = isPlain && stopsInside ? halve(answer.frames, pace) : answer.frames;
  const last = frames.at(-1);
  // Gates and hangs before the end act even when the ending lacks its last frame.
  const closing = last !== undefined && (isPlain || isEnding(last)) ? last : null;
  const hasEnded = isUndisturbed
    ? await sendTogether(exchange, pauses.startMs, frames, closing)
    : await sendFrames(exchange, pauses, frames, closing);
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

/** Frames that leave together are at most so large, since a client need not read them. */
const maxTogetherBytes = 64 * 1024;

/** Sends frames with nothing scripted between them, those that are due together in one write. */
async function sendTogether(
  exchange: Exchange,
  startMs: number,
  frames: readonly Frame[],
  closing: Frame | null,
): Promise<true> {
  let together = 0;
  for (const [at, frame] of frames.entries()) {
    const { label, bytes } = frame;
    const dueMs = startMs + frame.dueMs;
    await exchange.sleepUntil(dueMs);
    if (frame === closing) {
      await exchange.finish(label, bytes, dueMs);
      break;
    }
    const next = frames[at + 1];
    together += bytes.length;
    if (next !== undefined && startMs + next.dueMs <= exchange.now() && together < maxTogetherBytes) {
      exchange.sendWithNext(label, bytes, dueMs);
    } else {
      await exchange.send(label, bytes, dueMs);
      together = 0;
    }
  }
  return true;
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
