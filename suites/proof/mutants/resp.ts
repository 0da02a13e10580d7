import type { Mutant } from '../mutant.ts';
import { editRequest } from '../mutation.ts';
import {
  choiceOf,
  failingUpstream,
  inBoth,
  inChunks,
  inPlain,
  type Json,
  messageOf,
  recount,
  refusing,
  retext,
  usageOf,
} from './edits.ts';

/** Plain answers with one thing wrong in head, shape or identity. */
const shapeMutants: readonly Mutant[] = [
  {
    id: 'resp.status-202',
    title: 'a completion comes with status 202',
    requirement: 'RESP-023',
    aspect: 'success-status',
    kind: 'front',
    mutation: { answer: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer) },
  },
  {
    id: 'resp.text-plain',
    title: 'a completion is declared as text/plain',
    requirement: 'RESP-023',
    aspect: 'content-type',
    kind: 'front',
    mutation: {
      answer: (answer) => ({ ...answer, headers: [['content-type', 'text/plain; charset=utf-8']] }),
    },
  },
  {
    id: 'resp.stray-byte',
    title: 'a completion ends in a byte that is no UTF-8',
    requirement: 'RESP-023',
    aspect: 'utf8-json',
    kind: 'front',
    mutation: {
      answer: (answer) => ({ ...answer, body: Buffer.concat([answer.body, Buffer.from([0xff])]) }),
    },
  },
  shape('resp.id-empty', 'the id is empty', 'RESP-001', (body) => Object.assign(body, { id: '' })),
  shape('resp.object-of-chunk', 'object is that of a chunk', 'RESP-002', (body) =>
    Object.assign(body, { object: 'chat.completion.chunk' }),
  ),
  shape('resp.created-text', 'created is a text', 'RESP-003', (body) =>
    Object.assign(body, { created: new Date().toISOString() }),
  ),
  shape('resp.model-missing', 'the model is left out', 'RESP-004', (body) => delete body.model),
  shape('resp.no-choices', 'choices is empty', 'RESP-006', (body) => Object.assign(body, { choices: [] })),
  shape('resp.index-missing', 'a choice has no index', 'RESP-007', (body) => delete choiceOf(body).index),
  shape('resp.role-missing', 'the message has no role', 'RESP-008', (body) => delete messageOf(body).role),
  shape('resp.content-missing', 'the message has neither content nor calls', 'RESP-008', (body) => {
    const { role } = messageOf(body);
    choiceOf(body).message = { role };
  }),
  shape('resp.native-finish', 'finish_reason is a native word', 'RESP-009', (body) => {
    if (choiceOf(body).finish_reason === 'stop') choiceOf(body).finish_reason = 'end_turn';
  }),
  shape('resp.finish-null', 'finish_reason is null', 'RESP-009', (body) => {
    choiceOf(body).finish_reason = null;
  }),
  {
    id: 'resp.index-from-one',
    title: 'choices are counted from 1',
    requirement: 'RESP-007',
    aspect: 'index-from-zero',
    kind: 'front',
    mutation: inPlain((body) => {
      choiceOf(body).index = 1;
    }),
  },
];

const identityMutants: readonly Mutant[] = [
  {
    id: 'resp.id-constant',
    title: 'every plain answer has the same id',
    requirement: 'RESP-001',
    aspect: 'distinct-ids',
    kind: 'front',
    mutation: inPlain((body) => Object.assign(body, { id: 'chatcmpl-1' })),
  },
  {
    id: 'resp.id-by-second',
    title: 'ids are made of the time in seconds',
    requirement: 'RESP-001',
    aspect: 'distinct-ids',
    kind: 'front',
    mutation: inPlain((body) => Object.assign(body, { id: `chatcmpl-${body.created}` })),
  },
  {
    id: 'resp.refuses-repeats',
    title: 'a request that came before is refused',
    requirement: 'RESP-001',
    aspect: 'accepts-again',
    kind: 'front',
    mutation: refusingRepeats(),
  },
  {
    id: 'resp.created-ms',
    title: 'created is in milliseconds',
    requirement: 'RESP-003',
    aspect: 'created-now',
    kind: 'front',
    mutation: inBoth((part) => Object.assign(part, { created: Number(part.created) * 1000 })),
  },
  {
    id: 'resp.created-constant',
    title: 'created is the time at which the gateway was built',
    requirement: 'RESP-003',
    aspect: 'created-now',
    kind: 'front',
    mutation: inBoth((part) => Object.assign(part, { created: 1_767_225_600 })),
  },
  {
    id: 'resp.mistrusts-upstream-clock',
    title: 'an answer whose upstream has a wrong clock is thrown away',
    requirement: 'RESP-003',
    aspect: 'accepts-any-upstream-clock',
    kind: 'upstream',
    mutation: failingUpstream((body) => Number(body.created) < 1_600_000_000),
  },
  {
    id: 'resp.model-dated',
    title: 'the model is named with the date of its build',
    requirement: 'RESP-004',
    aspect: 'served-model',
    kind: 'front',
    mutation: inBoth((part) => Object.assign(part, { model: `${part.model}-2026-08-07` })),
  },
  {
    id: 'resp.model-upper-case',
    title: 'the model is not in the spelling of the catalogue',
    requirement: 'RESP-004',
    aspect: 'served-model',
    kind: 'front',
    mutation: inPlain((body) => Object.assign(body, { model: String(body.model).toUpperCase() })),
  },
  {
    id: 'resp.model-missing-in-stream',
    title: 'chunks do not name the model',
    requirement: 'RESP-004',
    aspect: 'chunk-shape',
    kind: 'front',
    mutation: inChunks((chunk) => void delete chunk.model),
  },
  {
    id: 'resp.created-missing-in-stream',
    title: 'chunks have no created',
    requirement: 'RESP-003',
    aspect: 'chunk-shape',
    kind: 'front',
    mutation: inChunks((chunk) => void delete chunk.created),
  },
];

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
    find: "const isRegular = known === 'stop' || CALL_ENDINGS.includes(native);",
    replace: 'const isRegular = CALL_ENDINGS.includes(native);',
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

