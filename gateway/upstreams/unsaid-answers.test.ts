import { describe, expect, it } from 'vitest';
import { delta, events, type FakeUpstream, type Reply } from '../testing/fake-upstream.ts';
import { generateEvent } from '../testing/generate-content-upstream.ts';
import {
  askFor,
  blocks,
  candidate,
  chat,
  chunk,
  counts,
  type Dialect,
  image,
  message,
  messaged,
  plain,
  stop,
  stream,
  thinking,
  thought,
} from '../testing/odd-replies.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});
const ask = (dialect: Dialect, isStream: boolean) => askFor(gateway, dialect, isStream);

const thoughtful = { ...counts, completion_tokens_details: { reasoning_tokens: 7 } };
const counted = { promptTokenCount: 11, thoughtsTokenCount: 7, totalTokenCount: 18 };

describe('an answer in which the model said nothing that the caller could see is a failure, not of the channel:', () => {
  it.for<[name: string, dialect: Dialect, isStream: boolean, reply: Reply]>([
    ['reasoning', 'chat', false, plain(chat({ content: '', reasoning_content: 'hm' }))],
    ['reasoning without content', 'chat', false, plain(chat({ content: null, reasoning: 'hm' }))],
    ['reasoning in parts', 'chat', false, plain(chat({ content: '', reasoning_details: [{ text: 'hm' }] }))],
    ['reasoning as an object', 'chat', false, plain(chat({ content: '', reasoning: { content: 'hm' } }))],
    ['thinking', 'chat', true, stream(delta({ content: '', thinking: 'hm' }), delta({}, 'stop'))],
    [
      'reasoning that was only counted',
      'chat',
      false,
      plain(chat({ content: '' }, 'stop', { usage: thoughtful })),
    ],
    [
      'a counted thought',
      'generate',
      false,
      plain({ ...candidate([{ text: '' }], stop), usageMetadata: counted }),
    ],
    ['a picture', 'chat', false, plain(chat({ content: '', images: [{ image_url: { url: 'data:,' } }] }))],
    ['speech', 'chat', false, plain(chat({ content: null, audio: { id: 'a', data: 'AA==' } }))],
    ['nothing at all', 'chat', false, plain(chat({}))],
    ['a regular end alone', 'generate', false, plain({ candidates: [{ finishReason: 'STOP' }] })],
    ['a regular end of empty parts', 'generate', true, events([generateEvent(candidate([], stop))])],
    ['thinking parts', 'chat', false, plain(chat({ content: [{ type: 'thinking', thinking: [] }] }))],
    ['streamed reasoning', 'chat', true, stream(delta({ reasoning_content: 'hm' }), delta({}, 'stop'))],
    [
      'a call that its provider could not read',
      'chat',
      false,
      plain({
        choices: [
          {
            message: { content: '' },
            finish_reason: 'stop',
            native_finish_reason: 'MALFORMED_FUNCTION_CALL',
          },
        ],
      }),
    ],
    ['a call of no form', 'messages', false, message([], 'malformed_tool_use')],
    ['a thinking block', 'messages', false, message([thinking])],
    ['a streamed thinking block', 'messages', true, messaged(...blocks(0, thinking))],
    ['a call of a tool of the server', 'messages', false, message([{ type: 'server_tool_use', id: 's' }])],
    [
      'nothing, for no stated reason',
      'generate',
      false,
      plain(candidate(undefined, { finishReason: 'OTHER' })),
    ],
    ['nothing but counts', 'generate', false, plain({ ...candidate([]), candidates: [] })],
    [
      'nothing but streamed counts',
      'generate',
      true,
      events([generateEvent({ ...candidate([]), candidates: undefined })]),
    ],
    ['a thought', 'generate', false, plain(candidate([thought], stop))],
    [
      'a streamed thought',
      'generate',
      true,
      events([generateEvent(candidate([thought])), generateEvent(candidate([{ text: '' }], stop))]),
    ],
    ['an image', 'generate', false, plain(candidate([image], stop))],
    ['no parts', 'generate', false, plain(candidate([], stop))],
    ['no list of parts', 'generate', false, plain(candidate(undefined, stop))],
  ])('%s', async ([, dialect, isStream, reply]) => {
    upstream.fallback = reply;
    for (let calls = 1; calls <= 6; calls += 1) {
      expect(await ask(dialect, isStream)).toMatchObject({ code: 'upstream_error', tokens: [0, 0] });
      // Once more each time, and never an open breaker.
      expect(upstream.seen).toHaveLength(2 * calls);
    }
  });
});

it.for<[name: string, isStream: boolean, reply: Reply]>([
  [
    'whole',
    false,
    plain({ choices: [{ message: { content: '' }, error: { code: 429 }, finish_reason: 'stop' }] }),
  ],
  ['streamed', true, stream(chunk({ delta: { content: '' }, error: { code: 429 } }, 'stop'))],
])('an error in the choice of an answer is read like any other, %s', async ([, isStream, reply]) => {
  upstream.fallback = reply;
  expect(await ask('chat', isStream)).toMatchObject({ code: 'channel_queue_full', tokens: [0, 0] });
});

it.for([{ odd: 1 }, [{ odd: 1 }], [7], 7])(
  'a content of %j is no text that could be left out',
  async (content) => {
    upstream.fallback = stream(delta({ content: 'H' }), delta({ content }), delta({ content: 'i' }, 'stop'));
    expect(await ask('chat', true)).toMatchObject({ code: 'upstream_error', text: 'H' });
  },
);
