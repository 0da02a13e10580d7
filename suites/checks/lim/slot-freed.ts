import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { patiently } from '../../steps/failures/patiently.ts';
import { callersOf, holdCalls } from './held-calls.ts';
import { type Ending, endings } from './slot-endings.ts';

/** One check for each way in which a request can end: however often it happens, the whole cap is there afterwards. */
export const slotChecks: readonly Check[] = endings.map((ending) =>
  defineCheck({
    id: `lim.slot.after-${ending.name}`,
    title: `after ${ending.title}, twenty times over, the slot is free again`,
    requirements: ['LIM-004'],
    kind: 'concurrency',
    needs: ['upstream.control'],
    run: (kit) => judgeEnding(kit, ending),
  }),
);

async function judgeEnding(kit: CheckParts, { name, end }: Ending): Promise<void> {
  // One after the other, so that no model fails so often that its breaker opens.
  const models = kit.rng.shuffle(kit.target.models);
  const cap = kit.target.profile.cap.value;
  const rule = { requirement: 'LIM-004', aspect: `freed-after-${name}` };
  const isAbort = name.startsWith('abort');
  for (let round = 0; round < Math.max(20, cap + 1); round += 1) {
    kit.cases.count();
    const model = models[round % models.length] ?? '';
    // A slot that an abort left behind may take its time; the next round meets it only when the cap is used up.
    await (isAbort ? patiently(kit, () => end(kit, model, rule)) : end(kit, model, rule));
  }
  const all = (): Promise<void> =>
    holdCalls(kit, { callers: callersOf(cap), ...rule }).then((held) => held.finish());
  await (isAbort ? patiently(kit, all) : all());
}

export const refusedCallsHoldNothing = defineCheck({
  id: 'lim.slot.after-cap-refusal',
  title: 'calls refused by the cap take no slot, however many there are',
  requirements: ['LIM-004', 'LIM-010'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (kit) => {
    const callers = callersOf(kit.target.profile.cap.value);
    const rule = { requirement: 'LIM-004', aspect: 'freed-after-cap-refusal' };
    const held = await holdCalls(kit, { callers, ...rule });
    for (let round = 0; round < 20; round += 1) {
      kit.cases.count();
      const refusal = await kit.http.openChat(kit.newScene().minimal(held.model), { label: 'one too many' })
        .done;
      kit.judge.refused(refusal, { ...rule, codes: ['concurrency_exceeded'] });
    }
    await held.finish();
    const again = await holdCalls(kit, { callers, ...rule });
    await again.finish();
  },
});
