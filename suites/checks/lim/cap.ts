import { defineCheck } from '../../engine/check.ts';
import { must } from '../../engine/violation.ts';

export const capHoldsAndFrees = defineCheck({
  id: 'lim.cap.holds',
  title: 'as many requests as the cap allows are in flight at once, and the next one is refused at once and reaches no upstream',
  requirements: ['LIM-001', 'LIM-006', 'LIM-010', 'ERR-020'],
  kind: 'concurrency',
  needs: ['upstream.control'],
  run: async (kit) => {
    const cap = kit.profile.cap.value;
    const model = kit.anyModel();
    const held = kit.scene();
    await held.script({ text: 'Held.', gates: ['head'] });
    const calls = Array.from({ length: cap }, (_, index) => kit.openChat(held.minimal(model), { label: `held ${index + 1} of ${cap}` }));
    const allHeld = await held.held(cap);
    if (!allHeld) {
      for (const call of calls) call.abort();
      const refused = (await Promise.all(calls.map((call) => call.done))).find((exchange) => exchange.response !== null);
      must(false, { requirement: 'LIM-001', aspect: 'cap-available', expected: `${cap} requests in flight at once`, actual: 'not all of them reach the upstream', exchange: refused });
    }
    const extra = kit.scene();
    const refusal = await kit.openChat(extra.minimal(model), { label: 'one too many' }).done;
    kit.refused(refusal, { requirement: 'LIM-001', aspect: 'one-too-many', codes: ['concurrency_exceeded'], param: null });
    const waitMs = refusal.endedAt - refusal.sentAt;
    if (waitMs > 2_000) kit.advise({ requirement: 'LIM-006', aspect: 'immediate', expected: 'the refusal within 2 s', actual: `after ${waitMs} ms`, exchange: refusal });
    must((await extra.requestsNow()).length === 0, { requirement: 'LIM-010', aspect: 'no-upstream-call', expected: 'no upstream request for a refused call', actual: 'one arrived', exchange: refusal });
    await held.release();
    for (const call of calls) kit.completed(await call.done, { requirement: 'LIM-001', aspect: 'cap-available', model });
    const after = await kit.openChat(kit.scene().minimal(model), { label: 'after the held ones' }).done;
    kit.completed(after, { requirement: 'LIM-001', aspect: 'freed', model });
  },
});
