import { isDeepStrictEqual } from 'node:util';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type HintedConversation, hintedConversation } from '../../generators/hinted-conversation.ts';
import { cacheSlots, shownSlots } from '../../oracle/cache-slots.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { systemText } from '../../oracle/native/same-turns.ts';
import { textBlock } from '../../oracle/sample-images.ts';
import { must } from '../../rules/violation.ts';
import { nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { cacheModels, hinted } from '../../steps/money/hinted.ts';
import { isSuccess } from '../../wire/exchange.ts';

export const hintsStayOnTheirBlock = defineCheck({
  id: 'cache.hints.place',
  title: 'each cache hint reaches the upstream on the block where the caller put it, with its slot',
  requirements: ['CACHE-010', 'MSG-029'],
  kind: 'property',
  needs: ['upstream.control'],
  run: async (parts) => {
    const models = cacheModels(parts.target);
    const seeing = models.filter((id) => chatModel(id)?.vision === true);
    await parts.cases.forAll(hintedConversation(models, seeing), (sent) => judgePlaces(parts, sent), {
      quick: 20,
      full: 300,
    });
  },
});

/** Readings B-23 and B-29 leave open whether system blocks are accepted and their hints kept. */
export const hintsOnSystemStay = defineCheck({
  id: 'cache.hints.system',
  title: 'a system message in blocks is refused or arrives whole, its hints in place or dropped',
  requirements: ['CACHE-010', 'CHAT-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, http, judge, target }) => {
    for (const model of cacheModels(target)) {
      for (const place of [0, 1]) {
        cases.count();
        const scene = newScene();
        const blocks = ['You are a sailor.', 'You speak of the sea.'].map(textBlock);
        const content = blocks.map((block, index) => (index === place ? hinted(block, '1h') : block));
        const messages = [
          { role: 'system', content },
          { role: 'user', content: scene.prompt() },
        ];
        const exchange = await http.chat({ model, messages }, { label: `a hint on system block ${place}` });
        const rule = { requirement: 'CACHE-010', aspect: 'system-clean', model };
        if (!isSuccess(exchange)) {
          judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'messages' });
          continue;
        }
        judge.completed(exchange, rule);
        const native = await nativeRequest(scene, 'CACHE-010', exchange);
        const system = systemText(native.view);
        const evidence = { exchange, upstream: shown(native) };
        const text = { requirement: 'CHAT-010', aspect: 'turn-content', ...evidence };
        const isWhole = /You are a sailor\.\s*You speak of the sea\./.test(system);
        must(isWhole, { ...text, expected: 'the text of both system blocks', actual: system });
        const [sent, seen] = [cacheSlots(readCaller({ messages })), cacheSlots(native.view)];
        if (seen.length === 0) judge.note(`${model}: hints on system text are dropped`);
        const hints = { requirement: 'CACHE-010', aspect: 'system-block', ...evidence };
        const isKept = seen.length === 0 || isDeepStrictEqual(seen, sent);
        must(isKept, { ...hints, expected: shownSlots(sent), actual: shownSlots(seen) });
      }
    }
  },
});

async function judgePlaces(
  { newScene, http, judge }: CheckParts,
  { model, turns, question, stream }: HintedConversation,
): Promise<void> {
  const scene = newScene();
  const messages = [...turns, { role: 'user', content: scene.prompt(question) }];
  const body = { model, messages, ...(stream ? { stream } : {}) };
  const exchange = await http.chat(body, { label: 'cache hints' });
  const rule = { requirement: 'MSG-029', aspect: 'hint-accepted', model };
  if (stream) judge.streamed(exchange, rule);
  else judge.completed(exchange, rule);
  const native = await nativeRequest(scene, 'CACHE-010', exchange);
  const [sent, seen] = [cacheSlots(readCaller(body)), cacheSlots(native.view)];
  const upstream = shown(native);
  const [expected, actual] = [shownSlots(sent), shownSlots(seen)];
  const arrival = { requirement: 'MSG-029', aspect: 'hint-arrives', exchange, upstream };
  const asMany = `as many hints as were sent: ${expected}`;
  must(seen.length === sent.length, { ...arrival, expected: asMany, actual });
  const own = { requirement: 'CACHE-010', exchange, upstream, expected, actual };
  const places = (slots: typeof seen): unknown[] => slots.map(({ prefix }) => prefix);
  must(isDeepStrictEqual(places(seen), places(sent)), { ...own, aspect: 'same-block' });
  must(isDeepStrictEqual(seen, sent), { ...own, aspect: 'same-slot' });
}
