import { deltaOf, inEvents, type Json, refusing } from '../../../mutation/edits.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { editRequest, objectIn } from '../../../mutation/mutation.ts';
import { sseChunkMutants } from './chunks.ts';
import { sseFailureMutants } from './failures.ts';
import { nth, sseTextMutants } from './text.ts';

const wireMutants: readonly Mutant[] = [
  {
    id: 'sse.no-streams',
    title: 'streams are refused',
    requirement: 'SSE-001',
    aspect: 'accepts-stream',
    kind: 'front',
    mutation: refusing((body) => body.stream === true),
  },
  {
    id: 'sse.text-plain',
    title: 'a stream is declared as text/plain',
    requirement: 'SSE-001',
    aspect: 'stream-content-type',
    kind: 'front',
    mutation: { streamHead: (head) => ({ ...head, headers: [['content-type', 'text/plain']] }) },
  },
  events(
    'sse.bare-json',
    'events are lines of JSON without their field',
    'SSE-002',
    'stream-grammar',
    (event) => [event.replace('data: ', '')],
  ),
  events('sse.broken-json', 'a chunk is no JSON', 'SSE-002', 'payload-json', (event) => [
    event.replace(/\}$/, ''),
  ]),
  events('sse.no-done', '[DONE] is left out', 'SSE-008', 'done-last-once', (event) =>
    event === 'data: [DONE]' ? [] : [event],
  ),
  {
    id: 'sse.chunk-after-done',
    title: 'a chunk follows after [DONE]',
    requirement: 'SSE-008',
    aspect: 'done-last-once',
    kind: 'front',
    mutation: { events: () => repeatLastChunk() },
  },
  {
    id: 'sse.stays-open',
    title: 'the answer stays open after [DONE]',
    requirement: 'SSE-008',
    aspect: 'ends-after-done',
    kind: 'source',
    file: 'gateway/http/send-events.ts',
    find: 'exchange.outgoing.end(lastEvents)',
    replace: 'exchange.outgoing.write(lastEvents)',
  },
  {
    id: 'sse.collected',
    title: 'a stream is kept back until it is complete',
    requirement: 'SSE-018',
    aspect: 'delta-by-delta',
    kind: 'front',
    mutation: { withhold: true },
  },
  {
    id: 'sse.one-late',
    title: 'each event is kept back until the next one is there',
    requirement: 'SSE-018',
    aspect: 'delta-by-delta',
    kind: 'front',
    mutation: { events: () => oneLate() },
  },
];

const formMutants: readonly Mutant[] = [
  {
    id: 'sse.error-as-stream',
    title: 'a request for a stream is refused by a stream with an error event',
    requirement: 'SSE-015',
    aspect: 'plain-error',
    kind: 'front',
    mutation: {
      answer: (answer, request) =>
        objectIn(request.body)?.stream === true && answer.status >= 400
          ? {
              status: 200,
              headers: [['content-type', 'text/event-stream']],
              body: Buffer.from(`data: ${answer.body.toString('utf8')}\n\ndata: [DONE]\n\n`),
            }
          : answer,
    },
  },
  form('sse.stream-ignored', 'stream is ignored', (body) => void delete body.stream),
  {
    id: 'sse.accept-decides',
    title: 'the Accept header decides whether the answer is a stream',
    requirement: 'SSE-019',
    aspect: 'form-follows-flag',
    kind: 'front',
    mutation: {
      request: (request) => {
        const accept = request.headers.find(([name]) => name.toLowerCase() === 'accept')?.[1];
        const stream = accept === 'text/event-stream';
        return editRequest((body) => Object.assign(body, { stream }))(request);
      },
    },
  },
  {
    id: 'sse.json-mode-dropped',
    title: 'response_format does not hold for streams',
    requirement: 'SSE-021',
    aspect: 'content-parses',
    kind: 'front',
    mutation: {
      request: editRequest((body) => {
        if (body.stream === true) delete body.response_format;
      }),
    },
  },
  {
    id: 'sse.json-fenced',
    title: 'a streamed JSON document is wrapped in a fence',
    requirement: 'SSE-021',
    aspect: 'content-parses',
    kind: 'front',
    mutation: nth(1, (chunk) => {
      deltaOf(chunk).content = `\`\`\`json\n${deltaOf(chunk).content}`;
      return [chunk];
    }),
  },
];

export const sseStreamMutants: readonly Mutant[] = [
  ...wireMutants,
  ...sseChunkMutants,
  ...sseTextMutants,
  ...formMutants,
  ...sseFailureMutants,
];

function events(
  id: string,
  title: string,
  requirement: string,
  aspect: string,
  edit: (event: string) => readonly string[],
): Mutant {
  return { id, title, requirement, aspect, kind: 'front', mutation: inEvents(edit) };
}

function form(id: string, title: string, edit: (body: Json) => void): Mutant {
  const mutation = { request: editRequest(edit) };
  return { id, title, requirement: 'SSE-019', aspect: 'form-follows-flag', kind: 'front', mutation };
}

function oneLate(): (event: string | null) => readonly string[] {
  let held: string | null = null;
  return (event) => {
    const before = held;
    held = event;
    return before === null ? [] : [before];
  };
}

function repeatLastChunk(): (event: string | null) => readonly string[] {
  let last = '';
  return (event) => {
    if (event === null) return [last];
    if (event !== 'data: [DONE]') last = event;
    return [event];
  };
}
