import { expect, it } from 'vitest';
import { haltKinds, phases } from './testing/crash/aim.ts';
import { type AuditResult, runAudit } from './testing/crash/run-audit.ts';
import { sized } from './testing/sized.ts';
import { type StoreKind, server, storeKinds } from './testing/store/test-stores.ts';

const seed = Number(process.env.GATECHECK_TEST_SEED ?? 20_261_125);
const kills = sized(phases.length, 10 * phases.length);
const tasks = 4 * kills;
const timeout = 60_000 + kills * 60_000;

async function audit({ fresh }: Pick<StoreKind, 'fresh'>, processes: number): Promise<AuditResult> {
  const { place, remove } = await fresh();
  const untilMs = Number.POSITIVE_INFINITY;
  const once = {
    vanish: 1,
    stop: 1,
    'partition there': 1,
    'partition back': 1,
    outage: 1,
    'kill in an outage': 1,
    'slow server': 1,
  };
  const halts = processes > 1 ? once : undefined;
  const options = { place, kills, halts, tasks, processes, seed, untilMs, onShot: () => {} };
  return await runAudit(options).finally(remove);
}

/** Checks that nothing was lost or doubled, and that enough requests were at risk for the check to mean something. */
function expectWhole({ violations, sightings, shots, admin }: AuditResult): void {
  expect(violations, `with seed ${seed}`).toEqual([]);
  expect(shots.map(({ aim }) => aim)).toEqual(expect.arrayContaining([...phases]));
  const all = [...sightings.all.values()];
  expect(all.filter(({ isCut }) => isCut).length).toBeGreaterThan(0);
  expect(all.filter(({ answeredAtMs }) => answeredAtMs !== null).length).toBeGreaterThan(kills);
  expect(admin.tasks.length).toBeGreaterThanOrEqual(tasks);
}

it.each(storeKinds)(
  'a gateway on a store of kind $name loses, doubles and leaves behind nothing, whenever it is killed',
  { timeout },
  async (kind) => expectWhole(await audit(kind, 1)),
);

// An embedded store belongs to one process.
it.skipIf(server.isMissing)(
  'two gateways on one server lose, double and leave behind nothing when one is killed, stopped, cut off or its host vanishes',
  { timeout },
  async () => {
    const result = await audit(server, 2);
    expectWhole(result);
    expect(result.shots.map(({ aim }) => aim)).toEqual(expect.arrayContaining([...haltKinds]));
  },
);
