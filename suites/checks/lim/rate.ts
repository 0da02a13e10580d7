import { defineCheck } from '../../engine/check.ts';

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
      const { code } = judge.refused(exchange, {
        requirement: 'LIM-023',
        aspect: 'cheap-refusal',
        codes: ['invalid_param', 'rate_limit_exceeded'],
      });
      if (code === 'rate_limit_exceeded') {
        return judge.advise({
          requirement: 'LIM-023',
          aspect: 'no-rate-limit',
          expected: 'no limit on the rate, as none is published',
          actual: `rate_limit_exceeded after ${count} requests`,
          exchange,
        });
      }
    }
  },
});
