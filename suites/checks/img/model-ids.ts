import { type Check, defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { unknownModelId } from '../../generators/unknown-model-id.ts';
import { chatCatalogue } from '../../oracle/chat-catalogue.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { mediaModels } from '../../oracle/media/models.ts';
import { must } from '../../rules/violation.ts';
import { judgeOtherKind, otherKindCodes } from '../../steps/media/other-kind.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

async function twinOf(kit: Kit): Promise<Exchange> {
  const [model] = kit.media.modelsOf('images');
  const twin = await kit.media.images(kit.media.minimal(model, kit.scene()), { label: 'positive twin' });
  kit.media.pictured(twin, { requirement: 'IMG-001', aspect: 'answers-at-once', form: null });
  return twin;
}

const modelIsRequired = defineCheck({
  id: 'img.model.required',
  title: 'an image request without a model, or with one that is no text, is refused with param model',
  requirements: ['IMG-002'],
  kind: 'example',
  needs: ['media.urls'],
  run: async (kit) => {
    const twin = await twinOf(kit);
    const body = kit.media.minimal(kit.media.modelsOf('images')[0], kit.scene());
    const { model: _, ...without } = body;
    const wrong = [5, true, ['kontext-pro'], { id: 'kontext-pro' }].map((model) => ({ ...without, model }));
    for (const spoilt of [without, ...wrong]) {
      kit.countCase();
      const exchange = await kit.media.images(spoilt, {
        label: `model ${JSON.stringify(Object(spoilt).model)}`,
      });
      const rule = { requirement: 'IMG-002', aspect: 'model-required', paramRule: 'IMG-002', twin };
      kit.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'model' });
    }
    // An empty id and null may count as unknown ones (reading B-32).
    for (const model of ['', null]) {
      const exchange = await kit.media.images(
        { ...without, model },
        { label: `model ${JSON.stringify(model)}` },
      );
      const codes: ErrorCode[] = ['invalid_param', 'model_not_found'];
      kit.refused(exchange, { requirement: 'IMG-002', aspect: 'model-required', codes, twin });
    }
  },
});

const unknownIds = defineCheck({
  id: 'img.model.unknown',
  title: 'an id that no model has is answered 404 model_not_found at the images endpoint',
  requirements: ['IMG-003'],
  kind: 'property',
  needs: ['media.urls'],
  run: async (kit) => {
    const twin = await twinOf(kit);
    const body = kit.media.minimal(kit.media.modelsOf('images')[0], kit.scene());
    await kit.forAll(
      unknownModelId,
      async (model) => {
        const label = `model ${JSON.stringify(model).slice(0, 60)}`;
        const exchange = await kit.media.images({ ...body, model }, { label });
        const rule = { requirement: 'IMG-003', aspect: 'unknown-id', twin };
        kit.refused(exchange, { ...rule, codes: ['model_not_found'] });
      },
      { quick: 12, full: 300, examples: ['constructor', '__proto__', 'kontext-pro-2', 'Kontext-pro'] },
    );
  },
});

const otherKinds = defineCheck({
  id: 'img.model.other-kind',
  title: 'chat, video and audio models are refused at the images endpoint, and reach no upstream',
  requirements: ['IMG-004'],
  kind: 'example',
  needs: ['media.urls'],
  run: async (kit) => {
    const twin = await twinOf(kit);
    const scene = kit.scene();
    const others = [
      ...chatCatalogue.map(({ id }) => id),
      ...mediaModels
        .filter(({ medium, endpoint }) => endpoint === 'tasks' && medium !== 'image')
        .map(({ id }) => id),
    ];
    await Promise.all(
      others.map(async (model) => {
        kit.countCase();
        const exchange = await kit.media.images({ model, prompt: scene.prompt() }, { label: model });
        judgeOtherKind(kit, exchange, { requirement: 'IMG-004', aspect: 'image-models-only', twin });
      }),
    );
    if (kit.profile.upstream === undefined) return;
    const arrived = await scene.requestsNow();
    must(arrived.length === 0, {
      requirement: 'IMG-004',
      aspect: 'no-upstream-call',
      expected: 'nothing at an upstream of requests that were refused',
      actual: arrived.map(({ entry }) => entry.request.path).join(', '),
      twin,
    });
  },
});

const journeyIsATask = defineCheck({
  id: 'img.model.journey',
  title: 'journey-v7 never yields a picture at the images endpoint',
  requirements: ['IMG-005'],
  kind: 'example',
  needs: ['media.urls'],
  run: async (kit) => {
    const twin = await twinOf(kit);
    const body = { model: 'journey-v7', prompt: kit.scene().prompt() };
    const exchange = await kit.media.images(body, { label: 'journey-v7 at the images endpoint' });
    const answer = (jsonOf(exchange) ?? {}) as { data?: unknown; task_id?: unknown };
    const rule = { requirement: 'IMG-005', aspect: 'no-image-data', twin };
    must(answer.data === undefined, {
      ...rule,
      expected: 'no image data of a model that runs as a task',
      actual: JSON.stringify(answer.data ?? null).slice(0, 160),
      exchange,
    });
    if (typeof answer.task_id === 'string') {
      const expected = `a refusal with one of ${otherKindCodes.join(', ')} (reading B-53)`;
      kit.advise({ ...rule, aspect: 'task-instead', expected, actual: 'a task', exchange });
      return;
    }
    judgeOtherKind(kit, exchange, { ...rule, aspect: 'refused' });
  },
});

export const imageModelIdChecks: readonly Check[] = [modelIsRequired, unknownIds, otherKinds, journeyIsATask];