const usageMutants: readonly Mutant[] = [
  shape('resp.usage-missing', 'usage is left out', 'RESP-014', (body) => delete body.usage),
  shape('resp.prompt-tokens-text', 'prompt_tokens is a text', 'RESP-015', (body) =>
    Object.assign(usageOf(body) ?? {}, { prompt_tokens: String(usageOf(body)?.prompt_tokens) }),
  ),
  shape('resp.completion-tokens-fraction', 'completion_tokens is a fraction', 'RESP-019', (body) =>
    recount(body, ({ completion_tokens = 0 }) => ({ completion_tokens: completion_tokens + 0.5 })),
  ),
  shape(
    'resp.total-missing',
    'total_tokens is left out',
    'RESP-020',
    (body) => delete usageOf(body)?.total_tokens,
  ),
  shape('resp.cached-negative', 'cached_tokens is negative', 'RESP-021', (body) =>
    Object.assign(usageOf(body) ?? {}, { prompt_tokens_details: { cached_tokens: -1 } }),
  ),
  usage('resp.prompt-not-counted', 'prompt_tokens is always 0', 'RESP-015', 'prompt-counted', () => ({
    prompt_tokens: 0,
  })),
  usage(
    'resp.completion-not-counted',
    'completion_tokens is always 0',
    'RESP-019',
    'completion-counted',
    () => ({ completion_tokens: 0 }),
  ),
  {
    id: 'resp.total-off-by-one',
    title: 'total_tokens is one too many',
    requirement: 'RESP-020',
    aspect: 'total-is-sum',
    kind: 'front',
    mutation: inPlain((body) => {
      const counted = usageOf(body);
      if (counted !== null) counted.total_tokens = (counted.total_tokens ?? 0) + 1;
    }),
  },
  {
    id: 'resp.cached-above-prompt',
    title: 'cached tokens are not counted in prompt_tokens',
    requirement: 'RESP-021',
    aspect: 'cached-within-prompt',
    kind: 'front',
    mutation: inPlain((body) => {
      const counted = usageOf(body);
      if (counted === null) return;
      Object.assign(counted, { prompt_tokens_details: { cached_tokens: (counted.prompt_tokens ?? 0) + 1 } });
    }),
  },
  usage('resp.counts-itself', 'the gateway counts the prompt itself', 'RESP-022', 'verbatim', (counted) => ({
    prompt_tokens: (counted.prompt_tokens ?? 0) + 1,
  })),
  {
    id: 'resp.cached-dropped',
    title: 'cached_tokens is never reported',
    requirement: 'RESP-022',
    aspect: 'cached-verbatim',
    kind: 'front',
    mutation: inPlain((body) => void delete usageOf(body)?.prompt_tokens_details),
  },
  {
    id: 'resp.counts-last-message',
    title: 'only the last message counts into prompt_tokens',
    requirement: 'RESP-016',
    aspect: 'another-message',
    kind: 'front',
    mutation: inPlain((body, request) => {
      recount(body, () => ({ prompt_tokens: 5 + lastMessage(request).split(' ').length }));
    }),
  },
  {
    id: 'resp.counts-messages-alone',
    title: 'prompt_tokens counts messages and not their words',
    requirement: 'RESP-016',
    aspect: 'longer-message',
    kind: 'front',
    mutation: inPlain((body, request) => {
      recount(body, () => ({
        prompt_tokens: 10 * ((request.messages as unknown[] | undefined)?.length ?? 1),
      }));
    }),
  },
  {
    id: 'resp.tools-not-counted',
    title: 'tool definitions do not reach the upstream and so do not count',
    requirement: 'RESP-017',
    aspect: 'another-tool',
    kind: 'upstream',
    mutation: {
      request: editRequest((body) => {
        delete body.tools;
        delete body.tool_choice;
      }),
    },
  },
  {
    id: 'resp.uncounted-blames-caller',
    title: 'when the upstream does not count, the caller is told that the request was wrong',
    requirement: 'RESP-014',
    aspect: 'uncounted-upstream',
    kind: 'upstream',
    mutation: failingUpstream((body) => Array.isArray(body.choices) && body.usage === undefined, 400, {
      message: 'These messages cannot be counted.',
      type: 'invalid_request_error',
      param: 'messages',
    }),
  },
];

export const respMutants: readonly Mutant[] = [
  ...shapeMutants,
  ...identityMutants,
  ...textMutants,
  ...finishMutants,
  ...usageMutants,
];

function shape(id: string, title: string, requirement: string, edit: (body: Json) => void): Mutant {
  return { id, title, requirement, aspect: 'shape', kind: 'front', mutation: inPlain(edit) };
}

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

function usage(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  counts: (usage: Record<string, number>) => Record<string, number>,
): Mutant {
  return {
    id,
    title,
    requirement,
    aspect,
    kind: 'front',
    mutation: inPlain((body) => recount(body, counts)),
  };
}

function refusingRepeats(): ReturnType<typeof refusing> {
  const seen = new Set<string>();
  return refusing((body) => {
    const text = JSON.stringify(body);
    const known = seen.has(text);
    seen.add(text);
    return known;
  });
}

function lastMessage(request: Json): string {
  const last = (request.messages as { content?: unknown }[] | undefined)?.at(-1);
  return typeof last?.content === 'string' ? last.content : '';
}
