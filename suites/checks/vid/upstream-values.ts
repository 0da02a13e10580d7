import { defineCheck } from '../../engine/check.ts';
import type { MediaInputs } from '../../generators/media-cells.ts';
import type { MediaRound } from '../../generators/media-rounds.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { fieldOf } from '../../oracle/media/shared-fields.ts';
import { judgeArrivals, type RuleOfArrival, textRule } from '../../steps/fields/arrivals.ts';
import { enabledModels } from '../../steps/fields/media-inputs.ts';
import { bracketedPrompts } from './directives.ts';

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
