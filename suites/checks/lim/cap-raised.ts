import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { allRefusedByCap, allServedInLastSlot, callsFrom, holdWays } from '../../steps/ways/held-ways.ts';
import type { HeldCalls } from '../../steps/ways/hold-all.ts';
import { waysOf } from '../../steps/ways/ways-of.ts';

/** How long calls are held, in percent of the first-byte timeout. */
const heldPercent = 85;

/** The time to a first byte where none is declared, ms. */
const usualTimeoutMs = 30_000;

export const capLasts = defineCheck({
  id: 'lim.cap.lasting',
  title: 'a call keeps its slot until it ends, even close to the timeout of its upstream',
  requirements: ['LIM-001', 'LIM-003'],
  kind: 'concurrency',
  needs: ['upstream.control', 'hooks.clock'],
  clock: 'jump',
  run: async (parts) => {
    const { target, clock } = parts;
    const ways = (await waysOf(parts)).filter(({ lasts }) => lasts);
    const rule = { requirement: 'LIM-001', aspect: 'lasts-as-the-call' };
    const limitMs = target.profile.upstream?.first_byte_timeout_ms ?? usualTimeoutMs;
    const held = await holdWays(parts, callsFrom(ways, 0, target.profile.cap.value), rule);
    await clock.elapse(Math.round((limitMs * heldPercent) / 100));
    await allRefusedByCap(
      parts,
      ways.filter(({ stream }) => !stream).map((way) => ({ way })),
      rule,
    );
    await held.finish();
  },
});

const rule = { requirement: 'LIM-008', aspect: 'raised-cap' };

export const capCanBeRaised = defineCheck({
  id: 'lim.cap.raised',
  title: 'a raised cap applies at once, on all endpoints and to one user; one request beyond it is refused',
  requirements: ['LIM-008'],
  kind: 'concurrency',
  needs: ['upstream.control', 'raised'],
  run: async (parts) => {
    const { target, accounts } = parts;
    if (target.profile.hooks.accounts === undefined)
      await judgeCap(parts, accounts.key('raised'), raisedCap(target));
    else await judgeRaising(parts);
  },
});

function raisedCap({ profile }: Target): number {
  return profile.cap.raised ?? profile.cap.value;
}

/** Raises one user's cap while calls of two users are in flight. */
async function judgeRaising(parts: CheckParts): Promise<void> {
  const [before, after] = [2, parts.target.profile.cap.value + 2];
  const account = await parts.accounts.create({
    users: [{ cap: before }, { cap: before }],
    keys: [{ user: 0 }, { user: 0 }, { user: 1 }],
  });
  const [raised = '', other = ''] = account.users;
  const [key, second, others] = [account.keyAt(0), account.keyAt(1), account.keyAt(2)];
  const held = await hold(parts, key, before);
  await refuse(parts, second, 'cap-before');
  await account.change({ caps: { [raised]: after } });
  const more = await hold(parts, second, after - before);
  await refuse(parts, key, 'raised-cap-holds');
  const theirs = await hold(parts, others, before);
  await refuse(parts, others, 'of-one-user');
  await theirs.finish();
  await held.finish();
  await more.finish();
  await account.change({ caps: { [raised]: 1, [other]: after } });
  await judgeCap(parts, key, 1);
  await judgeCap(parts, others, after);
}

async function judgeCap(parts: CheckParts, key: string, cap: number): Promise<void> {
  const held = await hold(parts, key, cap);
  await refuse(parts, key, 'raised-cap-holds');
  await held.finish();
  await serveInLastSlot(parts, key, cap);
}

/** Fills all slots but one, which then serves every endpoint. */
async function serveInLastSlot(parts: CheckParts, key: string, cap: number): Promise<void> {
  const calls = (await waysOf(parts)).map((way) => ({ way, key }));
  const aspect = 'raised-last-slot';
  await allServedInLastSlot(parts, calls, { ...rule, aspect }, () => hold(parts, key, cap - 1));
}

async function hold(parts: CheckParts, key: string, count: number): Promise<HeldCalls> {
  parts.cases.count();
  const lasting = (await waysOf(parts)).filter(({ lasts }) => lasts);
  const calls = callsFrom(parts.rng.shuffle(lasting), 0, count).map((call) => ({ ...call, key }));
  return holdWays(parts, calls, rule);
}

/** Judges that one more call is refused on every endpoint: plain chat, images and tasks. */
async function refuse(parts: CheckParts, key: string, aspect: string): Promise<void> {
  const ways = (await waysOf(parts)).filter(({ stream }) => !stream);
  const calls = ways.map((way) => ({ way, key }));
  await allRefusedByCap(parts, calls, { requirement: 'LIM-008', aspect });
}
