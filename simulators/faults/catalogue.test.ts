import { describe, expect, it } from 'vitest';
import {
  allFaultFacts,
  faultFacts,
  jobFaultFacts,
  refuseFault,
  webhookFaultFacts,
} from '../fault-contract/known-faults.ts';
import { rawCall } from '../testing/raw-call.ts';
import { cellsOf } from '../testing/send-cell.ts';
import { useSimulators } from '../testing/simulators.ts';
import { faults } from './catalogue.ts';

const simulators = useSimulators();

const armable = [...faultFacts.values()].filter(
  ({ listener, scenario }) => listener === undefined && scenario === undefined,
);

const wordsOf: Readonly<Record<string, unknown>> = {
  listener: expect.stringContaining('send requests to the listener '),
  scenario: expect.stringContaining('start the scenario '),
  receiver: expect.stringContaining('is met at a receiver of events'),
};

/** Where a fault occurs: on a scripted request, at a receiver, at a broken listener, or in a scenario. */
function placeOf(facts: (typeof allFaultFacts)[number]): string {
  if ('receiver' in facts) return 'receiver';
  if ('listener' in facts) return 'listener';
  if ('scenario' in facts) return 'scenario';
  return faults.some(({ id }) => id === facts.id) ? 'armed' : 'nowhere';
}

describe('the catalogue', () => {
  it('numbers the faults of each group without gaps, names each once, and places each somewhere', () => {
    for (const group of Object.values(Object.groupBy(allFaultFacts, ({ id }) => id.slice(0, 1)))) {
      const numbers = (group ?? []).map(({ id }) => Number(id.slice(1)));
      expect(numbers.toSorted((one, other) => one - other)).toEqual(numbers.map((_, at) => at + 1));
      expect(new Set(group?.map(({ name }) => name)).size).toBe(numbers.length);
    }
    expect(allFaultFacts.filter((facts) => placeOf(facts) === 'nowhere')).toEqual([]);
  });

  it('has a program for every fault that can be set, and facts about every program', () => {
    const known = allFaultFacts.filter((facts) => placeOf(facts) === 'armed').map(({ id }) => id);
    expect(faults.map(({ id }) => id).toSorted()).toEqual(known.toSorted());
  });

  it('is served by the control API', async () => {
    expect(await simulators.control.faults()).toEqual([
      ...faultFacts.values(),
      ...jobFaultFacts.values(),
      ...webhookFaultFacts.values(),
    ]);
  });

  it('accepts every fault in every form, and names the place of faults that occur elsewhere', () => {
    for (const facts of allFaultFacts) {
      for (const form of facts.forms ?? [null]) {
        const refusal = refuseFault(form === null ? { id: facts.id } : { id: facts.id, form });
        const message = wordsOf[placeOf(facts)];
        expect(refusal).toEqual(message === undefined ? null : { member: 'id', message });
      }
    }
  });

  it.each([
    [{ id: 'T66' }, 'id', 'there is no fault T66'],
    [{ id: 'T1' }, 'id', 'T1 is not set: send requests to the listener refused'],
    [{ id: 'T9', form: 'odd' }, 'form', 'T9 has the forms reset, closed'],
    [{ id: 'T6', form: 'odd' }, 'form', 'T6 has no forms'],
    [
      { id: 'W9' },
      'id',
      'W9 is met at a receiver of events, which is behind the gateway, and cannot be set: it answers 5xx, hangs',
    ],
    [{ id: 'W10' }, 'id', 'cannot be set: it answers 200 after the time for an attempt'],
    [{ id: 'W4', form: 'odd' }, 'form', 'W4 has the forms nothing, no-end'],
    [{ id: 'J4', form: 'odd' }, 'form', 'J4 has the forms queued, running, nearly-done'],
    [{ id: 'T9', after: -1 }, 'after', ''],
    [{ id: 'T9', often: 1 }, 'often', 'unknown member'],
  ])('rejects %j and names the member', async (fault, member, message) => {
    const arming = simulators.tenant().script({ replies: [{ fault: fault as { id: string } }] });
    await expect(arming).rejects.toMatchObject({
      status: 400,
      path: `replies[0].fault.${member}`,
      message: expect.stringContaining(message),
    });
  });

  it('rejects a fault together with a raw answer', async () => {
    const arming = simulators.tenant().script({ replies: [{ status: 500, fault: { id: 'T7' } }] });
    await expect(arming).rejects.toMatchObject({ path: 'replies[0].fault' });
  });

  it('rejects a cut or a hang together with a fault that ends the connection', async () => {
    for (const [member, more] of [
      ['cut', { cut: { after: 1, by: 'fin' as const } }],
      ['hang', { hang: 1 }],
    ] as const) {
      const arming = simulators.tenant().script({ replies: [{ fault: { id: 'T16' }, ...more }] });
      await expect(arming).rejects.toMatchObject({ path: `replies[0].${member}` });
    }
  });

  it('answers 501 and notes it in the journal if the fault does not exist', async () => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ fault: { id: 'T11' } }] });
    const { over, text } = rawCall(simulators.base(tenant.name), { call: 'plain' });
    expect(await over).toBe('fin');
    expect(text()).toMatch(/^HTTP\/1\.1 501 /);
    const { entries } = await tenant.journal({ ended: 1 });
    expect(entries[0]?.reply.fault).toMatchObject({
      id: 'T11',
      misfit: 'T11 does not exist in plain calls: only in stream',
    });
  });
});

/** Faults whose connection never ends by itself, or only after a large number of bytes. */
const lasting = new Set(['T10', 'T11', 'T20', 'S29']);

const ofChats = armable.filter((facts) => cellsOf(facts).length > 0);

describe.each(ofChats.map((facts) => [facts.id, facts] as const))('%s', (id, facts) => {
  it('sends every fault in every dialect, call and form', async () => {
    for (const { dialect, call, form } of cellsOf(facts)) {
      const tenant = simulators.tenant();
      const fault = form === null ? { id } : { id, form };
      const text = facts.reply?.deltas === undefined ? { text: 'Größe — 日本語 über alles.' } : {};
      await tenant.script({ replies: [{ ...text, ...facts.reply, fault }] });
      const raw = rawCall(simulators.base(tenant.name), { dialect, call });
      const isLasting = lasting.has(id) || facts.verdict.deadline !== null;
      if (isLasting) await Promise.race([raw.until((text) => text !== ''), tenant.journal({ waiting: 1 })]);
      else await raw.over;
      raw.socket.destroy();
      const { entries } = await tenant.journal({ ended: 1 });
      expect(entries.map(({ reply }) => reply.fault)).toMatchObject([{ id, form, after: null }]);
      expect(entries[0]?.reply.fault?.applied).toBe(id !== 'T9');
    }
  });
});
