import type { NativeAnswer } from '../../answers/native-answer.ts';
import {
  chunkOf,
  frameSteps,
  headBytes,
  headStep,
  lastChunkStep,
  usualDelimiter,
  wireHeaders,
} from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { withText } from '../native/content.ts';
import { closeAnswer, type OpenFrame, openAnswer } from '../native/open-answer.ts';

const floodBytes = 100 * 1024 * 1024;
const partBytes = 64 * 1024;
const parts = floodBytes / partBytes;

const mark = '<flood>';

/** A text of 100 MiB, as fast as the client reads it: in deltas of 64 KiB, or in one body. */
export const flood: Fault = {
  id: 'T20',
  kind: 'wire',
  steps: (given) => (given.call === 'plain' ? plainFlood(given) : streamFlood(given)),
};

function* plainFlood(given: NativeAnswer): Generator<Step> {
  const body = withFirstText(given, mark).frames[0]?.bytes ?? Buffer.alloc(0);
  const at = body.indexOf(mark);
  const [start, rest] =
    at === -1 ? [body, Buffer.alloc(0)] : [body.subarray(0, at), body.subarray(at + mark.length)];
  const length = start.length + floodBytes + rest.length;
  const headers = wireHeaders(given).map(([name, value]): [string, string] =>
    name === 'content-length' ? [name, String(length)] : [name, value],
  );
  const head = headStep(given, headBytes(given.status, headers));
  yield head;
  const dueMs = given.frames[0]?.dueMs ?? 0;
  yield { do: 'write', label: 'body', bytes: start, dueMs };
  const part = Buffer.alloc(partBytes, 'flood ');
  for (let k = 0; k < parts; k += 1) yield { do: 'write', label: `flood-${k}`, bytes: part, dueMs };
  yield { do: 'write', label: 'body-rest', bytes: rest, dueMs };
}

function* streamFlood(given: NativeAnswer): Generator<Step> {
  const first = given.frames.findIndex(({ label }) => label.startsWith('delta-'));
  const second = given.frames.findIndex(({ label }, at) => at > first && !label.startsWith('delta-'));
  const delimiter = usualDelimiter(given);
  yield headStep(given, headBytes(given.status, wireHeaders(given)));
  // The first delta stays unchanged. Each big delta then begins with the separator that a JSON array needs.
  yield* frameSteps(given.frames.slice(0, first + 1), delimiter);
  const dueMs = given.frames[first]?.dueMs ?? 0;
  const part = chunkOf(bigDelta(given, first));
  for (let k = 1; k <= parts; k += 1) yield { do: 'write', label: `delta-${k}`, bytes: part, dueMs };
  yield* frameSteps(given.frames.slice(second), delimiter);
  yield lastChunkStep(given);
}

/** The frame of a second delta with a text of one part's size. */
function bigDelta(given: NativeAnswer, first: number): Buffer {
  const delta = given.frames[first];
  if (delta === undefined) return Buffer.alloc(0);
  const text = 'flood '.repeat(Math.floor(partBytes / 6));
  const two = withFirstText({ ...given, frames: [delta, delta] }, text);
  return two.frames[1]?.bytes ?? Buffer.alloc(0);
}

function withFirstText(given: NativeAnswer, text: string): NativeAnswer {
  const frames = openAnswer(given).map(
    (frame): OpenFrame => ({
      ...frame,
      events: frame.events.map((event) => withText(event, given.dialect, text, given.call)),
    }),
  );
  return closeAnswer(given, frames);
}
