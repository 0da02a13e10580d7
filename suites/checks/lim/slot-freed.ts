import { type Check, defineCheck } from '../../engine/check.ts';
import { patiently } from '../../steps/failures/pass-timeouts.ts';
import { coreProtocol } from '../../steps/protocols/protocol.ts';
import { freedChecks, judgeFreed } from '../../steps/ways/slot-endings.ts';
import { chatWay } from '../../steps/ways/way-in.ts';
import { callersOf, holdCalls } from './held-calls.ts';

/** One check for each way a call can end: after any number of such ends, the whole cap is free. */
export const slotChecks: readonly Check[] = freedChecks({
  id: 'lim.slot.after',
  title: ({ title }) => `the slot is free again after ${title}, 20 times over`,
  requirements: ['LIM-004'],
  cut: ['upstream-cut', 'rst'],
  run: (parts, ending) => {
    const { rng, target } = parts;
    // One model after the other, so that no breaker opens.
    const ways = rng.shuffle(target.models).map((model) => chatWay(coreProtocol, model, ending.stream));
    return judgeFreed(parts, ending, {
      ...{ requirement: 'LIM-004', ways, rounds: Math.max(20, target.profile.cap.value + 1) },
      held: [chatWay(coreProtocol, target.anyModel(), false)],
    });
  },
});

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
    const refused = {
      requirement: 'LIM-001',
      aspect: 'one-too-many',
      codes: ['concurrency_exceeded'],
    } as const;
    const held = await holdCalls(parts, { callers, ...rule });
    // Two crowds, not one after the other: a gateway may let each wait a little first (reading B-103).
    for (let crowd = 0; crowd < 2; crowd += 1) {
      const refusals = Array.from({ length: 10 }, async () => {
        cases.count();
        const refusal = await http.openChat(newScene().minimal(held.model), { label: 'one too many' }).done;
        judge.refused(refusal, refused);
      });
      await Promise.all(refusals);
    }
    await held.finish();
    // The gateway may free a slot shortly after the answer has ended.
    await patiently(parts, () => holdCalls(parts, { callers, ...rule }).then((again) => again.finish()));
  },
});
