import { defineCheck } from '../../engine/check.ts';
import { mediaModels } from '../../oracle/media/models.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { fieldOf } from '../../oracle/media/shared-fields.ts';
import { judgeArrivals, type RuleOfArrival, textRule } from '../../steps/fields/arrivals.ts';
import { enabledModels } from '../../steps/fields/media-inputs.ts';

/** Fields with a separate rule about what must reach the upstream. */
const own: Readonly<Record<string, string>> = {
  'kontext-pro prompt': 'IMGM-046',
  'kontext-pro prompt_upsampling': 'IMGM-046',
  'gamma-3-pro-image seed': 'IMGM-047',
  'dream-4-0 watermark': 'IMGM-048',
};

const ruleOf: RuleOfArrival = (model, fault): Rule => {
  const { field, sent } = fault;
  const aspect = sent ? 'forwarded' : 'default-sent';
  const row = own[`${model.id} ${field}`];
  const text = row === undefined ? textRule(fault, 'IMG-032') : null;
  return text ?? { requirement: row ?? (sent ? fieldOf(model.id, field).row : 'IMG-030'), aspect };
};

export const imageValuesArrive = defineCheck({
  id: 'img.upstream.values',
  title: 'on every image model each field reaches the upstream as sent, or as default if omitted',
  requirements: ['IMG-032', 'IMG-030', 'IMGM-026', 'IMGM-046', 'IMGM-047', 'IMGM-048'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => {
    const models = mediaModels.filter(({ endpoint }) => endpoint === 'images');
    return judgeArrivals(parts, enabledModels(parts.target, models), ruleOf);
  },
});
