import { defineCheck } from '../../engine/check.ts';
import type { Scene } from '../../engine/scene.ts';
import { judgeOpenRefusal } from '../../oracle/refusal.ts';
import { must } from '../../rules/violation.ts';
import { outcomeOf } from '../../wire/exchange.ts';

export const oversizedBodyIsRefused = defineCheck({
  id: 'err.body.oversized',
  title: 'a body of the declared size limit is read, one byte more is refused (reading B-03)',
  requirements: ['ERR-001', 'ERR-002'],
  kind: 'example',
  needs: ['http.body_bytes'],
  run: async ({ target, http, judge, newScene }) => {
    const limit = target.profile.http.body_bytes ?? 0;
    const model = target.anyModel();
    const fits = await http.chat(padded(newScene, model, limit), { label: `a body of ${limit} bytes` });
    must(fits.response !== null && fits.response.status !== 413, {
      requirement: 'ERR-002',
      aspect: 'limit-accepted',
      expected: `a body of ${limit} bytes to be read`,
      actual: outcomeOf(fits),
      exchange: fits,
    });
    judge.completed(fits, { requirement: 'ERR-002', aspect: 'limit-accepted', model });
    const over = await http.chat(padded(newScene, model, limit + 1), {
      label: `a body of ${limit + 1} bytes`,
    });
    judgeOpenRefusal(over, {
      requirement: 'ERR-002',
      aspect: 'oversized-refused',
      statuses: [413, 400],
      twin: fits,
    });
  },
});

/** A legal request, padded with blanks to an exact number of bytes. */
function padded(newScene: () => Scene, model: string, bytes: number): Buffer {
  const filled = Buffer.alloc(bytes, ' ');
  filled.write(JSON.stringify(newScene().minimal(model)));
  return filled;
}
