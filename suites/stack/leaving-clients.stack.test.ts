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
 * Clients that disappear in the middle of a stream, on one model of each family: 500 of them, fewer in a usual run.
 *
 * The bound is the requirement: a call 200 ms later gets the slot. It is real time on a machine that may be busy with
 * something else, so each client has a twin that leaves the simulated upstream itself at the same moment: what the twin takes,
 * this machine takes now, and is added to the bound. One in a hundred may still be late, since a process may be kept waiting
 * without its twin; a slot that does not come at all is never forgiven. What the upstream has made is paid for, so its answer
 * is read on for a while (reading B-36), and not for longer.
 */
const tries = isWhole ? 500 : 200;
const slotMs = 200;
/** So long answers are read on, and some time for the machine, ms. */
const readOnMs = 20_000 + 5_000;
const mayBeLate = tries / 100;

const models = ['alpha-5-2', 'beta-mid-4-5', 'gamma-3-flash', 'delta-3'] as const;

/** After so many clients the streams that hold the other slots are renewed, long before any gateway could time them out. */
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

/** Those that were late, latest first, as sentences. */
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

it('there were many of them, out of streams that waited and out of streams that flowed', () => {
  expect(leaves).toHaveLength(tries);
  for (const state of ['waiting', 'flowing'])
    expect(leaves.filter(({ label }) => label.endsWith(state)).length).toBeGreaterThan(tries / 4);
});

it('no call of theirs stays at the upstream', () => {
  expect(left).toEqual([]);
});

it('a call 200 ms later gets the slot', async ({ annotate }) => {
  await annotate(`the last refusal for want of a slot: ${worst(leaves.map((leave) => leave.refusedUntil))}`);
  expect(leaves.filter((leave) => !leave.served)).toEqual([]);
  expect(late((leave) => leave.refusedUntil, slotMs).slice(mayBeLate)).toEqual([]);
});

it('none of them has left a slot behind, nor freed one too many', () => {
  expect(free).toEqual(places.map((place) => place.cap));
});
