import { defineCheck } from '../../engine/check.ts';
import { modelsWith } from './count.ts';
import { judgeSize } from './judge-size.ts';

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
