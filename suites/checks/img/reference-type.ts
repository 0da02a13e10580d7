import { defineCheck } from '../../engine/check.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Scene } from '../../engine/scene.ts';
import { Untestable } from '../../rules/violation.ts';

const types = ['png', 'jpg', 'webp'];

export const referenceTypes = defineCheck({
  id: 'img.reference.types',
  title: 'a reference image may be PNG, JPG or WebP; one the upstream rejects is a request error',
  requirements: ['IMG-027'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, images, judge, target }) => {
    const { model, body } = referring(target);
    const rule = { requirement: 'IMG-027', aspect: 'type-accepted', form: null };
    for (const type of types) {
      cases.count();
      const scene = newScene();
      const url = scene.mediaUrl('image').replace(/\w+$/, type);
      const exchange = await images.generate(body(scene, url), { label: `${model}, a ${type}` });
      images.pictured(exchange, rule);
    }
    const scene = newScene();
    const error = {
      message: 'reference_images[0] is not a JPEG, PNG or WEBP image',
      type: 'invalid_request_error',
      param: 'reference_images',
      code: 'invalid_input',
    };
    await scene.script({ status: 400, body: { error } });
    const tiff = body(scene, scene.mediaUrl('image').replace(/\w+$/, 'tiff'));
    const exchange = await images.generate(tiff, { label: `${model}, a type that the upstream rejects` });
    const refusal = { requirement: 'IMG-027', aspect: 'other-type-refused' };
    judge.refused(exchange, { ...refusal, codes: ['invalid_param', 'content_filter'] });
  },
});

/** A model with reference images, and its body. */
function referring(target: Target): {
  readonly model: string;
  readonly body: (scene: Scene, url: string) => Record<string, unknown>;
} {
  const one = target.mediaModelsOf('images').find((id) => id.startsWith('kontext-'));
  if (one === undefined) throw new Untestable('models.enabled with kontext-pro or kontext-max');
  return {
    model: one,
    body: (scene, url) => ({ ...scene.minimalMedia(one), reference_image_url: url }),
  };
}
