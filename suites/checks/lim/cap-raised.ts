import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
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
    if (kit.target.profile.hooks.accounts === undefined)
      await judgeCap(kit, kit.accounts.key('raised'), raisedCap(kit));
    else await judgeRaising(kit);
  },
});

function raisedCap({ target: { profile } }: CheckParts): number {
  return profile.cap.raised ?? profile.cap.value;
}

/** Raises the cap of one of two users while its calls are in flight. */
async function judgeRaising(kit: CheckParts): Promise<void> {
  const [before, after] = [2, kit.target.profile.cap.value + 2];
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

async function judgeCap(kit: CheckParts, key: string, cap: number): Promise<void> {
  const held = await hold(kit, key, cap);
  await refuse(kit, key, held.model, 'raised-cap-holds');
  await held.finish();
}

async function hold(kit: CheckParts, key: string, count: number): Promise<HeldCalls> {
  kit.cases.count();
  return holdCalls(kit, { callers: callersOf(count, { key }), ...rule });
}

async function refuse(kit: CheckParts, key: string, model: string, aspect: string): Promise<void> {
  const refusal = await kit.http.openChat(kit.newScene().minimal(model), { key, label: 'one too many' }).done;
  kit.judge.refused(refusal, { requirement: 'LIM-008', aspect, codes: ['concurrency_exceeded'] });
}
