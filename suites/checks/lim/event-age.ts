import { defineCheck } from '../../engine/check.ts';
import { must } from '../../rules/violation.ts';
import { boundS, sendAged } from '../../steps/webhooks/aged-event.ts';
import { excerpt, outcomeOf } from '../../wire/exchange.ts';

export const eventAgeIsBounded = defineCheck({
  id: 'lim.webhook.age',
  title: 'a receiver accepts an event that is 300 seconds old and refuses one that is 301',
  requirements: ['LIM-021'],
  kind: 'timing',
  needs: ['webhooks.kit'],
  run: async (parts) => {
    for (const ageS of [boundS - 1, boundS, boundS + 1, boundS + 2]) {
      parts.cases.count();
      const { exchange, isTaken } = await sendAged(parts, ageS);
      must(isTaken === ageS <= boundS, {
        requirement: 'LIM-021',
        aspect: 'bound',
        expected: `an event of ${ageS} s ${ageS <= boundS ? 'accepted' : 'refused'}`,
        actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
        exchange,
      });
    }
  },
});
