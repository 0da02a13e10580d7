import { expect, it } from 'vitest';
import { chatDialectNames } from '../../answers/native-answer.ts';
import { scriptedDeltas } from '../../testing/given-answer.ts';
import { rawCall } from '../../testing/raw-call.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

it.each(chatDialectNames)(
  'stalls the connection of %s until the client disconnects, and shows it in the journal',
  async (dialect) => {
    const tenant = simulators.tenant();
    await tenant.script({ replies: [{ deltas: [...scriptedDeltas], fault: { id: 'S4', after: 3 } }] });
    const raw = rawCall(simulators.base(tenant.name), { dialect, call: 'stream' });
    const { entries } = await tenant.journal({ waiting: 1 });
    const labels = entries[0]?.reply.sends.map(({ label }) => label) ?? [];
    expect(labels.filter((label) => label.startsWith('delta-'))).toEqual(['delta-0', 'delta-1', 'delta-2']);
    expect(entries[0]?.reply.fault).toMatchObject({ id: 'S4', after: 3 });
    raw.socket.destroy();
    const { entries: after } = await tenant.journal({ ended: 1 });
    expect(after[0]?.reply.ended).toBe('client-gone');
  },
);

it.each(chatDialectNames)('sends the pings of %s on the clock of the simulators', async (dialect) => {
  const tenant = simulators.tenant();
  await tenant.script({ replies: [{ deltas: [...scriptedDeltas], fault: { id: 'S5' } }] });
  const raw = rawCall(simulators.base(tenant.name), { dialect, call: 'stream' });
  const pings = (): number => raw.text().match(/^(?:: keep-alive|event: ping)/gm)?.length ?? 0;
  await raw.until((text) => text.includes('and flow '));
  const before = pings();
  for (let passed = 1; passed <= 20; passed += 1) {
    await simulators.control.advance(400);
    await raw.until(() => pings() >= before + passed);
  }
  expect(raw.text()).not.toContain('every day.');
});

it.each(chatDialectNames)('resets the connection after what it sent has arrived: %s', async (dialect) => {
  const tenant = simulators.tenant();
  const fault = { id: 'S3', form: 'between-frames' };
  await tenant.script({ replies: [{ deltas: [...scriptedDeltas], fault }] });
  const raw = rawCall(simulators.base(tenant.name), { dialect, call: 'stream' });
  expect(await raw.over).toBe('ECONNRESET');
  expect([raw.text().includes('and flow '), raw.text().includes('die ')]).toEqual([true, false]);
});
