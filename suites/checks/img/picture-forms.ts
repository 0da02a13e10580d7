import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { must, part } from '../../rules/violation.ts';
import { pictureForms } from '../../steps/media/pictures.ts';
import { isSuccess } from '../../wire/exchange.ts';
import { judgeSize } from './sizes.ts';

type Form = (typeof pictureForms)[number];
const sentAs = ['url', 'base64'] as const;

/** The upstream chooses the file form without being asked. A gateway that measures images must read every form. */
export const anyFormIsAnswered = defineCheck({
  id: 'img.answer.picture-forms',
  title: 'images from an upstream as JPEG or WEBP of any legal form are answered like others, also tall ones',
  requirements: ['IMG-001', 'IMG-020', 'IMG-028'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const models = parts.target.mediaModelsOf('images');
    const calls = models.flatMap((model, at) =>
      formsFor(parts, model, at).flatMap((form, place) =>
        shapesOf(model).map((shape, turn) => ({ model, form, shape, sent: sentAs[(at + place + turn) % 2] })),
      ),
    );
    await Promise.all(calls.map((call) => part(() => judgeForm(parts, call))));
  },
});

/** All forms of the models whose images are limited differently on each side, some of each other model. */
function formsFor({ cases }: CheckParts, model: string, at: number): readonly Form[] {
  const [long, short] = mediaModel(model)?.maxPixels ?? [0, 0];
  if (cases.full || long !== short) return pictureForms;
  return pictureForms.filter((_, place) => (place + at) % pictureForms.length < 2);
}

/** The tallest and the widest shape that a caller can request; where a caller cannot choose, the model's default. */
function shapesOf(model: string): JsonObject[] {
  const ratios = fieldsOf(model).flatMap(({ name, form }) =>
    form.kind === 'one-of' && name === 'aspect_ratio' ? form.values : [],
  );
  const tall = ratios.filter((ratio) => ratio === '9:16' || ratio === '16:9');
  return tall.length === 0 ? [{}] : tall.map((ratio) => ({ aspect_ratio: ratio }));
}

interface Call {
  readonly model: string;
  readonly form: Form;
  readonly shape: JsonObject;
  readonly sent: (typeof sentAs)[number] | undefined;
}

async function judgeForm(
  { cases, newScene, images }: CheckParts,
  { model, form, shape, sent = 'url' }: Call,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script({ job: { file_form: form, pictures_as: [sent] } });
  const label = `${model} ${JSON.stringify(shape)}, made as ${form}, sent as ${sent}`;
  const exchange = await images.generate({ ...scene.minimalMedia(model), ...shape }, { label });
  must(isSuccess(exchange), {
    requirement: 'IMG-001',
    aspect: 'any-picture-form',
    expected: `an answer of ${model} with the image, a whole ${form}`,
    actual: `HTTP ${exchange.response?.status}`,
    exchange,
  });
  const answer = images.pictured(exchange, {
    requirement: 'IMG-001',
    aspect: 'any-picture-form',
    form: null,
  });
  const [picture] = answer.pictures;
  if (picture !== undefined) judgeSize(model, await images.look(picture, exchange), exchange);
}
