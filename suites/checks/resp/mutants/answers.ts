import { choiceOf, failingUpstream, inChunks, inPlain, type Json, retext } from '../../../mutation/edits.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { respIdentityMutants, respShapeMutants } from './shape.ts';
import { respUsageMutants } from './usage.ts';

const textMutants: readonly Mutant[] = [
  text('resp.text-trimmed', 'outer white space is trimmed', (content) => content.trim()),
  text('resp.text-line-ends', 'line ends are made the same', (content) => content.replaceAll('\r\n', '\n')),
  text('resp.text-composed', 'characters are composed', (content) => content.normalize('NFC')),
  text('resp.text-latin', 'UTF-8 is read as Latin-1', (content) =>
    Buffer.from(content, 'utf8').toString('latin1'),
  ),
  text('resp.text-bmp', 'characters beyond the basic plane are replaced', (content) =>
    content.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'),
  ),
  text('resp.text-controls', 'control characters are dropped', (content) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this defect is about.
    content.replaceAll(/[\u0001-\u0008\u000b\u001b]/g, ''),
  ),
  text('resp.text-html', 'text is escaped as HTML', (content) => content.replaceAll('<', '&lt;')),
  text('resp.text-bounded', 'text is cut at 16384 characters', (content) => content.slice(0, 16_384)),
];

const finishMutants: readonly Mutant[] = [
  finish(
    'resp.finish-natural',
    'a natural end counts as length',
    'RESP-010',
    'natural-end',
    (reason, body) => (body.stop === undefined && reason === 'stop' ? 'length' : reason),
  ),
  finish(
    'resp.finish-halted',
    'a stop sequence counts as length',
    'RESP-010',
    'stop-sequence',
    (reason, body) => (body.stop === undefined ? reason : 'length'),
  ),
  finish(
    'resp.finish-cut',
    'a cut by max_tokens counts as stop',
    'RESP-011',
    'cut-by-max-tokens',
    (reason) => (reason === 'length' ? 'stop' : reason),
  ),
  finish(
    'resp.finish-calls',
    'an end in calls counts as stop',
    'RESP-012',
    'finish-is-tool-calls',
    (reason) => (reason === 'tool_calls' ? 'stop' : reason),
  ),
  finish(
    'resp.finish-filtered',
    'a filtered answer counts as complete',
    'RESP-013',
    'filtered-output',
    (reason) => (reason === 'content_filter' ? 'stop' : reason),
  ),
  streamFinish('resp.stream-finish-natural', 'RESP-010', 'natural-end', 'stop', 'length'),
  streamFinish('resp.stream-finish-cut', 'RESP-011', 'cut-by-max-tokens', 'length', 'stop'),
  streamFinish('resp.stream-finish-calls', 'RESP-012', 'finish-is-tool-calls', 'tool_calls', 'stop'),
  streamFinish('resp.stream-finish-filtered', 'RESP-013', 'filtered-output', 'content_filter', 'stop'),
  {
    id: 'resp.finish-believed',
    title: "the upstream's word for its end is believed, whatever the answer holds",
    requirement: 'RESP-012',
    aspect: 'finish-is-tool-calls',
    kind: 'source',
    file: 'gateway/upstreams/chat-completions/finish-reason.ts',
    find: "const isRegular = known === 'stop' || isCallEnding(native);",
    replace: 'const isRegular = isCallEnding(native);',
  },
  {
    id: 'resp.odd-reason-fails',
    title: 'an answer that ends for a reason the gateway does not know is thrown away',
    requirement: 'RESP-009',
    aspect: 'accepts-native-reason',
    kind: 'upstream',
    mutation: failingUpstream(
      (body) =>
        Array.isArray(body.choices) &&
        !['stop', 'length', 'tool_calls', 'content_filter'].includes(String(choiceOf(body).finish_reason)),
    ),
  },
];

export const respAnswerMutants: readonly Mutant[] = [
  ...respShapeMutants,
  ...respIdentityMutants,
  ...textMutants,
  ...finishMutants,
  ...respUsageMutants,
];

function text(id: string, title: string, change: (content: string) => string): Mutant {
  return {
    id,
    title,
    requirement: 'RESP-024',
    aspect: 'text-unchanged',
    kind: 'front',
    mutation: retext(change),
  };
}

function finish(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  change: (reason: unknown, request: Json) => unknown,
): Mutant {
  const mutation = inPlain((body, request) => {
    choiceOf(body).finish_reason = change(choiceOf(body).finish_reason, request);
  });
  return { id, title, requirement, aspect, kind: 'front', mutation };
}

function streamFinish(id: string, requirement: string, aspect: string, from: string, to: string): Mutant {
  const mutation = inChunks((chunk) => {
    const choice = choiceOf(chunk);
    if (choice.finish_reason === from) choice.finish_reason = to;
    return undefined;
  });
  return {
    id,
    title: `a stream that ends in ${from} says ${to}`,
    requirement,
    aspect,
    kind: 'front',
    mutation,
  };
}
