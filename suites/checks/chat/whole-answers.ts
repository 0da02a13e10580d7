import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type ChatModel, chatModel } from '../../oracle/chat-catalogue.ts';
import type { ErrorBody } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { familyModels, nativeModels } from '../../steps/chat/upstream-view.ts';
import { jsonOf } from '../../wire/exchange.ts';

/** Words all different, each of one token or more by any tokenizer. */
const answerWords = 20_000;
const wordsInDelta = 250;

const pieces: readonly string[] = Array.from({ length: answerWords / wordsInDelta }, (_, piece) =>
  Array.from({ length: wordsInDelta }, (_, word) => `w${piece * wordsInDelta + word} `).join(''),
);
const answer = pieces.join('');

/** A share of the window that fits by any tokenizer, whether K is 1000 or 1024. */
const promptShare = 0.8;

export const longAnswersArrive = defineCheck({
  id: 'chat.max-tokens.omitted',
  title: 'without max_tokens an answer of 20,000 tokens arrives whole on every model',
  requirements: ['CHAT-022'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const streaming = familyModels(parts.target);
    for (const model of parts.target.eachModel) {
      for (const stream of streaming.includes(model) ? [false, true] : [false])
        await judgeWhole(parts, model, stream);
    }
  },
});

export const longPromptsFit = defineCheck({
  id: 'chat.max-tokens.omitted-long-prompt',
  title: 'without max_tokens a prompt of 80% of the window is not refused as context_too_long',
  requirements: ['CHAT-022'],
  kind: 'upstream',
  // A real upstream would charge real money for it.
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const { id, contextK } of smallestOfFamilies(target)) {
      cases.count();
      const words = Math.floor(contextK * 1000 * promptShare);
      const body = newScene().minimal(id, 'sea '.repeat(words));
      const exchange = await http.chat(body, { label: `${words} words on ${id}` });
      const { code } = (jsonOf(exchange) as { error?: Partial<ErrorBody> } | undefined)?.error ?? {};
      const rule = { requirement: 'CHAT-022', aspect: 'omission-never-too-long', exchange };
      const expected = `${id}: an answer to ${words} words`;
      must(code !== 'context_too_long', { ...rule, expected, actual: 'context_too_long' });
      judge.completed(exchange, { requirement: 'CHAT-022', aspect: 'omission-accepted', model: id });
    }
  },
});

async function judgeWhole(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script({ text: answer, deltas: [...pieces] });
  const body: JsonObject = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: `${model}, ${stream ? 'streamed' : 'plain'}` });
  const accepted = { requirement: 'CHAT-022', aspect: 'omission-accepted', model };
  const { content, finishReason } = stream
    ? judge.streamed(exchange, accepted)
    : judge.completed(exchange, accepted);
  const rule = { requirement: 'CHAT-022', aspect: 'omission-never-cuts', exchange };
  const expected = `${model}: all ${answer.length} characters, finish_reason stop`;
  const actual = `${content?.length ?? 0} characters, finish_reason ${finishReason}`;
  must(content === answer && finishReason === 'stop', { ...rule, expected, actual });
}

/** In each family the model with the smallest window: the cheapest to fill. */
function smallestOfFamilies(target: Target): ChatModel[] {
  const models = nativeModels(target).flatMap((id) => chatModel(id) ?? []);
  return [...Map.groupBy(models, (model) => model.family).values()].flatMap((family) =>
    family.toSorted((a, b) => a.contextK - b.contextK).slice(0, 1),
  );
}
