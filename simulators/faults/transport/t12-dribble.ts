import { framesBefore } from '../../answers/cut-point.ts';
import type { Frame, NativeAnswer } from '../../answers/native-answer.ts';
import {
  chunkOf,
  frameSteps,
  headBytes,
  headStep,
  usualDelimiter,
  wireHeaders,
} from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { ofForm } from '../native/refusal.ts';

/** Interval in ms, by form. With a test clock that stops at each byte, the slower form needs a fifth of the steps. */
const everyMs: Readonly<Record<string, number>> = { 'each-second': 1_000, 'every-5-seconds': 5_000 };

/**
 * Spaces, which JSON allows after its first brace. They make the dribble last over eleven days, beyond any
 * deadline.
 */
const padding: Buffer = Buffer.alloc(1_000_000, ' ');

/** One byte every second or every five seconds: in a plain answer after its head, in a stream after some deltas. */
export const dribble: Fault = {
  id: 'T12',
  kind: 'wire',
  steps: (given, context) =>
    dribbleSteps(
      given,
      given.call === 'plain' ? 'head' : (context.after ?? 1),
      context.waitMs ?? ofForm(context, everyMs),
    ),
};

function* dribbleSteps(given: NativeAnswer, after: number | 'head', gapMs: number): Generator<Step> {
  const delimiter = usualDelimiter(given);
  const { frames: whole } = framesBefore(given, { after });
  const [first, ...later] = given.frames.slice(whole.length);
  const slow = first === undefined ? [] : [padded(first), ...later];
  const answer = { ...given, frames: [...whole, ...slow] };
  yield headStep(given, headBytes(answer.status, wireHeaders(answer, delimiter)));
  yield* frameSteps(whole, delimiter);
  const startMs = slow[0]?.dueMs ?? 0;
  let sent = 0;
  for (const { label, bytes } of slow) {
    for (let at = 0; at < bytes.length; at += 1) {
      sent += 1;
      const byte = bytes.subarray(at, at + 1);
      const dueMs = startMs + sent * gapMs;
      yield { do: 'write', label, bytes: delimiter === 'chunked' ? chunkOf(byte) : byte, dueMs };
    }
  }
}

function padded(frame: Frame): Frame {
  const at = frame.bytes.indexOf('{') + 1;
  const bytes = Buffer.concat([frame.bytes.subarray(0, at), padding, frame.bytes.subarray(at)]);
  return { ...frame, bytes };
}
