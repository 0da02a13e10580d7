import { defineCheck } from '../../engine/check.ts';
import { unknownModelId } from '../../generators/unknown-model-id.ts';
import { otherModels } from '../../oracle/chat-catalogue.ts';
import { otherKindCodes } from '../../oracle/error-table.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';

export const unknownIds = defineCheck({
  id: 'chat.model.unknown',
  title: 'an unknown model id is answered 404 model_not_found',
  requirements: ['CHAT-005'],
  kind: 'property',
  needs: [],
  run: async ({ target, http, newScene, judge, cases, rng }) => {
    const model = target.anyModel();
    const twin = await http.chat(newScene().minimal(model), { label: 'positive twin' });
    judge.completed(twin, { requirement: 'CHAT-001', aspect: 'minimal-works', model });
    await cases.forAll(
      unknownModelId,
      async (id) => {
        const label = `model ${JSON.stringify(id).slice(0, 60)}`;
        const exchange = await http.chat(newScene().minimal(id), { label });
        const rule = { requirement: 'CHAT-005', aspect: 'unknown-id', twin };
        judge.refused(exchange, { ...rule, codes: ['model_not_found'] });
      },
      {
        quick: 25,
        full: 800,
        examples: [`zz-${rng.hex(8)}-${rng.hex(4)}-${rng.hex(12)}`, 'constructor', '__proto__'],
      },
    );
  },
});

export const exactSpelling = defineCheck({
  id: 'chat.model.exact',
  title: "a model id works in its exact spelling only; the upstream's name for the model does not",
  requirements: ['CHAT-006'],
  kind: 'example',
  needs: [],
  run: async ({ target, http, newScene, judge, cases }) => {
    for (const model of target.eachModel) {
      const twin = await http.chat(newScene().minimal(model), { label: `positive twin ${model}` });
      judge.completed(twin, { requirement: 'CHAT-001', aspect: 'minimal-works', model });
      const native = target.profile.upstream?.native_models?.[model];
      const inside = native === undefined || target.models.includes(native) ? [] : [native];
      for (const variant of target.few([...misspellings(model), ...inside])) {
        cases.count();
        const label = `model ${JSON.stringify(variant)}`;
        const exchange = await http.chat(newScene().minimal(variant), { label });
        const rule = { requirement: 'CHAT-006', aspect: 'exact-spelling', twin };
        judge.refused(exchange, { ...rule, codes: ['model_not_found'] });
      }
    }
  },
});

export const otherKinds = defineCheck({
  id: 'chat.model.other-kind',
  title: 'the ids of image, video, audio and task models are refused at the chat endpoint',
  requirements: ['CHAT-007'],
  kind: 'example',
  needs: [],
  run: async ({ cases, http, newScene, judge, target }) => {
    for (const id of target.few(otherModels)) {
      cases.count();
      const exchange = await http.chat(newScene().minimal(id), { label: `model ${id}` });
      const rule = { requirement: 'CHAT-007', aspect: 'chat-models-only' };
      const error = judge.refused(exchange, { ...rule, codes: otherKindCodes });
      if (error.code === 'invalid_param')
        judge.refused(exchange, { ...rule, codes: otherKindCodes, param: 'model' });
    }
  },
});

export const refusedBeforeUpstream = defineCheck({
  id: 'chat.model.refused-before-upstream',
  title: 'a request for an id that is not a chat model reaches no upstream',
  requirements: ['CHAT-007'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ rng, cases, newScene, http, judge }) => {
    for (const id of [...rng.shuffle(otherModels).slice(0, 5), `zz-${rng.hex(12)}`]) {
      cases.count();
      const scene = newScene();
      const exchange = await http.chat(scene.minimal(id), { label: `model ${id}` });
      judge.refused(exchange, { requirement: 'CHAT-007', aspect: 'chat-models-only', codes: otherKindCodes });
      await judgeNotForwarded(scene, 'CHAT-007', exchange);
    }
  },
});

/** Spellings that a lenient gateway might take for the id; none is a model's id. */
function misspellings(id: string): string[] {
  const dotted = id.replace(/-(\d)$/, '.$1').replace('-5-', '.5-');
  const variants = [
    id.toUpperCase(),
    ` ${id}`,
    `${id} `,
    `${id}\n`,
    `vendor/${id}`,
    `models/${id}`,
    id.replaceAll('-', '_'),
    `${id}\u0000`,
  ];
  return [...new Set([...variants, dotted])].filter((variant) => variant !== id);
}
