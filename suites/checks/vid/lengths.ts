import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import { advise, must } from '../../rules/violation.ts';
import { enabledModels, mediaInputsOf } from '../../steps/fields/media-inputs.ts';

/** How much the length of a file may differ from the record, s. */
const slackS = 0.6;

export const lengthsAreMade = defineCheck({
  id: 'vid.lengths.made',
  title: 'a video has the requested length or its model default, and is 8 s on vidA-3.1-quality',
  requirements: ['VID-010', 'TASK-017'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const films = mediaModels.filter(({ medium }) => medium === 'video');
    const lengths = enabledModels(parts.target, films).flatMap(lengthsOf);
    await Promise.all(lengths.map((length) => judgeLength(parts, length)));
  },
});

/** A video of a length, asked for or the model's default. */
interface Length {
  readonly model: MediaModel;
  /** Null: left out of the request. */
  readonly asked: number | null;
  readonly expected: number;
}

function lengthsOf(model: MediaModel): Length[] {
  const field = fieldsOf(model.id).find(({ form }) => form.kind === 'seconds');
  if (field?.form.kind !== 'seconds') return [];
  const omitted = { model, asked: null, expected: Number(field.default) };
  // The default is tried by leaving the field out.
  const asked = field.form.values
    .filter((value) => value !== field.default || model.id === 'vidA-3.1-quality')
    .map((value) => ({ model, asked: value, expected: value }));
  return [omitted, ...asked];
}

async function judgeLength(parts: CheckParts, { model, asked, expected }: Length): Promise<void> {
  const { cases, newScene, tasks } = parts;
  cases.count();
  const body = smallestBody(model, mediaInputsOf(parts, newScene()), 'length');
  const { last, submitted } = await tasks.make(asked === null ? body : { ...body, duration: asked });
  const requirement = model.id === 'vidA-3.1-quality' ? 'VID-010' : 'TASK-017';
  const own = { requirement, exchange: last.exchange, twin: submitted };
  const wanted = `${model.id}: ${expected} s, ${asked === null ? 'its default' : 'as asked'}`;
  const inRecord = { ...own, aspect: 'length-in-record', expected: `${wanted}, in duration_sec` };
  advise(!tasks.showsLength || last.durationSec === expected, {
    ...inRecord,
    actual: String(last.durationSec),
  });
  const [file] = await tasks.results(last);
  const seconds = file?.sniffed.kind === 'video' ? file.sniffed.seconds : null;
  // Null: a header that cannot be read.
  const isSame = seconds === null || Math.abs(seconds - expected) <= slackS;
  const inFile = { ...own, aspect: 'length-of-file', expected: `${wanted}, in the file` };
  must(isSame, { ...inFile, actual: `${seconds} s` });
}
