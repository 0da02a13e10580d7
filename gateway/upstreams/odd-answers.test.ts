import { describe, expect, it } from 'vitest';
import { delta, events, type FakeUpstream, type Reply, usageFrame } from '../testing/fake-upstream.ts';
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
      'with another index in its stream',
      'chat',
      true,
      stream(
        ...[chunk({ delta: { content: 'Hi' } }), chunk({ delta: {} }, 'stop')].map((one) =>
          one.replace('"index":0', '"index":1'),
        ),
      ),
      whole,
    ],
    [
      'with its finish reason in the spelling of another dialect',
      'chat',
      true,
      stream(delta({ content: 'Hi' }), chunk({ delta: {}, finishReason: 'stop' }, null), usageFrame),
      whole,
    ],
    [
      'with an object as its finish reason',
      'chat',
      false,
      plain(chat({ content: 'Hi' }, { type: 'length', length: 7 })),
      { ...whole, finish: 'length' },
    ],
    [
      'with a status that means success',
      'chat',
      true,
      stream(
        ...[delta({ content: 'Hi' }), delta({}, 'stop')].map((one) => one.replace('{', '{"error":0,')),
        `data: ${JSON.stringify({ code: 0, message: 'Success', usage: { prompt_tokens: 11, completion_tokens: 7 } })}\n\n`,
      ),
      whole,
    ],
    ['with a number as its finish reason', 'chat', false, plain(chat({ content: 'Hi' }, 1)), whole],
    [
      'with the number of its finish reason',
      'generate',
      false,
      plain(candidate([{ text: 'Hi' }], { finishReason: 2 })),
      { ...whole, finish: 'length' },
    ],
    [
      'in the names of protocol buffers',
      'generate',
      false,
      plain({
        candidates: [
          {
            content: { parts: [{ function_call: { name: 'f', args: { x: 1 } } }] },
            finish_reason: 'STOP',
          },
        ],
        usage_metadata: { prompt_token_count: 11, candidates_token_count: 7, total_token_count: 18 },
      }),
      called,
    ],
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
    [
      'with the end mark of a stream',
      'chat',
      false,
      events([`${JSON.stringify(chat({ content: 'Hi' }))}\n\ndata: [DONE]\n\n`]),
      whole,
    ],
    ['of a text in place of blocks', 'messages', false, message('Hi'), whole],
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
