import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type ChatModel, chatCatalogue, chatModel } from '../../oracle/chat-catalogue.ts';
import { imageBlock, textBlock } from '../../oracle/sample-images.ts';
import { oneTool } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { isSuccess } from '../../wire/exchange.ts';

export const toolsOnEachModel = defineCheck({
  id: 'cat.capability.tools',
  title: 'every model of the catalogue takes a tool, plain and streamed',
  requirements: ['CAT-011'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, http, judge, target } = parts;
    for (const { id: model } of target.few(enabledModels(parts))) {
      for (const stream of [false, true]) {
        cases.count();
        const body = { ...newScene().minimal(model), tools: [oneTool], ...(stream ? { stream } : {}) };
        const exchange = await http.chat(body, { label: `a tool on ${model}${stream ? ', streamed' : ''}` });
        const expected = { requirement: 'CAT-011', aspect: 'tools-accepted', model };
        if (stream) judge.streamed(exchange, expected);
        else judge.completed(exchange, expected);
      }
    }
  },
});

export const visionOnExactlySix = defineCheck({
  id: 'cat.capability.vision',
  title: 'exactly the six models that the catalogue gives Vision take an image',
  requirements: ['CAT-012'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, http, judge, target } = parts;
    for (const { id: model, vision } of target.few(enabledModels(parts), (one) => String(one.vision))) {
      cases.count();
      const text = textBlock(newScene().prompt('What is this?'));
      const send = (content: object[], label: string) =>
        http.chat({ model, messages: [{ role: 'user', content }] }, { label: `${label} on ${model}` });
      const twin = await send([text], 'text alone');
      const rule = { requirement: 'CAT-012', model };
      judge.completed(twin, { ...rule, aspect: 'text-accepted' });
      const image = await send([text, imageBlock()], 'an image');
      const taken = isSuccess(image);
      if (vision === true || (vision === 'open' && taken)) {
        judge.completed(image, { ...rule, aspect: 'sees', twin });
      } else {
        judge.refused(image, { ...rule, aspect: 'blind', codes: ['unsupported_capability'], twin });
      }
      if (vision === 'open') judge.note(`${model} ${taken ? 'takes' : 'refuses'} images`);
    }
  },
});

export const cacheOnExactlyThree = defineCheck({
  id: 'cat.capability.cache',
  title: 'a cache hint takes effect on exactly the three models that the catalogue gives Cache',
  requirements: ['CAT-014'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, judge } = parts;
    for (const { id: model, cache } of enabledModels(parts)) {
      cases.count();
      const scene = newScene();
      const hinted = { ...textBlock(scene.prompt()), cache_control: { type: 'ephemeral' } };
      const body = { model, messages: [{ role: 'user', content: [hinted, textBlock('Briefly, please.')] }] };
      const exchange = await http.chat(body, { label: `a cache hint on ${model}` });
      const aspect = cache ? 'honoured' : 'elsewhere';
      if (!cache && !isSuccess(exchange)) {
        judge.refused(exchange, { requirement: 'CAT-014', aspect, codes: ['unsupported_capability'] });
        continue;
      }
      judge.completed(exchange, { requirement: 'CAT-014', aspect, model });
      const native = await nativeRequest(scene, 'CAT-014', exchange);
      const { hints } = native.view;
      const rule = { requirement: 'CAT-014', aspect, exchange, upstream: shown(native) };
      const expected = `${model}: ${cache ? 'the hint' : 'no hint'} at the upstream`;
      must(hints.length === (cache ? 1 : 0), { ...rule, expected, actual: JSON.stringify(hints) });
    }
  },
});

/** The models of the catalogue that are enabled; the report names the others. */
function enabledModels({ target, judge }: CheckParts): readonly ChatModel[] {
  const absent = chatCatalogue.filter(({ id }) => !target.models.includes(id));
  if (absent.length > 0) judge.note(`not enabled, not judged: ${absent.map(({ id }) => id).join(', ')}`);
  return target.models.flatMap((id) => chatModel(id) ?? []);
}
