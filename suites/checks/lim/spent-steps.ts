import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import type { TestAccount } from '../../engine/test-accounts.ts';
import { part, Untestable } from '../../rules/violation.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { mustSucceed } from '../../steps/media/own-tasks.ts';
import { actionBody, generateBody, usableActions } from '../../steps/media/song.ts';
import { imagineBody, stepBody } from '../../steps/media/workflow.ts';
import { type Spending, spendings } from '../../steps/money/spent-accounts.ts';

const requirement = 'LIM-011';

/** More tokens than any account of this check can pay for. */
const spendingCall = { prompt_tokens: 1_000_000_000, completion_tokens: 1 };

type Body = Readonly<Record<string, unknown>>;

/** A task, and the later step to request once the account is used up. */
interface Chain {
  readonly label: string;
  readonly first: () => Body;
  readonly next: (parentId: string) => {
    readonly body: Body;
    readonly scene: Scene;
  };
}

export const spentAccountTakesNoStep = defineCheck({
  id: 'lim.spent.steps',
  title: 'a spent account gets 429 quota_exceeded also for a further step of its own song or image',
  requirements: [requirement, 'LIM-012'],
  kind: 'example',
  needs: ['upstream.control', 'hooks.accounts'],
  run: async (parts) => {
    const chains = chainsOf(parts);
    if (chains.length === 0)
      throw new Untestable('models.enabled with journey-v7 or song-v5 and song.actions');
    for (const spending of spendings) {
      const account = await parts.accounts.create({ credits: '20', monthly_tokens: 2_000_000_000 });
      const parents: string[] = [];
      for (const chain of chains) parents.push(await made(parts, account, chain));
      await spend(parts, account, spending);
      for (const [place, chain] of chains.entries())
        await part(() => judgeStep(parts, account, chain, parents[place] ?? '', spending));
    }
  },
});

function chainsOf(parts: CheckParts): Chain[] {
  const { target, newScene } = parts;
  const served = target.mediaModels;
  const pictures: Chain = {
    label: 'an upscale',
    first: () => imagineBody(parts),
    next: (parentId) => ({ scene: newScene(), body: stepBody('upscale', parentId, 1) }),
  };
  const action = usableActions(target).find(({ parent }) => parent === 'one');
  const songs: Chain[] =
    action === undefined
      ? []
      : [
          {
            label: `song-v5 ${action.name}`,
            first: () => generateBody(parts),
            next: (parentId) => {
              const scene = newScene();
              return { scene, body: actionBody(parts, action, { scene, parents: [parentId, parentId] }) };
            },
          },
        ];
  return [...(served.includes('journey-v7') ? [pictures] : []), ...(served.includes('song-v5') ? songs : [])];
}

async function made(
  { cases, tasks }: CheckParts,
  { key }: TestAccount,
  { label, first }: Chain,
): Promise<string> {
  cases.count();
  const submitted = await tasks.submit({ ...first() }, { key, label: `the parent of ${label}` });
  const { taskId } = tasks.accepted(submitted, { requirement, aspect: 'parent-accepted' });
  const { last } = await tasks.follow(taskId, { key });
  mustSucceed(last, { requirement, aspect: 'parent-succeeds', expected: 'SUCCESS of the parent' }, submitted);
  return taskId;
}

/** Makes a call that costs more than the account has, or one after its quota was lowered to a token. */
async function spend(parts: CheckParts, account: TestAccount, spending: Spending): Promise<void> {
  const { newScene, http, target, judge, meter } = parts;
  if (spending === 'quota') await account.change({ monthly_tokens: 1 });
  const scene = newScene();
  if (spending === 'credits') await scene.script({ text: 'Dear.', usage: { ...spendingCall } });
  const model = target.anyModel();
  const label = `the call that spends the ${spending}`;
  const exchange = await http.chat(scene.minimal(model), { key: account.key, label });
  // The parent tasks may have used up a quota that counts media.
  if (exchange.response?.status === 429) return;
  judge.completed(exchange, { requirement, aspect: 'spending-served', model });
  await meter.settle();
}

async function judgeStep(
  parts: CheckParts,
  { key }: TestAccount,
  chain: Chain,
  parentId: string,
  spending: Spending,
): Promise<void> {
  const { cases, tasks, judge } = parts;
  cases.count();
  const { body, scene } = chain.next(parentId);
  const label = `${chain.label} by an account without ${spending}`;
  const exchange = await tasks.submit({ ...body }, { key, label });
  judge.refused(exchange, { requirement, aspect: 'every-step', codes: ['quota_exceeded'] });
  await judgeNotForwarded(scene, requirement, exchange);
}
