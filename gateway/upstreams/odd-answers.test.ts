import { describe, expect, it } from 'vitest';
import { delta, events, type FakeUpstream, json, type Reply, usageFrame } from '../testing/fake-upstream.ts';
import { generateEvent } from '../testing/generate-content-upstream.ts';
import { messageEvent } from '../testing/messages-upstream.ts';
import type { TestGateway } from '../testing/test-gateway.ts';
import { twoEndsEachTest } from '../testing/two-ends.ts';
import { parseEvents } from '../testing/wire.ts';

let upstream: FakeUpstream;
let gateway: TestGateway;
twoEndsEachTest((ends) => {
  ({ upstream, gateway } = ends);
});

const models = { chat: 'delta-3', messages: 'beta-large-4-5', generate: 'gamma-3-flash' } as const;
type Dialect = keyof typeof models;

const counts = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };
const thoughtful = { ...counts, completion_tokens_details: { reasoning_tokens: 7 } };
const counted = { promptTokenCount: 11, thoughtsTokenCount: 7, totalTokenCount: 18 };
const chat = (message: object, finish: unknown = 'stop', more: object = {}): object => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: counts,
  ...more,
});
const plain = (body: unknown, status = 200, headers = {}): Reply => json(status, body, headers);
const chunk = (members: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, finish_reason: finish, ...members }] })}\n\n`;
const stream = (...frames: string[]): Reply => events([...frames, usageFrame, 'data: [DONE]\n\n']);
const message = (content: unknown, reason = 'end_turn', status = 200): Reply =>
  json(status, {
    type: 'message',
    content,
    stop_reason: reason,
    usage: { input_tokens: 11, output_tokens: 7 },
  });
const candidate = (parts: unknown, more: object = {}): object => ({
  candidates: [{ content: { role: 'model', ...(parts !== undefined && { parts }) }, ...more }],
  usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
});
const stop = { finishReason: 'STOP' };
const thought = { text: 'hm', thought: true };
const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
const blocks = (index: number, block: object, ...deltas: object[]): string[] => [
  messageEvent('content_block_start', { index, content_block: block }),
  ...deltas.map((one) => messageEvent('content_block_delta', { index, delta: one })),
  messageEvent('content_block_stop', { index }),
];
const messaged = (...frames: string[]): Reply =>
  events([
    ...frames,
    messageEvent('message_delta', {
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 11, output_tokens: 7 },
    }),
    messageEvent('message_stop'),
  ]);

/** What the caller sees of an answer, and the tokens that were recorded. */
async function ask(dialect: Dialect, isStream: boolean) {
  const messages = [{ role: 'user', content: 'hi' }];
  const answer = await gateway.chat({ model: models[dialect], stream: isStream, messages });
  const isEvents = isStream && answer.status === 200;
  const chunks = isEvents ? parseEvents(answer.text).chunks : [answer.json];
  const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
  const said = choices.map((choice) => choice.delta ?? choice.message);
  const calls = said.flatMap(({ tool_calls: some = [] }) => some);
  const names = calls.map((call) => call.function.name ?? '').join('');
  const [record] = gateway.records;
  return {
    code: chunks.at(-1).error?.code,
    text: said.map(({ content }) => content ?? '').join(''),
    call: calls.length === 0 ? '' : `${names}${calls.map((call) => call.function.arguments ?? '').join('')}`,
    finish: choices.map((choice) => choice.finish_reason).findLast((reason) => reason !== null),
    tokens: [record?.prompt_tokens, record?.completion_tokens].map(Number),
  };
}

type Odd = [name: string, dialect: Dialect, isStream: boolean, reply: Reply, wanted: object];
const objects = [delta({ content: 'H' }), delta({ content: 'i' }, 'stop'), usageFrame].map((one) =>
  one.slice('data: '.length).trim(),
);
const whole = { code: undefined, text: 'Hi', call: '', finish: 'stop', tokens: [11, 7] };
const called = { ...whole, text: '', call: 'f{"x":1}', finish: 'tool_calls' };
const fine = { name: 'f', arguments: '{"x":1}' };

describe('an odd answer is complete', () => {
  it.for<Odd>([
    [
      'with an error of no content',
      'chat',
      false,
      plain(chat({ content: 'Hi' }, 'stop', { error: '' })),
      whole,
    ],
    ['with an empty error', 'chat', false, plain(chat({ content: 'Hi' }, 'stop', { error: {} })), whole],
    [
      'with an empty error in every chunk',
      'chat',
      true,
      stream(...[delta({ content: 'Hi' }), delta({}, 'stop')].map((one) => one.replace('{', '{"error":{},'))),
      whole,
    ],
    ['of strings', 'chat', false, plain(chat({ content: ['H', 'i'] })), whole],
    ['of one part', 'chat', false, plain(chat({ content: { type: 'text', text: 'Hi' } })), whole],
    [
      'of parts under other types, or without one',
      'chat',
      true,
      stream(
        delta({ content: [{ type: 'output_text', text: 'H' }] }),
        delta({ content: [{ text: 'i' }] }, 'stop'),
      ),
      whole,
    ],
    [
      'streamed as messages',
      'chat',
      true,
      stream(
        chunk({ message: { role: 'assistant', content: 'H' } }),
        chunk({ message: { content: 'i' } }, 'stop'),
      ),
      whole,
    ],
    [
      'that its last chunk repeats as a message',
      'chat',
      true,
      stream(delta({ content: 'Hi' }), chunk({ message: { content: 'Hi' } }, 'stop')),
      whole,
    ],
    ...[false, true].flatMap((isStream): Odd[] => [
      ['of one object a line', 'chat', isStream, plain(objects.join('\n')), whole],
      ['of objects in a list', 'chat', isStream, plain(`[${objects.join()}]`), whole],
    ]),
    [
      'whose events end with single lines',
      'chat',
      true,
      events([...objects.map((one) => `data: ${one}\n`), 'data: [DONE]\n']),
      whole,
    ],
    [
      'of a completion',
      'chat',
      false,
      plain({ choices: [{ text: 'Hi', finish_reason: 'stop' }], usage: counts }),
      whole,
    ],
    [
      'streamed as a completion',
      'chat',
      true,
      stream(chunk({ text: 'H' }), chunk({ text: 'i' }, 'stop')),
      whole,
    ],
    [
      'with an empty error in its choice',
      'chat',
      true,
      stream(chunk({ delta: { content: 'Hi' }, error: {} }, 'stop')),
      whole,
    ],
    ['with the status of a proxy', 'chat', false, plain(chat({ content: 'Hi' }), 203), whole],
    ['with status 201', 'messages', false, message([{ type: 'text', text: 'Hi' }], 'end_turn', 201), whole],
    [
      'with a charset in place of a compression',
      'chat',
      false,
      plain(chat({ content: 'Hi' }), 200, { 'content-encoding': 'UTF-8' }),
      whole,
    ],
    ...['br', 'deflate', 'gzip', 'zstd'].map((coding): Odd => {
      const reply = plain(chat({ content: 'Hi' }), 200, { 'content-encoding': coding });
      return [`labelled ${coding}, but not compressed`, 'chat', false, reply, whole];
    }),
    [
      'with a number that JSON does not have, and its name in the text',
      'chat',
      false,
      plain(JSON.stringify(chat({ content: 'NaN' })).replace('{', '{"created":NaN,"speed":-Infinity,')),
      { ...whole, text: 'NaN' },
    ],
    [
      'whose first choice is not the first in the list',
      'chat',
      false,
      plain({
        choices: [
          { index: 1, message: { content: 'Other' }, finish_reason: 'length' },
          { index: 0, message: { content: 'Hi' }, finish_reason: 'stop' },
        ],
        usage: counts,
      }),
      whole,
    ],
    [
      'with a call of the earlier form',
      'chat',
      false,
      plain(chat({ content: null, function_call: fine })),
      called,
    ],
    [
      'with a streamed call of the earlier form',
      'chat',
      true,
      stream(
        delta({ function_call: { name: 'f', arguments: '' } }),
        delta({ function_call: { arguments: '{"x":' } }),
        delta({ function_call: { arguments: '1}' } }),
        delta({ function_call: { name: '', arguments: '' } }, 'function_call'),
      ),
      called,
    ],
    [
      'with a streamed call without arguments',
      'chat',
      true,
      stream(
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f' } }] }),
        delta({}, 'tool_calls'),
      ),
      { ...called, call: 'f{}' },
    ],
    [
      'with a call without arguments',
      'chat',
      false,
      plain(chat({ content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '' } }] })),
      { ...called, call: 'f{}' },
    ],
    [
      'whose turn would go on',
      'messages',
      false,
      message([{ type: 'text', text: 'Hi' }], 'pause_turn'),
      { ...whole, finish: 'length' },
    ],
    [
      'with a text of null between others',
      'messages',
      true,
      messaged(
        ...blocks(
          0,
          { type: 'text', text: '' },
          { type: 'text_delta', text: null },
          { type: 'text_delta', text: 'Hi' },
        ),
      ),
      whole,
    ],
    [
      'with arguments as an object',
      'messages',
      true,
      messaged(
        ...blocks(
          0,
          { type: 'tool_use', id: 't', name: 'f', input: {} },
          { type: 'input_json_delta', partial_json: { x: 1 } },
        ),
      ),
      called,
    ],
    [
      'with thoughts before the text',
      'generate',
      false,
      plain(candidate([thought, { text: 'Hi' }], stop)),
      whole,
    ],
    [
      'with an image beside the text',
      'generate',
      false,
      plain(candidate([image, { text: 'Hi' }], stop)),
      whole,
    ],
    ['that says nothing', 'generate', false, plain(candidate([{ text: '' }], stop)), { ...whole, text: '' }],
  ])('%s', async ([, dialect, isStream, reply, wanted]) => {
    upstream.queue.push(reply);
    expect(await ask(dialect, isStream)).toEqual(wanted);
  });
});

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
    ['thinking parts', 'chat', false, plain(chat({ content: [{ type: 'thinking', thinking: [] }] }))],
    ['streamed reasoning', 'chat', true, stream(delta({ reasoning_content: 'hm' }), delta({}, 'stop'))],
    ['a thinking block', 'messages', false, message([thinking])],
    ['a streamed thinking block', 'messages', true, messaged(...blocks(0, thinking))],
    ['a call of a tool of the server', 'messages', false, message([{ type: 'server_tool_use', id: 's' }])],
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
