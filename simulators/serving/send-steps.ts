import { framesBefore, isDelta, isEnding } from '../answers/cut-point.ts';
import type { Frame, NativeAnswer } from '../answers/native-answer.ts';
import type { Step } from '../answers/wire-program.ts';
import type { Gate } from '../control/protocol.ts';
import { noPace, type Pace } from '../latency/pace.ts';
import type { Interruptions } from './outgoing.ts';

/** The steps of an exchange, in order. Times are ms after the reply began. */
export type SendStep =
  | Step
  | { readonly do: 'gate'; readonly at: Gate }
  | { readonly do: 'hang' }
  /** The head alone. */
  | { readonly do: 'head'; readonly answer: NativeAnswer; readonly dueMs: number }
  /** A frame in a write of its own; the last one completes the answer. */
  | { readonly do: 'frame'; readonly frame: Frame; readonly isLast: boolean }
  /** Head and frames. All that are due together are sent in one write. */
  | { readonly do: 'together'; readonly answer: NativeAnswer; readonly dueMs: number }
  /** Completes an answer whose last frame has been sent. */
  | { readonly do: 'close' };

/**
 * The steps of an answer as ordinary HTTP, after its gate before the head. A stream is chunked, and its head is sent at once.
 * A plain answer has a content length, and its head is sent with its body. With a scripted interruption inside a plain
 * answer, its head is sent alone, and the second half of its body is the ending.
 */
export function* sendSteps(
  answer: NativeAnswer,
  scripted: Interruptions,
  pace: Pace = noPace,
): Generator<SendStep> {
  const isPlain = answer.call === 'plain';
  const dueMs = isPlain ? (answer.frames[0]?.dueMs ?? 0) : 0;
  if (!actsInside(scripted)) return yield { do: 'together', answer, dueMs };
  yield { do: 'head', answer, dueMs };
  if (scripted.cut !== undefined) return yield* cutSteps(answer, scripted, scripted.cut);
  const frames = isPlain ? halve(answer.frames, pace) : answer.frames;
  const last = frames.at(-1);
  const closing = last !== undefined && (isPlain || isEnding(last)) ? last : null;
  yield* frameSteps(frames, scripted, closing);
  if (closing !== null) return;
  // Gates and hangs before the end act even when the ending lacks its last frame.
  if (!frames.some(isEnding)) yield* endPauses(frames.filter(isDelta).length, scripted);
  yield { do: 'close' };
}

function* cutSteps(
  answer: NativeAnswer,
  scripted: Interruptions,
  cut: NonNullable<Interruptions['cut']>,
): Generator<SendStep> {
  const { frames, wireTail } = framesBefore(answer, cut);
  yield* frameSteps(frames, scripted, null);
  if (wireTail !== null) {
    yield* deltaPauses(frames.filter(isDelta).length, scripted);
    yield { do: 'write', ...wireTail };
  }
  yield { do: 'end', by: cut.by };
}

function* frameSteps(
  frames: readonly Frame[],
  scripted: Interruptions,
  closing: Frame | null,
): Generator<SendStep> {
  let deltas = 0;
  let hasEnded = false;
  for (const frame of frames) {
    if (isDelta(frame)) {
      yield* deltaPauses(deltas, scripted);
      deltas += 1;
    } else if (!hasEnded && isEnding(frame)) {
      hasEnded = true;
      yield* endPauses(deltas, scripted);
    }
    yield { do: 'frame', frame, isLast: frame === closing };
  }
}

function* deltaPauses(k: number, { gates, hang }: Interruptions): Generator<SendStep> {
  if (hang === k) yield { do: 'hang' };
  if (gates?.includes(k)) yield { do: 'gate', at: k };
}

/** A hang at a delta that the answer does not have acts before the ending, so that it is never skipped. */
function* endPauses(deltas: number, { gates, hang }: Interruptions): Generator<SendStep> {
  if (typeof hang === 'number' && hang >= deltas) yield { do: 'hang' };
  if (gates?.includes('end')) yield { do: 'gate', at: 'end' };
}

/** Whether a scripted interruption falls between the head and the last byte. */
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
