import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { toolNamed } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { judgeField, judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';
import { mediaType, outcomeOf } from '../../wire/exchange.ts';

export const minimalWorks = defineCheck({
  id: 'chat.minimal.every-model',
  title: 'a model and one user message are enough on every enabled chat model',
  requirements: ['CHAT-001'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, http, newScene, judge }) => {
    for (const model of target.eachModel) {
      cases.count();
      const exchange = await http.chat(newScene().minimal(model), { label: `minimal on ${model}` });
      const answer = judge.completed(exchange, { requirement: 'CHAT-001', aspect: 'minimal-works', model });
      const rule = { requirement: 'CHAT-001', aspect: 'answers-with-text', exchange };
      const expected = 'text in answer to a plain question';
      const actual = JSON.stringify(answer.content);
      must(answer.content !== null && answer.content !== '', { ...rule, expected, actual });
    }
  },
});

export const streamIsOptIn = defineCheck({
  id: 'chat.stream.default',
  title: 'without stream or with stream false the answer is one JSON document, with true a stream',
  requirements: ['CHAT-024'],
  kind: 'example',
  needs: [],
  run: async ({ target, cases, http, newScene, judge }) => {
    const model = target.anyModel();
    for (const [label, extra] of [
      ['stream left out', {}],
      ['stream false', { stream: false }],
    ] as const) {
      cases.count();
      const exchange = await http.chat({ ...newScene().minimal(model), ...extra }, { label });
      const rule = { requirement: 'CHAT-024', aspect: 'plain-by-default', exchange };
      const expected = `${label}: one JSON document`;
      const actual = `${outcomeOf(exchange)} with an event stream`;
      must(mediaType(exchange) !== 'text/event-stream', { ...rule, expected, actual });
      judge.completed(exchange, { requirement: 'CHAT-024', aspect: 'plain-accepted', model });
    }
    const body = { ...newScene().minimal(model), stream: true };
    const streamed = await http.chat(body, { label: 'stream true' });
    judge.streamed(streamed, { requirement: 'CHAT-024', aspect: 'stream-accepted', model });
  },
});

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
