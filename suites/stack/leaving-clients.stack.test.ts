import { SimulatorControl } from 'gatecheck-simulators/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import { isWhole } from '../testing/test-size.ts';
import { createRng } from '../values/seed.ts';
import { createWireClient, type WireClient } from '../wire/client.ts';
import { type Stack, startStack } from './stack.ts';
import {
  holdAllButOne,
  isOverUpstream,
  type Leave,
  leaveOnce,
  type Place,
  slotsFree,
} from './testing/leave.ts';

/**
 * Clients that disappear in the middle of a stream, on one model of each family: 500 in a full run, 200 otherwise. The
 * requirement is the limit: a call 200 ms later gets the slot. The machine may be busy, so each client has a twin that leaves
 * the simulated upstream itself at the same moment. The time of the twin is added to the limit. One client in a hundred may
 * still be late, since a process may be delayed without its twin. A slot that never becomes free always fails. The upstream's
 * output is paid for, so the gateway may read its answer for a while (reading B-36), but not longer.
 */
const tries = isWhole ? 500 : 200;
const slotMs = 200;
/** How long a gateway may read an answer on, with some time for the machine, ms. */
const readOnMs = 20_000 + 5_000;
const mayBeLate = tries / 100;

const models = ['alpha-5-2', 'beta-mid-4-5', 'gamma-3-flash', 'delta-3'] as const;

/** After this many clients the streams that hold the other slots are renewed, long before a gateway could time them out. */
const renewEvery = 25;

let stack: Stack;
let control: SimulatorControl;
let direct: WireClient;
let gateway: WireClient;
let places: Place[];
let leaves: Leave[];
let left: string[];
const free: number[] = [];

beforeAll(async () => {
  let provider = '';
  stack = await startStack({
    seed: 1,
    tenants: models.length,
    between: async (providerUrl) => {
      provider = providerUrl;
      return { url: providerUrl, isFor: () => false };
    },
  });
  control = new SimulatorControl(stack.profile.upstream?.control ?? '');
  gateway = createWireClient(stack.profile);
  direct = createWireClient(profileSchema.parse({ base_url: provider, keys: { K1: 'any' } }));
  places = models.map((model, index): Place => {
    const tenant = stack.profile.tenants[index];
    if (tenant === undefined) throw new Error('a tenant is missing');
    const cap = stack.profile.cap.value;
    return { tenant: control.tenant(tenant.name), key: tenant.keys.K1, model, cap, gateway, direct };
  });
  const each = await Promise.all(places.map(async (place) => [place, await leaveMany(place)] as const));
  leaves = each.flatMap(([, own]) => own);
  const over = each.flatMap(([place, own]) =>
    own.map(async (leave) => ((await isOverUpstream(place, leave, readOnMs)) ? [] : [leave.label])),
  );
  left = (await Promise.all(over)).flat();
  for (const place of places) free.push(await slotsFree(place, place.cap + 2));
}, 300_000);

afterAll(async () => {
  await Promise.all([gateway.close(), direct.close(), control.close()]);
  await stack.stop();
});

async function leaveMany(place: Place): Promise<Leave[]> {
  const rng = createRng(20_260_807, place.model);
  const seen: Leave[] = [];
  for (let done = 0; done < tries / models.length; ) {
    const end = await holdAllButOne(place, `${place.model} ${done}`);
    for (const stop = done + renewEvery; done < Math.min(stop, tries / models.length); done += 1)
      seen.push(await leaveOnce(place, rng, `${place.model} #${done}`));
    await end();
  }
  return seen;
}

/** The late clients, latest first, as sentences. */
function late(value: (leave: Leave) => number, bound: number): string[] {
  return leaves
    .filter((leave) => value(leave) > bound + leave.control)
    .toSorted((a, b) => value(b) - value(a))
    .map(
      (leave) =>
        `${Math.round(value(leave))} ms (${Math.round(leave.control)} ms without the gateway), ${leave.label}`,
    );
}

function worst(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)} ms`;
  return `half within ${at(0.5)}, 99 % within ${at(0.99)}, the slowest ${at(1)}`;
}

it('clients leave both waiting and flowing streams, at least a quarter each', () => {
  expect(leaves).toHaveLength(tries);
  for (const state of ['waiting', 'flowing'])
    expect(leaves.filter(({ label }) => label.endsWith(state)).length).toBeGreaterThan(tries / 4);
});

it('none of their calls stays at the upstream', () => {
  expect(left).toEqual([]);
});

it('a call 200 ms later gets the slot', async ({ annotate }) => {
  await annotate(`the last refusal for want of a slot: ${worst(leaves.map((leave) => leave.refusedUntil))}`);
  expect(leaves.filter((leave) => !leave.served)).toEqual([]);
  expect(late((leave) => leave.refusedUntil, slotMs).slice(mayBeLate)).toEqual([]);
});

it('no client leaves a slot taken, or frees one too many', () => {
  expect(free).toEqual(places.map((place) => place.cap));
});
