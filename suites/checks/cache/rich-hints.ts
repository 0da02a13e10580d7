import { defineCheck } from '../../engine/check.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { type CacheSlot, cacheSlots, shownSlots } from '../../oracle/cache-slots.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { callOf, threeTools } from '../../oracle/sample-tools.ts';
import { flag, part } from '../../rules/violation.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { type NativeRequest, nativeRequest, readRequest, shown } from '../../steps/chat/upstream-view.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { serverFault } from '../../steps/failures/routed-call.ts';
import { cacheModels, hinted } from '../../steps/money/hinted.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** The texts with a hint, in their order. */
const marked = ['The first poem.', 'The second poem.'] as const;

/** A conversation with hints around what some dialects merge or rewrite. */
const members: Readonly<Record<'tools' | 'json_object', (prompt: string) => JsonObject>> = {
  tools: (prompt) => ({
    tools: threeTools,
    messages: [
      { role: 'system', content: 'You are a sailor.' },
      { role: 'user', content: [hinted(textBlock(marked[0]), '1h')] },
      { role: 'assistant', content: null, tool_calls: [callOf('call_1'), callOf('call_2')] },
      { role: 'tool', tool_call_id: 'call_1', content: 'The sea is wide.' },
      { role: 'tool', tool_call_id: 'call_2', content: '' },
      { role: 'user', content: [hinted(textBlock(marked[1])), textBlock(prompt)] },
    ],
  }),
  json_object: (prompt) => ({
    response_format: { type: 'json_object' },
    messages: [
      { role: 'system', content: 'You are a sailor.' },
      { role: 'user', content: [hinted(textBlock(marked[0]), '1h')] },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: [hinted(textBlock(marked[1])), textBlock(`${prompt} Answer in JSON.`)] },
    ],
  }),
};
const kinds = ['tools', 'json_object'] as const;

export const hintsStayBesideTheRest = defineCheck({
  id: 'cache.hints.rich',
  title: 'cache hints keep their blocks and slots beside instructions, tools, their results and a JSON mode',
  requirements: ['CACHE-010', 'MSG-029'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of cacheModels(target))
      for (const kind of kinds)
        for (const stream of [false, true])
          await part(async () => {
            cases.count();
            const scene = newScene();
            const body = { model, ...members[kind](scene.prompt()), ...(stream ? { stream } : {}) };
            const exchange = await http.chat(body, { label: `hints and ${kind} on ${model}` });
            judgeAccepted(judge, body, exchange, { requirement: 'MSG-029', aspect: 'hint-accepted' });
            const native = await nativeRequest(scene, 'CACHE-010', exchange);
            judgeSlots(native, exchange, { requirement: 'CACHE-010', aspect: 'rich-same-slots' });
          });
  },
});

/** A retry after an upstream failure is only advised (reading B-106). */
export const hintsAreRetried = defineCheck({
  id: 'cache.hints.retried',
  title: 'a second attempt carries the cache hints of the first',
  requirements: ['CACHE-010', 'MSG-029'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, judge, target } = parts;
    for (const model of cacheModels(target))
      for (const stream of [false, true])
        await part(async () => {
          cases.count();
          await keepClosed(parts, model);
          const scene = newScene();
          await scene.script(serverFault, { text: 'Second time lucky.' });
          const body = { model, ...members.tools(scene.prompt()), ...(stream ? { stream } : {}) };
          const exchange = await http.chat(body, { label: `hints on ${model}, which fails once` });
          const [, ...later] = await scene.requestsNow();
          if (later.length === 0) judge.note(`${model}: asked once`);
          const rule = { requirement: 'MSG-029', aspect: 'retry-same-slots' };
          for (const request of later) judgeSlots(readRequest(request), exchange, rule);
        });
  },
});

/** Judges the slots by the texts at their ends: a gateway may add instructions in front to force JSON. */
function judgeSlots(
  native: NativeRequest,
  exchange: Exchange,
  rule: { readonly requirement: string; readonly aspect: string },
): void {
  const seen = cacheSlots(native.view);
  const lives: readonly CacheSlot['life'][] = ['1h', '5m'];
  const isKept =
    seen.length === marked.length &&
    seen.every(({ life, prefix }, at) => life === lives[at] && prefix.endsWith(marked[at] ?? ''));
  const expected = `1h after …${marked[0]}; 5m after …${marked[1]}`;
  flag(isKept, { ...rule, expected, actual: shownSlots(seen), exchange, upstream: shown(native) });
}
