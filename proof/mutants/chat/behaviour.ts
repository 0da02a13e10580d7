import type { Body } from '../../../suites/rewrite/json.ts';
import {
  choiceOf,
  fenceJson,
  inPlain,
  inRequests,
  messageOf,
  recount,
  refuses,
} from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';

/** Gateways that accept max_tokens, stop, tool_choice or response_format and do not obey it. */

const finish =
  (from: string, to: string): ((answer: Body) => void) =>
  (answer) => {
    const choice = choiceOf(answer);
    if (choice.finish_reason === from) (answer.choices as Body[])[0] = { ...choice, finish_reason: to };
  };

export const maxTokens: readonly Mutant[] = [
  front(
    ['chat.caps-refused', 'max_tokens of 1 is refused', 'CHAT-021', 'caps-accepted'],
    refuses((body) => body.max_tokens === 1, 'invalid_param', 'max_tokens'),
  ),
  upstream(
    ['chat.max-tokens-ignored', 'max_tokens is not obeyed', 'CHAT-021', 'cap-on-completion'],
    inRequests((body) => {
      // One dialect requires the field.
      for (const part of [body, body.generationConfig as Body | undefined])
        for (const name of ['max_tokens', 'max_completion_tokens', 'maxOutputTokens'])
          if (part?.[name] !== undefined) part[name] = 60_000;
    }),
  ),
  front(
    ['chat.cut-loses-start', 'a cut answer has lost its start', 'CHAT-021', 'cut-is-a-start'],
    inPlain((answer) => {
      const message = messageOf(answer);
      message.content = String(message.content).slice(1);
    }),
  ),
  front(
    ['chat.cut-as-stop', 'a cut answer says that it ended by itself', 'CHAT-021', 'cut-ends-with-length'],
    inPlain(finish('length', 'stop')),
  ),
  front(
    ['chat.max-tokens-demanded', 'max_tokens is demanded', 'CHAT-022', 'omission-accepted'],
    refuses((body) => !('max_tokens' in body), 'invalid_param', 'max_tokens'),
  ),
];

export const stop: readonly Mutant[] = [
  front(
    ['chat.stop-list-refused', 'several stop sequences are refused', 'CHAT-038', 'stop-accepted'],
    refuses((body) => Array.isArray(body.stop) && body.stop.length > 1, 'invalid_param', 'stop'),
  ),
  upstream(
    ['chat.stop-not-streamed', 'stop is not passed on for streams', 'CHAT-038', 'halts-at-stop'],
    inRequests((body) => {
      if (body.stream === true) delete body.stop;
    }),
  ),
  front(
    [
      'chat.stop-blank-alone',
      'a stop of nothing but white space keeps the others from the upstream',
      'CHAT-038',
      'halts-beside-blank',
    ],
    inRequests((body) => {
      if (!Array.isArray(body.stop)) return;
      const blanks = body.stop.filter((stop) => String(stop).trim() === '');
      if (blanks.length > 0) body.stop = blanks;
    }),
  ),
  front(
    [
      'chat.stop-blank-beside-dropped',
      'beside other stops, one of nothing but white space is not passed on',
      'CHAT-038',
      'halts-at-split-stop',
    ],
    inRequests((body) => {
      if (!Array.isArray(body.stop) || body.stop.length === 1) return;
      body.stop = body.stop.filter((stop) => String(stop).trim() !== '');
    }),
  ),
  source(
    [
      'chat.stop-begun-lost',
      'the beginning of a stop sequence at the end of a cut stream is lost',
      'CHAT-038',
      'begun-stop-kept',
    ],
    'upstreams/stop-sequences/enforce-stops.ts',
    "const held = step.kind === 'end' ?",
    "const held = step.kind === 'end' && step.finish === 'stop' ?",
  ),
  front(
    ['chat.stop-uncounted', 'a halted answer has the count of one token', 'RESP-022', 'halted-usage'],
    inPlain((answer, { stop }) => {
      if (stop !== undefined) recount(answer, (counts) => ({ ...counts, completion_tokens: 1 }));
    }),
  ),
  front(
    ['chat.stop-as-length', 'a halt at a stop sequence is called a cut', 'CHAT-038', 'finish-is-stop'],
    inPlain(finish('stop', 'length')),
  ),
  front(
    ['chat.stop-eats-text', 'the text before a stop sequence is lost', 'CHAT-038', 'keeps-what-precedes'],
    inPlain((answer) => {
      messageOf(answer).content = 'Stopped.';
    }),
  ),
];

