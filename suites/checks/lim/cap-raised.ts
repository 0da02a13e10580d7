import { defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { callersOf, type HeldCalls, holdCalls } from './held-calls.ts';

const rule = { requirement: 'LIM-008', aspect: 'raised-cap' };

export const capCanBeRaised = defineCheck({
  id: 'lim.cap.raised',
  title:
    'a raised cap holds at once and for one user alone: that many requests are in flight, and one more is refused',
  requirements: ['LIM-008'],
  kind: 'concurrency',
  needs: ['upstream.control', 'raised'],
  run: async (kit) => {
    if (kit.profile.hooks.accounts === undefined) await judgeCap(kit, kit.key('raised'), raisedCap(kit));
    else await judgeRaising(kit);
  },
});

function raisedCap({ profile }: Kit): number {
  return profile.cap.raised ?? profile.cap.value;
}

/** Raises the cap of one of two users while its calls are in flight. */
async function judgeRaising(kit: Kit): Promise<void> {
  const [before, after] = [2, kit.profile.cap.value + 2];
  const account = await kit.accounts.create({
    users: [{ cap: before }, { cap: before }],
    keys: [{ user: 0 }, { user: 0 }, { user: 1 }],
  });
  const [raised = '', other = ''] = account.users;
  const [key, second, others] = [account.keyAt(0), account.keyAt(1), account.keyAt(2)];
  const held = await hold(kit, key, before);
  await refuse(kit, second, held.model, 'cap-before');
  await account.change({ caps: { [raised]: after } });
  const more = await hold(kit, second, after - before);
  await refuse(kit, key, held.model, 'raised-cap-holds');
  const theirs = await hold(kit, others, before);
  await refuse(kit, others, held.model, 'of-one-user');
  await theirs.finish();
  await held.finish();
  await more.finish();
  await account.change({ caps: { [raised]: 1, [other]: after } });
  await judgeCap(kit, key, 1);
  await judgeCap(kit, others, after);
}

async function judgeCap(kit: Kit, key: string, cap: number): Promise<void> {
  const held = await hold(kit, key, cap);
  await refuse(kit, key, held.model, 'raised-cap-holds');
  await held.finish();
}

async function hold(kit: Kit, key: string, count: number): Promise<HeldCalls> {
  kit.countCase();
  return holdCalls(kit, { callers: callersOf(count, { key }), ...rule });
}

async function refuse(kit: Kit, key: string, model: string, aspect: string): Promise<void> {
  const refusal = await kit.openChat(kit.scene().minimal(model), { key, label: 'one too many' }).done;
  kit.refused(refusal, { requirement: 'LIM-008', aspect, codes: ['concurrency_exceeded'] });
}
