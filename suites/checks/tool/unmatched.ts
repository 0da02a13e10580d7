import { type Check, defineCheck } from '../../engine/check.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { callOf, threeTools } from '../../oracle/sample-tools.ts';
import { part } from '../../rules/violation.ts';
import { judgeAccepted, judgeNoServerFault } from '../../steps/chat/judge-cell.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

const user = (content: string): JsonObject => ({ role: 'user', content });
const calls = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => callOf(id)),
});
const result = (id: string, text = 'The sea is wide.'): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content: text,
});

/** Conversations in which results and calls do not match. */
const conversations: readonly {
  readonly title: string;
  readonly messages: (prompt: string) => JsonObject[];
}[] = [
  {
    title: 'a result under an id that no call has',
    messages: (prompt) => [user(prompt), calls('call_1'), result('call_unknown')],
  },
  {
    title: 'more results than calls',
    messages: (prompt) => [user(prompt), calls('call_1'), result('call_1'), result('call_2')],
  },
  {
    title: 'a second result for the same call',
    messages: (prompt) => [
      user(prompt),
      calls('call_1'),
      result('call_1'),
      result('call_1', 'It is deep, too.'),
    ],
  },
  { title: 'a result without any call', messages: (prompt) => [user(prompt), result('call_1')] },
  { title: 'a result before everything', messages: (prompt) => [result('call_1'), user(prompt)] },
  {
    title: 'a result before its call',
    messages: (prompt) => [user('Look it up.'), result('call_1'), calls('call_1'), user(prompt)],
  },
  {
    title: 'a call without a result',
    messages: (prompt) => [user('Look it up.'), calls('call_1'), user(prompt)],
  },
  {
    title: 'two calls with one result',
    messages: (prompt) => [user(prompt), calls('call_1', 'call_2'), result('call_2')],
  },
];

const matched = (prompt: string): JsonObject[] => [
  user(prompt),
  calls('call_1', 'call_2'),
  result('call_1'),
  result('call_2'),
];

export const unmatchedResultsAreClean: Check = defineCheck({
  id: 'tool.follow-up.unmatched',
  title: 'a tool result without call, or a call without result, is accepted or refused, never a 5xx',
  requirements: ['TOOL-015', 'CHAT-053'],
  kind: 'example',
  needs: [],
  run: async ({ newScene, http, cases, judge, target }) => {
    for (const model of familyModels(target))
      await part(async () => {
        const twinBody = bodyOf(model, matched(newScene().prompt()));
        const twin = await http.chat(twinBody, { label: `each call with its result, on ${model}` });
        judgeAccepted(judge, twinBody, twin, { requirement: 'TOOL-012', aspect: 'follow-up-accepted' });
        for (const { title, messages } of conversations) {
          cases.count();
          const body = bodyOf(model, messages(newScene().prompt()));
          const exchange = await http.chat(body, { label: `${title}, on ${model}` });
          judge.note(`${isSuccess(exchange) ? 'accepts' : 'refuses'} ${title}`);
          judgeAnswer(judge, body, exchange, twin);
        }
      });
  },
});

function bodyOf(model: string, messages: readonly JsonObject[]): JsonObject {
  return { model, messages, tools: threeTools };
}

/** Both answers pass (reading B-24), but the caller's mistake may not become a server error. */
function judgeAnswer(judge: Judge, body: JsonObject, exchange: Exchange, twin: Exchange): void {
  judgeNoServerFault(exchange, twin);
  const rule = { requirement: 'TOOL-015', aspect: 'clean-either-way', twin };
  if (isSuccess(exchange)) judgeAccepted(judge, body, exchange, rule);
  else judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'messages' });
}
