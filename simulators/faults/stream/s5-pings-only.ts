import type { NativeAnswer } from '../../answers/native-answer.ts';
import { chunkOf, cutSteps } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';
import { lineEndOf } from '../native/open-answer.ts';
import { isDelta } from '../native/places.ts';
import { stallPoint } from './s4-stall-mid.ts';

/** The default interval of pings, ms, for an answer without its own pace. */
const usualGapMs = 400;

/**
 * The content stops, and only keep-alives follow, without end: pings where the dialect has them, else comments.
 * Forms: after some deltas, or `before-content`. Their interval is that of the answer's deltas.
 */
export const pingsOnly: Fault = { id: 'S5', kind: 'wire', steps };

function* steps(given: NativeAnswer, { form, after, waitMs }: FaultContext): Generator<Step> {
  const content = cutSteps(given, { after: stallPoint(form, after) }, 'silence').slice(0, -1);
  yield* content;
  const gapMs = waitMs ?? gapOf(given);
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

/** The interval of the deltas: the ending follows the last delta after the same time. */
function gapOf({ frames }: NativeAnswer): number {
  const endMs = frames.find(({ label }) => label === 'finish')?.dueMs ?? 0;
  const lastMs = frames.findLast(isDelta)?.dueMs ?? endMs;
  return endMs > lastMs ? endMs - lastMs : usualGapMs;
}
