import { defineCheck } from '../../engine/check.ts';
import type { Target } from '../../engine/parts/target.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

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
