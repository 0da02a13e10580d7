import { framesBefore } from '../../answers/cut-point.ts';
import type { NativeAnswer } from '../../answers/native-answer.ts';
import { frameSteps, headBytes, headStep, openSteps, wireHeaders } from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault, FaultContext } from '../../fault-contract/fault.ts';

/** A broken chunked body: an invalid chunk size, an overflowing size, a chunk cut off, or no last chunk. */
export const badChunk: Fault = {
  id: 'T16',
  kind: 'wire',
  steps: (given, context) => {
    if (context.form === 'no-last-chunk') return [...openSteps(given, 'chunked'), { do: 'end', by: 'fin' }];
    return brokenAt(given, context);
  },
};

/** The text that replaces the next chunk's size, by form. */
const sizeLines: Readonly<Record<string, string>> = {
  'bad-size': 'zz\r\n',
  'size-overflow': 'fffffffffffffffffff\r\n',
  'short-chunk': '400\r\n',
};

function brokenAt(given: NativeAnswer, { form, after, call }: FaultContext): Step[] {
  const before = framesBefore(given, { after: call === 'plain' ? 'inside-json' : (after ?? 1) }).frames;
  const next = given.frames[before.length]?.bytes ?? Buffer.alloc(0);
  const line = sizeLines[form ?? ''] ?? 'zz\r\n';
  const bytes = Buffer.concat([Buffer.from(line), next, Buffer.from('\r\n')]);
  const dueMs = before.at(-1)?.dueMs ?? 0;
  return [
    headStep(given, headBytes(given.status, wireHeaders(given, 'chunked'))),
    ...frameSteps(before, 'chunked'),
    { do: 'write', label: 'bad-chunk', bytes, dueMs },
    { do: 'end', by: 'fin' },
  ];
}
