import type { Body } from '../../../suites/rewrite/json.ts';
import {
  blocksA,
  countsA,
  eventsA,
  frontA,
  messagesA,
  plainA,
  rawEventsA,
  refusesA,
} from '../../edits/compat-a-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways whose answers differ from the messages protocol or from their upstream. */

const form = 'COMPA-010';

export const forms: readonly Mutant[] = [
  frontA(
    ['compa.core-words', 'answers have the members of the core path', form, 'shape'],
    plainA((message) => {
      message.choices = [
        { index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' },
      ];
      delete message.content;
    }),
  ),
  frontA(
    ['compa.native-model', 'answers name the model as the upstream does', form, 'model-name'],
    messagesA((message) => {
      message.model = 'bl-4-5-20260801';
    }),
  ),
  frontA(
    ['compa.one-id', 'every message has the same id', form, 'id-unique'],
    messagesA((message) => {
      message.id = 'msg_1';
    }),
  ),
  frontA(
    ['compa.nothing-said', 'answers are empty', 'COMPA-001', 'says-something'],
    plainA((message, { tools }) => {
      if (tools === undefined) message.content = [];
    }),
  ),
  frontA(['compa.status-202', 'a message comes with status 202', form, 'success-status'], {
    answer: (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer),
  }),
  frontA(['compa.not-json', 'answers are called text', form, 'content-type'], {
    answer: (answer) => ({ ...answer, headers: [['content-type', 'text/plain']] }),
  }),
  frontA(
    [
      'compa.stop-in-our-words',
      'the reason to end is in the words of the core path',
      form,
      'stop-reason-verbatim',
    ],
    plainA((message) => {
      const words: Record<string, string> = { end_turn: 'stop', max_tokens: 'length' };
      message.stop_reason = words[String(message.stop_reason)] ?? message.stop_reason;
    }),
  ),
  frontA(
    [
      'compa.stop-sequence-left',
      'a stop_sequence is reported where none was met',
      form,
      'stop-sequence-fits',
    ],
    plainA((message) => {
      message.stop_sequence ??= 'unlikely-stop';
    }),
  ),
  frontA(
    ['compa.text-trimmed', 'texts of answers are trimmed', form, 'text-unchanged'],
    blocksA((blocks) =>
      blocks.map((block) => (block.type === 'text' ? { ...block, text: String(block.text).trim() } : block)),
    ),
  ),
  frontA(
    ['compa.thoughts-dropped', 'thoughts are dropped', form, 'thoughts-come-back'],
    blocksA((blocks) => blocks.filter(({ type }) => !String(type).endsWith('thinking'))),
  ),
  source(
    ['compa.upstream-id', 'an answer has the id of the upstream', form, 'identity-neutral'],
    'protocols/messages/answer.ts',
    "    id,\n    type: 'message',",
    "    id: native?.id ?? id,\n    type: 'message',",
  ),
];

export const calls: readonly Mutant[] = [
  frontA(
    ['compa.call-digits', 'inputs of calls lose digits on the way out', 'COMPA-005', 'tool-use-comes-back'],
    blocksA((blocks) => JSON.parse(JSON.stringify(blocks)) as Body[]),
  ),
  frontA(
    ['compa.call-for-nothing', 'an answer stops for a tool that it does not call', form, 'stop-reason-fits'],
    plainA((message) => {
      if (message.stop_reason === 'end_turn') message.stop_reason = 'tool_use';
    }),
  ),
];

export const counts: readonly Mutant[] = [
  frontA(
    ['compa.input-all', 'input_tokens holds what was read from a cache', 'COMPA-016', 'cache-verbatim'],
    countsA((usage) => {
      usage.input_tokens = Number(usage.input_tokens) + Number(usage.cache_read_input_tokens ?? 0);
    }),
  ),
  frontA(
    ['compa.one-slot', 'all that was written lives five minutes', 'COMPA-016', 'slots-verbatim'],
    countsA((usage) => {
      const slots = usage.cache_creation as Body | undefined;
      if (slots)
        usage.cache_creation = {
          ephemeral_5m_input_tokens: usage.cache_creation_input_tokens,
          ephemeral_1h_input_tokens: 0,
        };
    }),
  ),
  frontA(
    ['compa.counted-again', 'output_tokens is an estimate of our own', 'COMPA-016', 'usage-verbatim'],
    countsA((usage) => {
      usage.output_tokens = Number(usage.output_tokens) + 1;
    }),
  ),
];

const isEvent = (event: string, type: string): boolean => event.startsWith(`event: ${type}\n`);

export const streams: readonly Mutant[] = [
  frontA(
    ['compa.stream-withheld', 'a native stream is sent only when it is complete', form, 'delta-by-delta'],
    {
      withhold: true,
    },
  ),
  frontA(
    ['compa.no-event-names', 'events of a stream have no names', form, 'event-name'],
    rawEventsA((event) => [event.replace(/^event: .*\n/, '')]),
  ),
  frontA(
    ['compa.done', 'a native stream ends with [DONE]', form, 'no-done'],
    rawEventsA((event) => [event], ['data: [DONE]']),
  ),
  frontA(
    ['compa.two-endings', 'a stream reports its end twice', form, 'event-order'],
    eventsA((event) => (event.type === 'message_delta' ? [event, event] : [event])),
  ),
  // A second mutant: only a text behind a call, where another one was before it.
  source(
    ['compa.text-reopened', 'a text behind a call has the number of the text before it', form, 'event-order'],
    'protocols/messages/block-writer.ts',
    'return messageEvent(type, { index: this.#index, ...more });',
    `const isStart = type === 'content_block_start' && this.#line[0]?.kind === 'text';
    if (isStart) Object.assign(this, { first: Object.hasOwn(this, 'first') ? (this as any).first : this.#index });
    return messageEvent(type, { index: isStart && this.#calls.size > 0 ? (this as any).first : this.#index, ...more });`,
  ),
  frontA(['compa.stream-json', 'a stream is called JSON', form, 'stream-content-type'], {
    streamHead: (head) => ({ ...head, headers: [['content-type', 'application/json']] }),
  }),
  frontA(
    ['compa.core-chunks', 'a stream has the chunks of the core path', form, 'event-shape'],
    rawEventsA((event) => (isEvent(event, 'content_block_delta') ? ['data: {"choices":[]}'] : [event])),
  ),
  frontA(
    ['compa.stream-as-plain', 'a stream that was asked for is refused as unknown', form, 'stream-served'],
    refusesA(({ stream }) => stream === true, 'model_not_found', 'model'),
  ),
];
