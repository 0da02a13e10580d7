import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { patiently } from '../../steps/failures/pass-timeouts.ts';
import { callersOf, holdCalls } from './held-calls.ts';
import { type Ending, endings } from './slot-endings.ts';

/** One check for each way to end: however often it happens, the whole cap is free afterwards. */
export const slotChecks: readonly Check[] = endings.map((ending) =>
  defineCheck({
    id: `lim.slot.after-${ending.name}`,
    title: `the slot is free again after ${ending.title}, 20 times over`,
    requirements: ['LIM-004'],
    kind: 'concurrency',
    needs: ['upstream.control'],
    run: (parts) => judgeEnding(parts, ending),
  }),
);

export const refusedCallsHoldNothing = defineCheck({
  id: 'lim.slot.after-cap-refusal',
  title: 'calls refused by the cap take no slot, however many there are',
  requirements: ['LIM-004', 'LIM-010'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target, cases, http, newScene, judge } = parts;
    const callers = callersOf(target.profile.cap.value);
    const rule = { requirement: 'LIM-004', aspect: 'freed-after-cap-refusal' };
    const held = await holdCalls(parts, { callers, ...rule });
    // Two crowds, not one after the other: a gateway may let each wait a little first (reading B-103).
    for (let crowd = 0; crowd < 2; crowd += 1) {
      const refusals = Array.from({ length: 10 }, async () => {
        cases.count();
        const refusal = await http.openChat(newScene().minimal(held.model), { label: 'one too many' }).done;
        judge.refused(refusal, { ...rule, codes: ['concurrency_exceeded'] });
      });
      await Promise.all(refusals);
    }
    await held.finish();
    // A slot may be freed a moment after the answer has ended.
    await patiently(parts, () => holdCalls(parts, { callers, ...rule }).then((again) => again.finish()));
  },
});

async function judgeEnding(parts: CheckParts, { name, end }: Ending): Promise<void> {
  const { rng, target, cases } = parts;
  // One after the other, so that no model's breaker opens.
  const models = rng.shuffle(target.models);
  const cap = target.profile.cap.value;
  const rule = { requirement: 'LIM-004', aspect: `freed-after-${name}` };
  const isAbort = name.startsWith('abort');
  for (let round = 0; round < Math.max(20, cap + 1); round += 1) {
    cases.count();
    const model = models[round % models.length] ?? '';
    // The slot of an aborted call may be freed late, which the next round meets only at the cap.
    await (isAbort ? patiently(parts, () => end(parts, model, rule)) : end(parts, model, rule));
  }
  await patiently(parts, () =>
    holdCalls(parts, { callers: callersOf(cap), ...rule }).then((held) => held.finish()),
  );
}
