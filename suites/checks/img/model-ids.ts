import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { unknownModelId } from '../../generators/unknown-model-id.ts';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import { type ErrorCode, otherKindCodes } from '../../oracle/error-table.ts';
import { mediaModels } from '../../oracle/media/models.ts';
import { must } from '../../rules/violation.ts';
import { judgeOtherKind } from '../../steps/media/odd-parents.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

export const modelIsRequired = defineCheck({
  id: 'img.model.required',
  title: 'an image request whose model is missing or not a string is refused with param model',
  requirements: ['IMG-002'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { newScene, target, cases, images, judge } = parts;
    const twin = await twinOf(parts);
    const body = newScene().minimalMedia(target.mediaModelsOf('images')[0]);
    const { model: _, ...without } = body;
    const wrong = [5, true, ['kontext-pro'], { id: 'kontext-pro' }].map((model) => ({ ...without, model }));
    for (const spoilt of [without, ...wrong]) {
      cases.count();
      const label = `model ${JSON.stringify(Object(spoilt).model)}`;
      const exchange = await images.generate(spoilt, { label });
      const rule = { requirement: 'IMG-002', aspect: 'model-required', paramRule: 'IMG-002', twin };
      judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'model' });
    }
    // An empty id and null may count as unknown ids (reading B-32).
    for (const model of ['', null]) {
      const label = `model ${JSON.stringify(model)}`;
      const exchange = await images.generate({ ...without, model }, { label });
      const codes: ErrorCode[] = ['invalid_param', 'model_not_found'];
      judge.refused(exchange, { requirement: 'IMG-002', aspect: 'model-required', codes, twin });
    }
  },
});

export const unknownIds = defineCheck({
  id: 'img.model.unknown',
  title: 'an id that no model has is answered 404 model_not_found at the images endpoint',
  requirements: ['IMG-003'],
  kind: 'property',
  needs: [],
  run: async (parts) => {
    const { newScene, target, cases, images, judge } = parts;
    const twin = await twinOf(parts);
    const body = newScene().minimalMedia(target.mediaModelsOf('images')[0]);
    await cases.forAll(
      unknownModelId,
      async (model) => {
        const label = `model ${JSON.stringify(model).slice(0, 60)}`;
        const exchange = await images.generate({ ...body, model }, { label });
        const rule = { requirement: 'IMG-003', aspect: 'unknown-id', twin };
        judge.refused(exchange, { ...rule, codes: ['model_not_found'] });
      },
      { quick: 12, full: 300, examples: ['constructor', '__proto__', 'kontext-pro-2', 'Kontext-pro'] },
    );
  },
});

export const otherKinds = defineCheck({
  id: 'img.model.other-kind',
  title: 'chat, video and audio models are refused at the images endpoint, and reach no upstream',
  requirements: ['IMG-004'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { newScene, cases, images, target, judge } = parts;
    const twin = await twinOf(parts);
    const scene = newScene();
    const others = [
      ...chatCatalogue.map(({ id }) => id),
      ...mediaModels
        .filter(({ medium, endpoint }) => endpoint === 'tasks' && medium !== 'image')
        .map(({ id }) => id),
    ];
    await Promise.all(
      others.map(async (model) => {
        cases.count();
        const exchange = await images.generate({ model, prompt: scene.prompt() }, { label: model });
        judgeOtherKind(judge, exchange, { requirement: 'IMG-004', aspect: 'image-models-only', twin });
      }),
    );
    if (target.profile.upstream === undefined) return;
    const arrived = await scene.requestsNow();
    const rule = { requirement: 'IMG-004', aspect: 'no-upstream-call', twin };
    const expected = 'no refused request at an upstream';
    const actual = arrived.map(({ entry }) => entry.request.path).join(', ');
    must(arrived.length === 0, { ...rule, expected, actual });
  },
});

export const journeyIsATask = defineCheck({
  id: 'img.model.journey',
  title: 'journey-v7 never yields an image at the images endpoint',
  requirements: ['IMG-005'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { newScene, images, judge } = parts;
    const twin = await twinOf(parts);
    const body = { model: 'journey-v7', prompt: newScene().prompt() };
    const exchange = await images.generate(body, { label: 'journey-v7 at the images endpoint' });
    const answer = (jsonOf(exchange) ?? {}) as { data?: unknown; task_id?: unknown };
    const rule = { requirement: 'IMG-005', aspect: 'no-image-data', twin };
    const none = 'no image data of a model that runs as a task';
    const data = JSON.stringify(answer.data ?? null).slice(0, 160);
    must(answer.data === undefined, { ...rule, expected: none, actual: data, exchange });
    if (typeof answer.task_id === 'string') {
      const expected = `a refusal with one of ${otherKindCodes.join(', ')} (reading B-53)`;
      judge.advise({ ...rule, aspect: 'task-instead', expected, actual: 'a task', exchange });
      return;
    }
    judgeOtherKind(judge, exchange, { ...rule, aspect: 'refused' });
  },
});

async function twinOf({ target, images, newScene }: CheckParts): Promise<Exchange> {
  const [model] = target.mediaModelsOf('images');
  const twin = await images.generate(newScene().minimalMedia(model), { label: 'positive twin' });
  images.pictured(twin, { requirement: 'IMG-001', aspect: 'answers-at-once', form: null });
  return twin;
}
