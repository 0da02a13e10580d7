import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { Untestable } from '../../rules/violation.ts';

const types = ['png', 'jpg', 'webp'];

export const referenceTypes = defineCheck({
  id: 'img.reference.types',
  title:
    'a reference image may be a PNG, JPG or WebP; one that the upstream cannot take for its type is a fault of the request',
  requirements: ['IMG-027'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (kit) => {
    const { model, body } = referring(kit);
    const rule = { requirement: 'IMG-027', aspect: 'type-accepted', form: null };
    for (const type of types) {
      kit.countCase();
      const scene = kit.scene();
      const url = scene.mediaUrl('image').replace(/\w+$/, type);
      const exchange = await kit.media.images(body(scene, url), { label: `${model}, a ${type}` });
      kit.media.pictured(exchange, rule);
    }
    const scene = kit.scene();
    const error = {
      message: 'reference_images[0] is not a JPEG, PNG or WEBP image',
      type: 'invalid_request_error',
      param: 'reference_images',
      code: 'invalid_input',
    };
    await scene.script({ status: 400, body: { error } });
    const exchange = await kit.media.images(body(scene, scene.mediaUrl('image').replace(/\w+$/, 'tiff')), {
      label: `${model}, a type that the upstream does not take`,
    });
    kit.refused(exchange, {
      requirement: 'IMG-027',
      aspect: 'other-type-refused',
      codes: ['invalid_param', 'content_filter'],
    });
  },
});

/** A model that takes reference images, with its body. */
function referring(kit: Kit): {
  readonly model: string;
  readonly body: (scene: ReturnType<Kit['scene']>, url: string) => Record<string, unknown>;
} {
  const one = kit.media.modelsOf('images').find((id) => id.startsWith('kontext-'));
  if (one === undefined) throw new Untestable('models.enabled with kontext-pro or kontext-max');
  return {
    model: one,
    body: (scene, url) => ({ ...kit.media.minimal(one, scene), reference_image_url: url }),
  };
}
