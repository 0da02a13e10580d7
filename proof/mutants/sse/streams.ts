import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import { editRequest, type ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import { inEvents, refuses } from '../../edits/chat-edits.ts';
import { front, type Mutant, source } from '../../edits/mutant.ts';
import { sseChunkMutants, sseTextMutants } from './chunks.ts';
import { sseFailureMutants } from './failures.ts';

const saying =
  (text: string) =>
  ({ body }: ProxyRequest): boolean =>
    body.includes(`"stream_options":${text}`);

/** Gateways in which stream_options affects more than it may. */
export const streamOptionsMutants: readonly Mutant[] = [
  front(['sse.usage-opted-out', 'a stream can opt out of its usage', 'SSE-023', 'usage-whatever-is-said'], {
    events: (request) => (event) => {
      if (event === null) return [];
      const isLast = saying('{"include_usage":false}')(request) && event.includes('"usage":{');
      return [isLast ? event.replace(/,"usage":\{(?:[^{}]|\{[^{}]*\})*\}/, '') : event];
    },
  }),
  front(
    ['sse.stream-options-misnamed', 'a refused option is called stream', 'SSE-009', 'refused-by-name'],
    says(saying('{}'), refusal('invalid_param', 'stream')),
  ),
  front(
    ['sse.stream-options-fatal', 'options of null are a failure', 'SSE-009', 'streams-anyway'],
    says(saying('null'), refusal('internal_error')),
  ),
];

const oneModel: readonly Mutant[] = [
  source(
    ['sse.failure-done-twice', '[DONE] comes twice after an error event', 'SSE-008', 'ends-once'],
    'endpoints/serve.ts',
    'endEvents(exchange, failureEvents(body, protocol));',
    "endEvents(exchange, failureEvents(body, protocol) + 'data: [DONE]\\n\\n');",
  ),
];

/** Gateways whose streams depend on the model or on the transport. */
export const streamModelMutants: readonly Mutant[] = [
  front(
    [
      'sse.one-model-without-streams',
      'one model of the catalogue cannot stream',
      'SSE-017',
      'streams-on-every-model',
    ],
    refuses(
      (body) => body.stream === true && body.model === 'gamma-3-flash',
      'unsupported_capability',
      'stream',
    ),
  ),
  ...oneModel,
];

const wireMutants: readonly Mutant[] = [
  front(
    ['sse.no-streams', 'streams are refused', 'SSE-001', 'accepts-stream'],
    refuses((body) => body.stream === true),
  ),
  front(['sse.text-plain', 'a stream is declared as text/plain', 'SSE-001', 'stream-content-type'], {
    streamHead: (head) => ({ ...head, headers: [['content-type', 'text/plain']] }),
  }),
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
  source(
    ['sse.stays-open', 'the answer stays open after [DONE]', 'SSE-008', 'ends-after-done'],
    'http/send-events.ts',
    "(exchange.isChunked ? lastChunk : '')",
    "''",
  ),
  front(['sse.collected', 'a stream is kept back until it is complete', 'SSE-018', 'delta-by-delta'], {
    withhold: true,
  }),
];

const formMutants: readonly Mutant[] = [
  front(
    [
      'sse.error-as-stream',
      'a request for a stream is refused by a stream with an error event',
      'SSE-015',
      'plain-error',
    ],
    {
      answer: (answer, request) =>
        objectIn(request.body)?.stream === true && answer.status >= 400
          ? {
              status: 200,
              headers: [['content-type', 'text/event-stream']],
              body: Buffer.from(`data: ${answer.body.toString('utf8')}\n\ndata: [DONE]\n\n`),
            }
          : answer,
    },
  ),
  form('sse.stream-ignored', 'stream is ignored', (body) => void delete body.stream),
  front(['sse.json-mode-dropped', 'response_format does not hold for streams', 'SSE-021', 'content-parses'], {
    request: editRequest((body) => {
      if (body.stream === true) delete body.response_format;
    }),
  }),
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
  return front([id, title, requirement, aspect], inEvents(edit));
}

function form(id: string, title: string, edit: (body: Body) => void): Mutant {
  const mutation = { request: editRequest(edit) };
  return front([id, title, 'SSE-019', 'form-follows-flag'], mutation);
}
