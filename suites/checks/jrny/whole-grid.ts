import type { Reply } from 'gatecheck-simulators/client';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
import {
  actionBody,
  generateBody,
  scriptedAction,
  songAction,
  usableActions,
} from '../../steps/media/song.ts';
import { imagineBody, rowOfEnd, type StepName, stepBody } from '../../steps/media/workflow.ts';

/** How long to wait while a gateway may retry a missing part, ms. It may keep trying after that. */
const patienceMs = 5_000;

export const wholeGrids: Check = defineCheck({
  id: 'jrny.grid.whole',
  title: 'a grid or a set of stems succeeds whole, however many parts it has, or not at all',
  requirements: ['JRNY-003', 'JRNY-007', 'JRNY-008', 'SONG-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { rng, target } = parts;
    // Too few are made, or one of them cannot be fetched: the first, the last, or one between.
    const few: Reply = { job: { outputs: 2 + rng.int(2) } };
    const many: Reply = { job: { outputs: 3 + rng.int(10) } };
    const cells = [
      few,
      ...rng
        .shuffle([0, 1, 2, 3])
        .slice(0, parts.cases.full ? 4 : 2)
        .map(lost),
    ];
    const isStemmed = usableActions(target).some(({ name }) => name === 'stem');
    await Promise.all([
      ...cells.map((reply) => judgeGrids(parts, reply)),
      ...(isStemmed ? [lost(0), lost(1), many] : []).map((reply) => part(() => judgeStems(parts, reply))),
    ]);
  },
});

function lost(place: number): Reply {
  return { job: { lost_outputs: [place] } };
}

/** Each step that ends in a grid, with something missing. */
async function judgeGrids(parts: CheckParts, reply: Reply): Promise<void> {
  const [first, scene] = [parts.newScene(), parts.newScene()];
  await first.script(reply);
  // A reroll may repeat the first step.
  await scene.script({}, reply);
  const { taskId } = await parts.tasks.make({ ...imagineBody(parts), prompt: scene.prompt() });
  await scene.child((await scene.job()).id).script(reply);
  const bodies: readonly (readonly [StepName, Record<string, unknown>])[] = [
    ['imagine', { ...imagineBody(parts), prompt: first.prompt() }],
    ['variation', stepBody('variation', taskId, 1 + parts.rng.int(4))],
    ['reroll', stepBody('reroll', taskId)],
  ];
  const judged = bodies.map(([name, body]) =>
    part(() => judgeEnd(parts, { name, body, reply, requirement: rowOfEnd[name], counts: [1, 4] })),
  );
  await Promise.all(judged);
}

async function judgeStems(parts: CheckParts, reply: Reply): Promise<void> {
  const action = songAction('stem');
  const body = await scriptedAction(parts, action, reply);
  const counts = [reply.job?.outputs ?? 2];
  await judgeEnd(parts, { name: 'stem', body, reply, requirement: action.row, counts });
}

interface Missing {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly reply: Reply;
  readonly requirement: string;
  /** How many results a whole success has; one of a grid is composed (reading B-64). */
  readonly counts: readonly number[];
}

/** The task fails, or is still polled; as a success it would be whole. */
async function judgeEnd(
  { cases, tasks }: CheckParts,
  { name, body, reply, requirement, counts }: Missing,
): Promise<void> {
  cases.count();
  const what = `${name} with ${JSON.stringify(reply.job)} at the upstream`;
  const submitted = await tasks.submit({ ...body }, { label: what });
  const { taskId } = tasks.accepted(submitted);
  const { last } = await tasks.watch(taskId, { withinMs: patienceMs, label: what });
  if (last.status !== 'SUCCESS') return;
  must(counts.includes(last.resultUrls.length), {
    requirement,
    aspect: 'whole-or-none',
    expected: `${counts.join(' or ')} results with SUCCESS of ${what}, or no SUCCESS`,
    actual: `SUCCESS with ${last.resultUrls.length} results`,
    exchange: last.exchange,
    twin: submitted,
  });
  await tasks.results(last);
}

/** A request that builds on an earlier task, and the rule that requires its acceptance. */
interface Later {
  readonly requirement: 'JRNY-015' | 'SONG-006' | 'VID-009';
  readonly body: () => Record<string, unknown>;
}

export const everyKey: Check = defineCheck({
  id: 'jrny.parents.every-key',
  title: 'every key of the account builds on its grids, songs and images, whichever key made them',
  requirements: ['JRNY-015', 'SONG-006', 'VID-009'],
  kind: 'metamorphic',
  needs: [],
  run: async (parts) => {
    const { keys, tasks, cases } = parts;
    const { K2: k2, K4: k4, K5: k5 } = keys;
    const others = Object.entries({ K2: k2, K4: k4, K5: k5 });
    if (others.every(([, key]) => key === undefined)) throw new Untestable('keys.K2');
    const later = await laterOf(parts);
    for (const [name, key] of others) {
      if (key === undefined) continue;
      for (const { requirement, body } of later) {
        cases.count();
        const exchange = await tasks.submit(body(), { key, label: `a later step with ${name}` });
        tasks.accepted(exchange, { requirement, aspect: 'other-key-accepted' });
      }
    }
  },
});

/** Requests that build on tasks of K1, where the models are enabled. */
async function laterOf(parts: CheckParts): Promise<readonly Later[]> {
  const { target, tasks, newScene } = parts;
  const isEnabled = (model: string): boolean => target.mediaModels.includes(model);
  const grid = await tasks.make(imagineBody(parts));
  const later: Later[] = [{ requirement: 'JRNY-015', body: () => stepBody('upscale', grid.taskId, 1) }];
  if (isEnabled('vidA-3.1-quality')) {
    const image = { task_id: grid.taskId };
    later.push({
      requirement: 'VID-009',
      body: () => ({ ...newScene().minimalMedia('vidA-3.1-quality'), image }),
    });
  }
  const action = usableActions(target).find(({ parent, inputs }) => parent === 'one' && inputs === 'plain');
  if (action === undefined || !isEnabled('song-v5')) return later;
  const { taskId } = await tasks.make(generateBody(parts));
  const parents: [string, string] = [taskId, taskId];
  later.push({
    requirement: 'SONG-006',
    body: () => actionBody(parts, action, { scene: newScene(), parents }),
  });
  return later;
}
