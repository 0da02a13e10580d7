import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { Untestable } from '../../rules/violation.ts';
import { fillable } from '../../steps/fields/media-inputs.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { judgeSize } from './sizes.ts';

export const everyModelAnswers = defineCheck({
  id: 'img.answer.every-model',
  title: 'each synchronous image model answers with one public image of at most its promised size',
  requirements: ['IMG-001', 'IMG-012', 'IMG-013', 'IMG-018', 'IMG-019', 'IMG-020', 'IMG-028', 'EP-003'],
  kind: 'example',
  needs: [],
  run: (parts) =>
    eachImageModel(parts, async (model, exchange) => {
      const rule = { requirement: 'IMG-001', aspect: 'answers-at-once' };
      const answer = parts.images.pictured(exchange, { ...rule, form: null });
      const [picture] = answer.pictures;
      if (picture === undefined) return;
      const found = await parts.images.look(picture, exchange);
      judgeSize(model, found, exchange);
    }),
});

/** Requests one image of each synchronous image model, in parallel up to the cap. */
async function eachImageModel(
  parts: CheckParts,
  judge: (model: string, exchange: Exchange) => Promise<void>,
): Promise<void> {
  const { target, cases, images, newScene } = parts;
  await Promise.all(
    fillable(parts, target.enabledOf('images')).map(async (model) => {
      cases.count();
      await judge(model, await images.generate(newScene().minimalMedia(model), { label: model }));
    }),
  );
}

export const formIsHonoured = defineCheck({
  id: 'img.response-format.honoured',
  title: 'url gives addresses that need no key, and b64_json plain base64 of a PNG, JPEG or WebP',
  requirements: ['IMG-020', 'IMG-021', 'IMG-019', 'IMG-013', 'IMG-028'],
  kind: 'example',
  needs: [],
  run: async ({ cases, newScene, images, target }) => {
    const forms = ['url', 'b64_json'] as const;
    await Promise.all(
      modelsWith(target, 'response_format').flatMap((model) =>
        forms.map(async (form) => {
          cases.count();
          const requirement = form === 'url' ? 'IMG-020' : 'IMG-021';
          const body = { ...newScene().minimalMedia(model), response_format: form, n: 2 };
          const exchange = await images.generate(body, { label: `${model}, ${form}` });
          const rule = { requirement, aspect: 'form-served', form, n: 2 };
          const { pictures } = images.pictured(exchange, rule);
          for (const picture of pictures) {
            // An answer may have both forms; the requested one counts.
            const asked = form === 'url' ? picture : { ...picture, url: null };
            judgeSize(model, await images.look(asked, exchange), exchange);
          }
        }),
      ),
    );
  },
});

const counts = [1, 2, 3, 4];
const wrong = [0, 5, -1, 100];

export const countIsHonoured = defineCheck({
  id: 'img.n.honoured',
  title: 'n from 1 to 4 returns that many images, and a missing n one; other counts are refused',
  requirements: ['IMG-011', 'IMG-012', 'IMG-013'],
  kind: 'example',
  needs: [],
  run: async ({ cases, images, newScene, judge, target }) => {
    await Promise.all(
      target.few(modelsWith(target, 'n')).map(async (model) => {
        const ask = (n?: number): Promise<Exchange> => {
          cases.count();
          const more = n === undefined ? {} : { n };
          const label = `${model}, n ${n ?? 'left out'}`;
          return images.generate({ ...newScene().minimalMedia(model), ...more }, { label });
        };
        const twin = await ask();
        images.pictured(twin, { requirement: 'IMG-012', aspect: 'n-left-out', form: null });
        await Promise.all([
          ...target.few(counts).map(async (n) => {
            const exchange = await ask(n);
            const rule = { requirement: 'IMG-011', aspect: 'accepts-count', twin };
            images.pictured(exchange, { ...rule, n, form: null });
          }),
          ...target.few(wrong).map(async (n) => {
            const rule = { requirement: 'IMG-011', aspect: 'outside', paramRule: 'IMG-011', twin };
            judge.refused(await ask(n), { ...rule, codes: ['invalid_param'], param: 'n' });
          }),
        ]);
      }),
    );
  },
});

/** The enabled image models that list a field. @throws Untestable when there is none. */
export function modelsWith(target: Target, field: string): readonly string[] {
  const models = target
    .mediaModelsOf('images')
    .filter((model) => fieldsOf(model).some(({ name }) => name === field));
  if (models.length === 0) throw new Untestable(`models.enabled with an image model that has ${field}`);
  return models;
}
