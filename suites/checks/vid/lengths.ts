import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type MediaInputs, smallestBody } from '../../generators/media-cells.ts';
import type { MediaRound } from '../../generators/media-rounds.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { fieldOf } from '../../oracle/media/shared-fields.ts';
import { advise, must } from '../../rules/violation.ts';
import { judgeArrivals, type RuleOfArrival, textRule } from '../../steps/fields/arrivals.ts';
import { enabledModels, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import { bracketedPrompts } from './directives.ts';

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

/** The length of a video: requested, or the model's default. */
interface Length {
  readonly model: MediaModel;
  /** null: the request omits the length. */
  readonly asked: number | null;
  readonly expected: number;
}

function lengthsOf(model: MediaModel): Length[] {
  const field = fieldsOf(model.id).find(({ form }) => form.kind === 'seconds');
  if (field?.form.kind !== 'seconds') return [];
  const omitted = { model, asked: null, expected: Number(field.default) };
  // Omitting the field tests the default.
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

const ruleOf: RuleOfArrival = (model, fault): Rule => {
  const { field, sent } = fault;
  const aspect = sent ? 'forwarded' : 'default-sent';
  const { form, row } = fieldOf(model.id, field);
  if (field === 'audio') return { requirement: 'VID-028', aspect };
  if (!sent) return { requirement: field === 'duration' ? 'VID-027' : row, aspect };
  if (form.kind === 'link' || form.kind === 'picture') return { requirement: 'VID-033', aspect };
  const isBracketed = model.id === 'vidD-02' && field === 'prompt';
  if (isBracketed) return { requirement: 'VID-031', aspect: 'verbatim' };
  return textRule(fault, 'VID-034') ?? { requirement: 'VID-032', aspect };
};

export const videoValuesArrive = defineCheck({
  id: 'vid.upstream.values',
  title: 'on every video model each field and medium reaches the upstream as sent, or as default',
  requirements: ['VID-027', 'VID-028', 'VID-031', 'VID-032', 'VID-033', 'VID-034'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => {
    const films = mediaModels.filter(({ id, medium }) => medium === 'video' || id === 'motion-act-two');
    return judgeArrivals(parts, enabledModels(parts.target, films), ruleOf, bracketed);
  },
});

/** Prompts whose brackets a careless gateway might parse. */
function bracketed(model: MediaModel, inputs: MediaInputs): readonly MediaRound[] {
  if (model.id !== 'vidD-02') return [];
  return bracketedPrompts.map((brackets, index) => {
    const tag = `b${index}`;
    return { model, tag, body: { model: model.id, prompt: `${brackets} ${inputs.prompt(tag)}` } };
  });
}