const named = (body: Body): boolean => typeof body.tool_choice === 'object' && body.tool_choice !== null;

export const toolChoice: readonly Mutant[] = [
  front(
    ['chat.none-refused', 'tool_choice none is refused', 'CHAT-029', 'choice-accepted'],
    refuses((body) => body.tool_choice === 'none', 'invalid_param', 'tool_choice'),
  ),
  front(
    ['chat.required-refused', 'tool_choice required is refused', 'CHAT-030', 'choice-accepted'],
    refuses((body) => body.tool_choice === 'required', 'invalid_param', 'tool_choice'),
  ),
  front(
    ['chat.named-refused', 'a named tool_choice is refused', 'CHAT-031', 'choice-accepted'],
    refuses(named, 'invalid_param', 'tool_choice'),
  ),
  upstream(
    ['chat.none-calls', 'tool_choice none does not keep the model from calling', 'CHAT-029', 'none-forbids'],
    inRequests((body) => {
      if (body.tool_choice === 'none') body.tool_choice = 'required';
    }),
  ),
  upstream(
    ['chat.required-ignored', 'tool_choice required is not passed on', 'CHAT-030', 'required-forces'],
    inRequests((body) => {
      if (body.tool_choice === 'required') delete body.tool_choice;
    }),
  ),
  front(
    ['chat.required-as-stop', 'a forced call ends with finish_reason stop', 'CHAT-030', 'required-finish'],
    inPlain(finish('tool_calls', 'stop')),
  ),
  upstream(
    ['chat.named-other', 'another function than the named one is called', 'CHAT-031', 'named-is-called'],
    inRequests((body) => {
      const [tool] = (body.tools ?? []) as Body[];
      if (named(body) && tool)
        body.tool_choice = { type: 'function', function: { name: (tool.function as Body).name } };
    }),
  ),
  front(
    ['chat.tool-choice-demanded', 'tools without tool_choice are refused', 'CHAT-026', 'tools-accepted'],
    refuses((body) => 'tools' in body && !('tool_choice' in body), 'invalid_param', 'tool_choice'),
  ),
  upstream(
    ['chat.tool-choice-default-none', 'an omitted tool_choice becomes none', 'CHAT-026', 'auto-by-default'],
    inRequests((body) => {
      if ('tools' in body) body.tool_choice ??= 'none';
    }),
  ),
  front(
    ['chat.unforced-calls-dropped', 'calls that were not forced are dropped', 'CHAT-026', 'upstream-decides'],
    inPlain((answer, request) => {
      if (!('tool_choice' in request) && messageOf(answer).tool_calls)
        answer.choices = [
          { index: 0, message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' },
        ];
    }),
  ),
];

export const json: readonly Mutant[] = [
  front(
    ['chat.json-object-not-on-delta', 'one model refuses json_object', 'CHAT-034', 'json-object-accepted'],
    refuses((body) => body.model === 'delta-3' && 'response_format' in body, 'unsupported_capability'),
  ),
  front(
    ['chat.json-fenced', 'a JSON document comes in a code fence', 'CHAT-034', 'content-parses'],
    inPlain(fenceJson),
  ),
  upstream(
    ['chat.json-not-streamed', 'response_format is not passed on for streams', 'CHAT-034', 'stream-parses'],
    inRequests((body) => {
      if (body.stream === true) delete body.response_format;
    }),
  ),
];
