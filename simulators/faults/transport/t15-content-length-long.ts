import type { NativeAnswer } from '../../answers/native-answer.ts';
import {
  frameSteps,
  headBytes,
  headStep,
  lastChunk,
  standardSteps,
  wireHeaders,
} from '../../answers/wire-form.ts';
import type { Step } from '../../answers/wire-program.ts';
import type { Fault } from '../../fault-contract/fault.ts';

/** An answer of contradictory length: bytes follow its end, or two headers delimit it differently. */
export const contentLengthLong: Fault = {
  id: 'T15',
  kind: 'wire',
  steps: (given, { form }) => {
    switch (form) {
      case 'length-and-chunked':
        return [...chunkedUnder(given, [['content-length', '20']]), { do: 'end', by: 'fin' }];
      case 'two-lengths':
        return [...underTwoLengths(given), { do: 'end', by: 'fin' }];
      case 'second-answer':
        return withTrailer(given, secondAnswer);
      default:
        return withTrailer(given, extraBytes);
    }
  },
};

const extraBytes: Buffer = Buffer.from('{"and":"still there is something"}\n');

/** Bytes that a client could take for the answer to its next request on the connection. */
const secondAnswer: Buffer = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 22\r\n\r\n{"answer":"to nobody"}',
);

/** Sends the end of the answer and the trailing bytes in one write, so that no request can arrive between them. */
function withTrailer(given: NativeAnswer, trailer: Buffer): Step[] {
  const steps = standardSteps(given).map((step) =>
    // A client that closes the connection anyway would never see the trailing bytes.
    step.do === 'write' && step.label === 'head' ? { ...step, bytes: keptAlive(step.bytes) } : step,
  );
  const last = steps.at(-1);
  if (last?.do !== 'write') return steps;
  const bytes = Buffer.concat([last.bytes, trailer]);
  return [...steps.slice(0, -1), { ...last, bytes }, { do: 'end', by: 'fin' }];
}

function keptAlive(head: Buffer): Buffer {
  return Buffer.from(
    head.toString('latin1').replace('connection: close', 'connection: keep-alive'),
    'latin1',
  );
}

function chunkedUnder(given: NativeAnswer, more: readonly [string, string][]): Step[] {
  const head = headBytes(given.status, [...wireHeaders(given, 'chunked'), ...more]);
  const dueMs = given.frames.at(-1)?.dueMs ?? 0;
  return [
    headStep(given, head),
    ...frameSteps(given.frames, 'chunked'),
    { do: 'write', label: 'last-chunk', bytes: lastChunk, dueMs },
  ];
}

function underTwoLengths(given: NativeAnswer): Step[] {
  const head = headBytes(given.status, [...wireHeaders(given, 'length'), ['content-length', '20']]);
  return [headStep(given, head), ...frameSteps(given.frames, 'length')];
}
