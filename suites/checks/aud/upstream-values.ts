import { type Check, defineCheck } from '../../engine/check.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { fieldOf } from '../../oracle/media/shared-fields.ts';
import { judgeArrivals, type RuleOfArrival } from '../../steps/fields/arrivals.ts';
import { enabledModel } from '../../steps/fields/media-inputs.ts';

const ruleOf: RuleOfArrival = (model, { field, sent }): Rule => ({
  requirement: fieldOf(model.id, field).row,
  aspect: sent ? 'forwarded' : 'default-sent',
});

const speech = defineCheck({
  id: 'aud.upstream.speech',
  title:
    'every field of voice-v3 reaches the upstream as sent, an explicit 0 or false too, and what is left out as its default',
  requirements: ['AUD-007', 'AUD-008', 'AUD-009', 'AUD-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => judgeArrivals(parts, [enabledModel(parts.target, 'voice-v3')], ruleOf),
});

const music = defineCheck({
  id: 'aud.upstream.music',
  title: 'prompt and duration of voice-music reach the upstream as sent, and an omitted duration as 30 s',
  requirements: ['AUD-013'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) =>
    judgeArrivals(parts, [enabledModel(parts.target, 'voice-music')], (_, { sent }) => ({
      requirement: 'AUD-013',
      aspect: sent ? 'forwarded' : 'default-sent',
    })),
});

export const audioValueChecks: readonly Check[] = [speech, music];
