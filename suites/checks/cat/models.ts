import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type ChatModel, chatCatalogue, chatModel, surelyAbove } from '../../oracle/chat-catalogue.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { isSuccess } from '../../wire/exchange.ts';

/** One check for each model: its context window from both sides, and each capability that it has or lacks. */
export const catalogueChecks: readonly Check[] = chatCatalogue.map((model) =>
  defineCheck({
    id: `cat.model.${model.id}`,
    title: `${model.id} has a ${model.contextK}K-token window, Tools, Stream, ${capabilities(model)}`,
    requirements: [model.row],
    kind: 'example',
    needs: [],
    run: (parts) => judgeModel(parts, chatModel(model.id) ?? model, model.row),
  }),
);

function capabilities({ vision, cache }: ChatModel): string {
  const sees = { true: 'Vision', false: 'no Vision', open: 'Vision or refused images' } as const;
  return `${sees[`${vision}`]}${cache ? ' and Cache' : ''}`;
}

async function judgeModel(parts: CheckParts, model: ChatModel, requirement: string): Promise<void> {
  if (!parts.target.models.includes(model.id)) throw new Untestable(`models.enabled with ${model.id}`);
  await judgeCapabilities(parts, model, requirement);
  await judgeWindow(parts, model, requirement);
}

async function judgeCapabilities(
  { cases, http, newScene, judge }: CheckParts,
  model: ChatModel,
  requirement: string,
): Promise<void> {
  const { id, vision } = model;
  const send = (extra: JsonObject, label: string) => {
    cases.count();
    return http.chat({ ...newScene().minimal(id, 'Look the word "sea" up.'), ...extra }, { label });
  };
  const tools = await send({ tools: [oneTool], tool_choice: 'required' }, 'a tool');
  const { toolCalls } = judge.completed(tools, { requirement, aspect: 'tools', model: id });
  const rule = { requirement, aspect: 'tools', exchange: tools };
  must(toolCalls.length > 0, { ...rule, expected: 'a tool call', actual: 'none' });
  judge.streamed(await send({ stream: true }, 'a stream'), { requirement, aspect: 'stream', model: id });
  if (model.cache) {
    const hinted = { ...textBlock(newScene().prompt()), cache_control: { type: 'ephemeral' } };
    const exchange = await send({ messages: [{ role: 'user', content: [hinted] }] }, 'a cache hint');
    judge.completed(exchange, { requirement, aspect: 'cache', model: id });
  }
  const content = [textBlock(newScene().prompt('What is this?')), imageBlock()];
  const image = await send({ messages: [{ role: 'user', content }] }, 'an image');
  const sees = vision === true || (vision === 'open' && isSuccess(image));
  if (sees) judge.completed(image, { requirement, aspect: 'vision', model: id });
  else
    judge.refused(image, { requirement, aspect: 'vision', codes: ['unsupported_capability'], twin: tools });
}

/** Tests the window from both sides with max_tokens only, which needs no tokenizer (reading B-16). */
async function judgeWindow(
  { cases, http, newScene, judge, target }: CheckParts,
  model: ChatModel,
  requirement: string,
): Promise<void> {
  const inside = Math.floor(model.contextK * 1000 * 0.9);
  const send = (max_tokens: number) => {
    cases.count();
    return http.chat({ ...newScene().minimal(model.id), max_tokens }, { label: `max_tokens ${max_tokens}` });
  };
  const twin = await send(inside);
  judge.completed(twin, { requirement, aspect: 'window-holds', model: model.id, maxTokens: inside });
  for (const above of target.few([surelyAbove(model), surelyAbove(model) * 2])) {
    const rule = { requirement, aspect: 'window-ends', twin };
    judge.refused(await send(above), { ...rule, codes: ['context_too_long'] });
  }
}
