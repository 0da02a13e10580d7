import { type Check, defineCheck } from '../../engine/check.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeTexts, judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';

const system = (content: string): JsonObject => ({ role: 'system', content });
const user = (content: string): JsonObject => ({ role: 'user', content });
const assistant = (content: string): JsonObject => ({ role: 'assistant', content });

/** Conversations in which one side speaks twice, or the user neither begins nor ends (reading B-22). */
const conversations: Readonly<Record<string, (prompt: string) => JsonObject[]>> = {
  'two users in a row': (prompt) => [user('Think of the sea. '), user(prompt)],
  'three users after an answer': (prompt) => [
    user('Who are you?'),
    assistant('A sailor.'),
    user('Think of the sea.'),
    user('Then of the sky.'),
    user(prompt),
  ],
  'two answers in a row': (prompt) => [
    user('Who are you?'),
    assistant('A sailor.'),
    assistant('An old one.'),
    user(prompt),
  ],
  'an answer as the first turn': (prompt) => [assistant('Who is there?'), user(prompt)],
  'an answer as the last turn': (prompt) => [user(prompt), assistant('The sea is')],
  'a system message alone': (prompt) => [system(prompt)],
  'a system message and an answer': (prompt) => [system(prompt), assistant('The sea is')],
};

export const runsOfTurnsArrive: Check = defineCheck({
  id: 'chat.transcript.runs',
  title: 'turns in an unusual order, or without a user, all reach the upstream or are refused cleanly',
  requirements: ['CHAT-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of familyModels(target)) {
      for (const [title, messages] of Object.entries(conversations)) {
        for (const stream of [false, true])
          await part(async () => {
            cases.count();
            const scene = newScene();
            const body = { model, messages: messages(scene.prompt()), stream };
            const exchange = await http.chat(body, { label: `${title} on ${model}` });
            // The specification does not say whether roles must alternate.
            if (exchange.response?.status === 400) {
              const rule = { requirement: 'CHAT-010', aspect: 'clean-either-way' };
              judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'messages' });
              judge.note(`refuses ${title}`);
              return;
            }
            judgeAccepted(judge, body, exchange, { requirement: 'CHAT-010', aspect: 'transcript-accepted' });
            const native = await nativeRequest(scene, 'CHAT-010', exchange);
            if (startsWithUser(body.messages)) judgeTurns(body, native, exchange);
            // Some dialects need a turn of the user first, so something may be added there.
            else judgeTexts(body.messages.map(contentOf), native, exchange);
          });
      }
    }
  },
});

function startsWithUser(messages: readonly JsonObject[]): boolean {
  return messages.find(({ role }) => role !== 'system')?.role === 'user';
}

function contentOf({ content }: JsonObject): string {
  return String(content);
}
