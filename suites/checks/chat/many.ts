import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { toolNamed } from '../../oracle/sample-tools.ts';
import { part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeField, judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';

/** Far more than usual, far less than any window or any bound of an upstream. */
const turnsBefore = 150;
const toolCount = 32;

export const manyArrive: Check = defineCheck({
  id: 'chat.transcript.many',
  title: 'a long conversation and a long list of tools reach the upstream whole and in order',
  requirements: ['CHAT-010', 'CHAT-050'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target))
      await part(async () => {
        for (const stream of [false, true]) await judgeMany(parts, model, stream);
      });
  },
});

async function judgeMany(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const history = Array.from({ length: turnsBefore }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${index} of the talk.`,
  }));
  const tools = Array.from({ length: toolCount }, (_, index) => toolNamed(`tool_${index}`));
  const messages = [...history, { role: 'user', content: scene.prompt() }];
  const body = { model, messages, tools, tool_choice: 'none', ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: `${messages.length} messages, ${toolCount} tools` });
  judgeAccepted(judge, body, exchange, { requirement: 'CHAT-010', aspect: 'transcript-accepted' });
  const native = await nativeRequest(scene, 'CHAT-010', exchange);
  judgeTurns(body, native, exchange);
  judgeField('tools', { body, native, exchange });
}
