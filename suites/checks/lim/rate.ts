import { defineCheck } from '../../engine/check.ts';
import { errorTable, isErrorCode } from '../../oracle/error-table.ts';
import { boundS } from '../../oracle/webhooks/replay.ts';
import { judgeClocks, sendAged } from '../../steps/webhooks/aged-event.ts';
import { errorCodeOf } from '../../wire/exchange.ts';

const limited = { requirement: 'LIM-023', aspect: 'cheap-refusal' };
const isLimit = (code: string): boolean => isErrorCode(code) && errorTable[code].type === 'rate_limit_error';

export const noRateIsLimited = defineCheck({
  id: 'lim.rate.none',
  title: 'serial requests at full speed never get the reserved rate_limit_exceeded (reading B-104)',
  requirements: ['LIM-023', 'ERR-019'],
  kind: 'example',
  needs: [],
  run: async ({ target, newScene, cases, http, judge }) => {
    const model = target.anyModel();
    const body = { ...newScene().minimal(model), temperature: 9 };
    for (let count = 0; count < { smoke: 6, quick: 100, full: 200 }[target.size]; count += 1) {
      cases.count();
      const exchange = await http.chat(body, { label: 'a cheap refusal at full speed' });
      if (errorCodeOf(exchange) === 'rate_limit_exceeded') {
        judge.refused(exchange, { ...limited, codes: ['rate_limit_exceeded'] });
        return judge.advise({
          requirement: 'LIM-023',
          aspect: 'no-rate-limit',
          expected: 'no limit on the rate, as none is published',
          actual: `rate_limit_exceeded after ${count} requests`,
          exchange,
        });
      }
      judge.known(exchange, { code: 'invalid_param', own: limited, blames: isLimit });
    }
  },
});

export const eventAgeIsBounded = defineCheck({
  id: 'lim.webhook.age',
  title: 'a receiver accepts an event that is 300 seconds old and refuses one that is 301',
  requirements: ['LIM-021'],
  kind: 'timing',
  needs: ['webhooks.kit'],
  run: async (parts) => {
    for (const ageS of [boundS - 1, boundS, boundS + 1, boundS + 2]) {
      parts.cases.count();
      const clocks = { signed: { ageS }, shown: null };
      judgeClocks(clocks, await sendAged(parts, clocks), { requirement: 'LIM-021', aspect: 'bound' });
    }
  },
});
