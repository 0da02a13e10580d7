import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

const counts = [1, 2, 3, 4];
const wrong = [0, 5, -1, 100];

export const countIsHonoured = defineCheck({
  id: 'img.n.honoured',
  title: 'n pictures come for each n between 1 and 4, and one when n is left out; other counts are refused',
  requirements: ['IMG-011', 'IMG-012', 'IMG-013'],
  kind: 'example',
  needs: [],
  run: async (kit) => {
    await Promise.all(
      modelsWith(kit, 'n').map(async (model) => {
        const ask = (n?: number): Promise<Exchange> => {
          kit.cases.count();
          const more = n === undefined ? {} : { n };
          const label = `${model}, n ${n ?? 'left out'}`;
          return kit.images.generate({ ...kit.newScene().minimalMedia(model), ...more }, { label });
        };
        const twin = await ask();
        kit.images.pictured(twin, { requirement: 'IMG-012', aspect: 'n-left-out', form: null });
        await Promise.all([
          ...counts.map(async (n) => {
            const exchange = await ask(n);
            kit.images.pictured(exchange, {
              requirement: 'IMG-011',
              aspect: 'accepts-count',
              n,
              form: null,
              twin,
            });
          }),
          ...wrong.map(async (n) => {
            const rule = {
              requirement: 'IMG-011',
              aspect: 'outside',
              param: 'n',
              paramRule: 'IMG-011',
              twin,
            };
            kit.judge.refused(await ask(n), { ...rule, codes: ['invalid_param'] });
          }),
        ]);
      }),
    );
  },
});

/** The enabled image models that list a field. @throws Untestable when there is none. */
export function modelsWith(kit: CheckParts, field: string): readonly string[] {
  const models = kit.target
    .mediaModelsOf('images')
    .filter((model) => fieldsOf(model).some(({ name }) => name === field));
  if (models.length === 0) throw new Untestable(`models.enabled with an image model that has ${field}`);
  return models;
}
