import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { editChunks } from '../../../suites/rewrite/mutation.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import {
  callsIn,
  choiceOf,
  inPlain,
  inRequests,
  messageOf,
  messagesIn,
  refuses,
} from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { fromUpstream } from '../../edits/native-edits.ts';

/** Gateways that are wrong about tool calls, their delivery and their follow-up. */

export const calls: readonly Mutant[] = [
  front(
    ['tool.none-refused', 'tools with tool_choice none are refused', 'TOOL-017', 'tools-accepted'],
    refuses((body) => body.tool_choice === 'none', 'invalid_param', 'tool_choice'),
  ),
  front(
    ['tool.same-ids', 'all calls of an answer have one id', 'TOOL-008', 'call-ids'],
    inPlain((answer) => {
      for (const call of callsIn(answer)) call.id = 'call_0';
    }),
  ),
  upstream(
    ['tool.same-id-lost', 'of two calls with one id the second is lost', 'TOOL-008', 'odd-ids-whole'],
    fromUpstream('chat-completions', (part) => {
      const { message } = objectsIn(part.choices)[0] ?? {};
      const calls = objectsIn((message as Body | undefined)?.tool_calls);
      if (calls.length > 1 && calls[0]?.id === calls[1]?.id) (message as Body).tool_calls = calls.slice(0, 1);
    }),
  ),
  front(['tool.same-id-breaks', 'an id that comes twice breaks the gateway', 'TOOL-008', 'odd-ids-clean'], {
    answer: (answer) => (answer.body.includes('"call_same"') ? refusal('internal_error') : answer),
  }),
  front(
    ['tool.name-prefixed', 'names come back with a prefix', 'TOOL-009', 'name-of-request'],
    inPlain((answer) => {
      for (const call of callsIn(answer)) call.function.name = `functions.${call.function.name}`;
    }),
  ),
  front(
    ['tool.name-cut', 'long names come back cut', 'TOOL-005', 'name-exact'],
    inPlain((answer) => {
      for (const call of callsIn(answer)) call.function.name = call.function.name.slice(0, 60);
    }),
  ),
  front(
    ['tool.arguments-broken', 'the last character of the arguments is lost', 'TOOL-010', 'arguments-json'],
    inPlain((answer) => {
      for (const call of callsIn(answer)) call.function.arguments = call.function.arguments.slice(0, -1);
    }),
  ),
  front(
    ['tool.arguments-made-up', 'a call without arguments gets made-up ones', 'TOOL-010', 'empty-object'],
    inPlain((answer) => {
      for (const call of callsIn(answer))
        if (/^\{\s*\}$/.test(call.function.arguments)) call.function.arguments = '{"word":""}';
    }),
  ),
  front(
    [
      'tool.calls-as-stop',
      'a turn with calls ends with finish_reason stop',
      'TOOL-017',
      'finish-is-tool-calls',
    ],
    inPlain((answer) => {
      if (callsIn(answer).length > 0) finishAs(answer, 'stop');
    }),
  ),
  front(
    [
      'tool.text-as-calls',
      'a turn without calls ends with finish_reason tool_calls',
      'TOOL-017',
      'finish-of-calls',
    ],
    inPlain((answer, request) => {
      if ('tools' in request) finishAs(answer, 'tool_calls');
    }),
  ),
  upstream(
    ['tool.none-calls', 'tool_choice none still calls', 'TOOL-017', 'no-calls-other-finish'],
    inRequests((body) => {
      if (body.tool_choice === 'none') body.tool_choice = 'required';
    }),
  ),
];

export const delivery: readonly Mutant[] = [
  front(
    [
      'tool.name-in-each-fragment',
      'each fragment of a call repeats its name',
      'TOOL-018',
      'fragments-reassemble',
    ],
    {
      events: editCalls((fragments) => {
        for (const fragment of fragments)
          fragment.function = { ...(fragment.function as Body), name: 'look_up' };
        return fragments;
      }),
    },
  ),
  front(
    ['tool.call-beside-text-lost', 'a call beside text is lost', 'TOOL-007', 'call-arrives'],
    inPlain((answer) => {
      const message = messageOf(answer);
      if (message.content) {
        delete message.tool_calls;
        finishAs(answer, 'stop');
      }
    }),
  ),
  front(
    ['tool.text-beside-call-lost', 'text beside a call is lost', 'TOOL-007', 'text-arrives'],
    inPlain((answer) => {
      if (callsIn(answer).length > 0) messageOf(answer).content = null;
    }),
  ),
];

export const followUps: readonly Mutant[] = [
  front(
    ['tool.follow-up-refused', 'follow-ups with tool results are refused', 'TOOL-012', 'follow-up-accepted'],
    refuses(
      (body) => messagesIn(body).some((message) => message.role === 'tool'),
      'invalid_param',
      'messages',
    ),
  ),
  upstream(
    ['tool.no-first-call', 'no call is made though one is required', 'TOOL-012', 'has-calls'],
    inRequests((body) => {
      if (body.tool_choice === 'required') delete body.tool_choice;
    }),
  ),
  front(
    ['tool.follow-up-empty', 'the answer to tool results is empty', 'TOOL-012', 'final-content'],
    inPlain((answer, request) => {
      if (messagesIn(request).some((message) => message.role === 'tool')) messageOf(answer).content = '';
    }),
  ),
  front(
    ['tool.results-one-by-one', 'several tool results in a row are refused', 'TOOL-014', 'results-accepted'],
    refuses(
      (body) => messagesIn(body).filter((message) => message.role === 'tool').length > 1,
      'invalid_param',
      'messages',
    ),
  ),
  upstream(
    ['tool.results-by-place', 'tool results are matched by their place', 'TOOL-014', 'results-by-id'],
    inRequests((body) => {
      const ids = messagesIn(body).flatMap((message) => objectsIn(message.tool_calls).map((call) => call.id));
      for (const message of messagesIn(body)) if (message.role === 'tool') message.tool_call_id = ids.shift();
    }),
  ),
];

function finishAs(answer: Body, reason: string): void {
  const choice = choiceOf(answer);
  (answer.choices as Body[])[0] = { ...choice, finish_reason: reason };
}

/** Changes the tool-call fragments of each chunk of a stream. */
function editCalls(edit: (fragments: Body[]) => Body[]): ReturnType<typeof editChunks> {
  return editChunks((chunk) => {
    for (const choice of objectsIn(chunk.choices)) {
      const delta = choice.delta as Body | undefined;
      if (Array.isArray(delta?.tool_calls)) delta.tool_calls = edit(objectsIn(delta.tool_calls));
    }
    return [chunk];
  });
}
