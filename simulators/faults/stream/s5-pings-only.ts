import type { NativeAnswer } from '../../answers/native-answer.ts';
import { chunkOf, cutSteps } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { lineEndOf } from '../native/open-answer.ts';
import { isDelta } from '../native/places.ts';
import { stallPoint } from './s4-stall-mid.ts';

/** From one ping to the next, ms, where the answer has no pace of its own. */
const usualGapMs = 400;

/**
 * The content stops, and from then on there are only signs of life, without end: pings where the dialect has them, else
 * comments. Forms: after some deltas, or `before-content`. They come as far apart as the deltas of the answer.
 */
export const pingsOnly: Fault = { id: 'S5', kind: 'wire', steps };

function* steps(given: NativeAnswer, { form, after }: FaultContext): Generator<Step> {
  const content = cutSteps(given, { after: stallPoint(form, after) }, 'silence').slice(0, -1);
  yield* content;
  const gapMs = gapOf(given);
  const bytes = chunkOf(Buffer.from(pingOf(given)));
  let dueMs = content.reduce(
    (latest, step) => (step.do === 'write' ? Math.max(latest, step.dueMs) : latest),
    0,
  );
  for (;;) {
    dueMs += gapMs;
    yield { do: 'write', label: 'ping', bytes, dueMs };
  }
}

function pingOf(given: NativeAnswer): string {
  const end = lineEndOf(given);
  if (given.dialect === 'messages') return 'event: ping\ndata: {"type": "ping"}\n\n';
  return `: keep-alive${end}${end}`;
}

/** From the last delta to the ending is as long as from one delta to the next. */
function gapOf({ frames }: NativeAnswer): number {
  const endMs = frames.find(({ label }) => label === 'finish')?.dueMs ?? 0;
  const lastMs = frames.findLast(isDelta)?.dueMs ?? endMs;
  return endMs > lastMs ? endMs - lastMs : usualGapMs;
}
