import { defineCheck } from '../../engine/check.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { fieldOf } from '../../oracle/media/shared-fields.ts';
import { judgeArrivals, type RuleOfArrival, textRule } from '../../steps/fields/arrivals.ts';
import { enabledModel } from '../../steps/fields/media-inputs.ts';

const ruleOf: RuleOfArrival = (model, fault): Rule =>
  textRule(fault, 'AUD-016') ?? {
    requirement: model.id === 'voice-music' ? 'AUD-013' : fieldOf(model.id, fault.field).row,
    aspect: fault.sent ? 'forwarded' : 'default-sent',
  };

export const speech = defineCheck({
  id: 'aud.upstream.speech',
  title: 'every voice-v3 field reaches the upstream as sent, 0 and false too, or as its default',
  requirements: ['AUD-007', 'AUD-008', 'AUD-009', 'AUD-010', 'AUD-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => judgeArrivals(parts, [enabledModel(parts.target, 'voice-v3')], ruleOf),
});

export const music = defineCheck({
  id: 'aud.upstream.music',
  title: 'voice-music prompt and duration reach the upstream as sent, a missing duration as 30 s',
  requirements: ['AUD-013', 'AUD-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => judgeArrivals(parts, [enabledModel(parts.target, 'voice-music')], ruleOf),
});
