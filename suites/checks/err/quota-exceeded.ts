import { defineCheck } from '../../engine/check.ts';
import { spendings, spentAccount } from '../../steps/money/spent-accounts.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { judgeSameAgain } from './same-again.ts';

export const spentIsQuotaExceeded = defineCheck({
  id: 'err.code.quota-exceeded',
  title: 'quota_exceeded has its status and type for spent credits and quota, plain and streamed',
  requirements: ['ERR-021', 'ERR-006', 'ERR-007', 'ERR-008', 'ERR-013'],
  kind: 'example',
  needs: ['spent'],
  run: async (parts) => {
    const { http, newScene, target, judge, cases } = parts;
    const rule = { requirement: 'ERR-021', aspect: 'provoked' };
    for (const spending of spendings) {
      const { keys, twin } = await spentAccount(parts, spending, 'ERR-021');
      const expected = {
        ...rule,
        codes: ['quota_exceeded'] as const,
        param: null,
        ...(twin ? { twin } : {}),
      };
      const ask = (stream: boolean): Promise<Exchange> =>
        http.chat(
          { ...newScene().minimal(target.anyModel()), ...(stream ? { stream } : {}) },
          { key: keys[0], label: `no ${spending} left${stream ? ', stream' : ''}` },
        );
      const first = judge.refused(await ask(false), expected);
      for (const stream of [false, true]) {
        cases.count();
        const exchange = await ask(stream);
        judgeSameAgain(exchange, judge.refused(exchange, expected), first);
      }
    }
  },
});
