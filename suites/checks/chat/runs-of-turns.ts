import { type Check, defineCheck } from '../../engine/check.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';

const user = (content: string): JsonObject => ({ role: 'user', content });
const assistant = (content: string): JsonObject => ({ role: 'assistant', content });

/** Conversations in which one side speaks twice before the other does. */
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
};

export const runsOfTurnsArrive: Check = defineCheck({
  id: 'chat.transcript.runs',
  title: 'consecutive turns of one role all reach the upstream, or are refused cleanly',
  requirements: ['CHAT-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of familyModels(target)) {
      for (const [title, messages] of Object.entries(conversations)) {
        cases.count();
        const scene = newScene();
        const body = { model, messages: messages(scene.prompt()) };
        const exchange = await http.chat(body, { label: `${title} on ${model}` });
        // The text does not say whether roles have to alternate.
        if (exchange.response?.status === 400) {
          const rule = { requirement: 'CHAT-010', aspect: 'clean-either-way' };
          judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'messages' });
          judge.note(`refuses ${title}`);
          continue;
        }
        judgeAccepted(judge, body, exchange, { requirement: 'CHAT-010', aspect: 'transcript-accepted' });
        judgeTurns(body, await nativeRequest(scene, 'CHAT-010', exchange), exchange);
      }
    }
  },
});
