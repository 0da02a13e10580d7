import { inEvents, isErrorEvent } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that hide, soften or repeat a failure inside a stream. */
export const sseFailureMutants: readonly Mutant[] = [
  failure('sse.failure-hidden', 'a stream that breaks just ends', 'visible', () => []),
  failure('sse.failure-then-text', 'text follows after the error', 'no-text-after-error', (event) => [
    event,
    moreText,
  ]),
  failure('sse.failure-run-again', 'what breaks is run again from its start', 'no-rerun', (event) => [
    moreText,
    event,
  ]),
  failure('sse.failure-shapeless', 'the error event is a text', 'error-event-shape', () => [
    'data: {"error":"upstream went away"}',
  ]),
  failure('sse.failure-blames-caller', 'the error event blames the caller', 'error-event-type', () => [
    'data: {"error":{"type":"auth_error","code":"invalid_api_key","message":"No.","channel":null,"param":null}}',
  ]),
  failure('sse.failure-raw', "the error event repeats the upstream's words", 'no-raw-text', (event) => [
    event.replace(/"message":"[^"]*"/, '"message":"upstream said: kernel panic on node sim-77"'),
  ]),
  source(
    ['sse.waits-for-ever', 'there is no limit to the silence of an upstream', 'SSE-016', 'stall-ends'],
    'upstreams/call.ts',
    'return this.#deps.clock.schedule(Math.max(0, ms), () => {',
    'return this.#deps.clock.schedule(ms + 10 ** 9, () => {',
  ),
];

/** Changes the error event of a stream that fails. */
function failure(
  id: string,
  title: string,
  aspect: string,
  edit: (event: string) => readonly string[],
): Mutant {
  const mutation = inEvents((event) => (isErrorEvent(event) ? edit(event) : [event]));
  return front([id, title, 'SSE-016', aspect], mutation);
}

const chunkHead = '{"id":"chatcmpl-broken","object":"chat.completion.chunk","created":1,"model":"m"';

const moreText = `data: ${chunkHead},"choices":[{"index":0,"delta":{"content":"and on"},"finish_reason":null}]}`;
