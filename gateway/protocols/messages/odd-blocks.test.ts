import { expect, it } from 'vitest';
import { events, type FakeUpstream } from '../../testing/fake-upstream.ts';
import { messagesRequest, postMessages, readMessageStream } from '../../testing/messages-caller.ts';
import {
  blockDelta,
  message,
  messageEnd,
  messageEvent,
  messageStart,
  textBlock,
} from '../../testing/messages-upstream.ts';
import type { TestGateway } from '../../testing/test-gateway.ts';
import { twoEndsEachFile } from '../../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachFile((started) => {
  ({ upstream, gateway } = started);
});

const thinking = { type: 'thinking', thinking: '' };
const textBlockSample = { type: 'text', text: '' };

it.for<[string, object, object[], object[]]>([
  ['no text', thinking, [{ type: 'thinking_delta', thinking: 5 }, { type: 'thinking_delta' }], [thinking]],
  ['a text in a thought', thinking, [{ type: 'text_delta', text: 'x' }], [thinking]],
  ['input of a thought', thinking, [{ type: 'input_json_delta', partial_json: '{}' }], [thinking]],
  ['a thought in a text', textBlockSample, [{ type: 'thinking_delta', thinking: 'x' }], []],
  ['a delta of no type', textBlockSample, [{ text: 'x' }], []],
  ['a thought without a text', { type: 'thinking' }, [], [thinking]],
  ['a block of no type', { x: 1 }, [{ type: 'thinking_delta', thinking: 'x' }], []],
  ['a block whose type is no text', { type: 5 }, [], []],
])('a stream spoils no block of its caller with %s', async ([, block, deltas, seen]) => {
  upstream.fallback = events([
    messageStart,
    messageEvent('content_block_start', { index: 0, content_block: block }),
    ...deltas.map((delta) => blockDelta(0, delta)),
    messageEvent('content_block_stop', { index: 0 }),
    ...textBlock(1, ['whole']),
    ...messageEnd(),
  ]);
  const answer = await postMessages(gateway, { ...messagesRequest, stream: true });
  expect(readMessageStream(answer.text).message.content).toEqual([...seen, { type: 'text', text: 'whole' }]);
});

it('a whole answer has only the text members that belong to each kind of block', async () => {
  upstream.fallback = message([
    { type: 'thinking', thinking: 5, signature: 6 },
    { type: 7 },
    textBlockSample,
  ]);
  const answer = await postMessages(gateway, messagesRequest);
  expect(answer.json.content).toEqual([{ type: 'thinking', thinking: '', signature: '' }, textBlockSample]);
});
