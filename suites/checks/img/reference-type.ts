import { defineCheck } from '../../engine/check.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Scene } from '../../engine/scene.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { Untestable } from '../../rules/violation.ts';

const types = ['png', 'jpg', 'webp'];

export const referenceTypes = defineCheck({
  id: 'img.reference.types',
  title: 'a reference image may be PNG, JPG or WebP; one the upstream rejects is a request error',
  requirements: ['IMG-027'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async ({ cases, newScene, images, judge, target }) => {
    const rule = { requirement: 'IMG-027', aspect: 'type-accepted', form: null };
    const places = referring(target);
    for (const { model, body, several } of places) {
      for (const group of several ? [...types.map((type) => [type]), types] : types.map((type) => [type])) {
        cases.count();
        const scene = newScene();
        const urls = group.map((type, place) => urlOf(scene, type, place));
        const label = `${model}, ${group.join(', ')}`;
        const exchange = await images.generate(body(scene, urls), { label });
        images.pictured(exchange, rule);
      }
    }
    for (const { model, body } of places) {
      const scene = newScene();
      const error = {
        message: 'reference_images[0] is not a JPEG, PNG or WEBP image',
        type: 'invalid_request_error',
        param: 'reference_images',
        code: 'invalid_input',
      };
      await scene.script({ status: 400, body: { error } });
      const tiff = body(scene, [urlOf(scene, 'tiff', 0)]);
      const exchange = await images.generate(tiff, { label: `${model}, a type that the upstream rejects` });
      const refusal = { requirement: 'IMG-027', aspect: 'other-type-refused' };
      judge.refused(exchange, { ...refusal, codes: ['invalid_param', 'content_filter'] });
    }
  },
});

function urlOf(scene: Scene, type: string, place: number): string {
  return scene.mediaUrl('image', place).replace(/\w+$/, type);
}

/** A model that accepts reference images, and its body. */
interface Referring {
  readonly model: string;
  /** Whether it takes several. */
  readonly several: boolean;
  readonly body: (scene: Scene, urls: readonly string[]) => Record<string, unknown>;
}

const fields = ['reference_image_url', 'reference_images'] as const;

function referring(target: Target): readonly Referring[] {
  const found = target.mediaModelsOf('images').flatMap((model): Referring[] => {
    const field = fields.find((name) => fieldsOf(model).some((one) => one.name === name));
    if (field === undefined) return [];
    const several = field === 'reference_images';
    const body: Referring['body'] = (scene, urls) => ({
      ...scene.minimalMedia(model),
      [field]: several ? urls : urls[0],
    });
    return [{ model, several, body }];
  });
  if (found.length === 0) throw new Untestable('models.enabled with a model that takes reference images');
  return found;
}
