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
  title: 'every voice-v3 field reaches the upstream as sent, 0 and false too, or as its default',
  requirements: ['AUD-007', 'AUD-008', 'AUD-009', 'AUD-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => judgeArrivals(parts, [enabledModel(parts.target, 'voice-v3')], ruleOf),
});

const music = defineCheck({
  id: 'aud.upstream.music',
  title: 'voice-music prompt and duration reach the upstream as sent, a missing duration as 30 s',
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
