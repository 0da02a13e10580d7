import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { type LaterStep, laterSteps } from '../../oracle/media/fields.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { unknownIdLike } from '../../oracle/media/task-answer.ts';
import { inTurns } from '../../steps/fields/in-turns.ts';
import { judgeAlike } from '../../steps/fields/judge-alike.ts';
import { judgeRefusedField } from '../../steps/fields/judge-cells.ts';
import { enabledModel, hasControl } from '../../steps/fields/media-inputs.ts';
import { judgeRefusedParent, oddParents } from '../../steps/media/odd-parents.ts';
import { judgeOwnId, judgeOwnJobs } from '../../steps/media/own-tasks.ts';
import { imagineBody, makeStep, rowOfStep, stepBody } from '../../steps/media/workflow.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';
import { judgeFirstSteps, type StepCell, stepCells } from './step-cells.ts';

const own = { shared: 'JRNY-020', refused: 'JRNY-011' } as const;

export const fields = defineCheck({
  id: 'jrny.steps.fields',
  title: 'later steps take a parent and, to pick an image, an index of 1 to 4, but no prompt or URL',
  requirements: [
    'JRNY-004',
    'JRNY-002',
    'JRNY-006',
    'JRNY-008',
    'JRNY-010',
    'JRNY-011',
    'JRNY-012',
    'JRNY-014',
    'JRNY-015',
    'JRNY-017',
    'JRNY-018',
    'JRNY-019',
    'JRNY-020',
    'TASK-004',
    'TASK-005',
    'TASK-008',
  ],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { newScene, target } = parts;
    const scene = newScene();
    const body = { ...imagineBody(parts), prompt: scene.prompt() };
    const parent = await makeStep(parts, 'imagine', body);
    const job = hasControl(target) ? await scene.job() : null;
    const all = stepCells(enabledModel(target, 'journey-v7'), parent.taskId, unknownIdLike(parent.taskId));
    const cells = target.few(all, ({ requirement, verdict }) => `${requirement} ${verdict}`);
    const refused = cells.filter(({ verdict }) => verdict === 'refuse');
    await inTurns(target, refused, (cell) => judgeRefusedStep(parts, cell, parent.submitted));
    await judgeFirstSteps(parts, parent.taskId, parent.submitted);
    const legal = await judgeLegalSteps(parts, parent.taskId);
    if (job !== null) await judgeJobs(scene, job.id, legal);
    const open = cells.filter(({ verdict }) => verdict === 'either');
    await inTurns(target, open, (cell) => judgeOpenStep(parts, cell));
    await judgeOpenStep(parts, explicitImagine(imagineBody(parts)));
  },
});

export const foreign = defineCheck({
  id: 'jrny.parents.foreign',
  title: 'a parent of another account is refused in the same words as an unknown id',
  requirements: ['JRNY-015'],
  kind: 'example',
  needs: ['keys.K3'],
  run: async (parts) => {
    const { accounts, cases, tasks, judge } = parts;
    const { taskId } = await makeStep(parts, 'imagine', imagineBody(parts));
    const key = accounts.key('K3');
    for (const step of laterSteps) {
      cases.count();
      const by = (id: string): Promise<Exchange> =>
        tasks.submit(stepBody(step, id, step === 'reroll' ? undefined : 1), { key, label: step });
      const [strange, unknown] = [await by(taskId), await by(unknownIdLike(taskId))];
      const rule = { requirement: 'JRNY-015', aspect: 'foreign-refused' };
      for (const exchange of [strange, unknown])
        judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
      judgeAlike(strange, unknown, { requirement: 'JRNY-015', aspect: 'foreign-like-unknown' });
    }
  },
});

export const kinds = defineCheck({
  id: 'jrny.parents.kind',
  title: 'a task of another model, or one that failed, is refused as the parent of a step',
  requirements: ['JRNY-016'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, tasks, judge } = parts;
    const good = await makeStep(parts, 'imagine', imagineBody(parts));
    for (const { what, taskId, aspect } of await oddParents(parts, 'journey-v7')) {
      for (const step of laterSteps) {
        cases.count();
        const body = stepBody(step, taskId, step === 'reroll' ? undefined : 1);
        const exchange = await tasks.submit(body, { label: `${step} of ${what}` });
        const rule = { requirement: 'JRNY-016', aspect, twin: good.submitted };
        judgeRefusedParent(judge, exchange, 'parent_task_id', rule);
      }
    }
    const exchange = await tasks.submit(stepBody('upscale', good.taskId, 1), { label: 'upscale of a grid' });
    tasks.accepted(exchange, { requirement: 'JRNY-004', aspect: 'step-accepted' });
  },
});

async function judgeRefusedStep(
  { cases, tasks, judge }: CheckParts,
  cell: StepCell,
  twin: Exchange,
): Promise<void> {
  cases.count();
  const exchange = await tasks.submit({ ...cell.body }, { label: cell.why });
  // An unknown parent may be answered as task_not_found (reading B-62).
  const { requirement, aspect } = cell;
  if (requirement === 'JRNY-015') {
    const rule = { requirement, aspect, codes: ['invalid_param', 'task_not_found'], twin } as const;
    if (judge.refused(exchange, rule).code === 'task_not_found') return;
  }
  judgeRefusedField(judge, exchange, cell, twin);
}

/**
 * Submits legal steps with only the fields that they need, and follows them to their ends. Two come twice: equal steps
 * are not merged (reading B-118).
 */
async function judgeLegalSteps(
  { cases, tasks, target }: CheckParts,
  parentId: string,
): Promise<readonly Exchange[]> {
  const again = [stepBody('upscale', parentId, 1), stepBody('reroll', parentId)];
  const bodies = [
    ...[1, 2, 3, 4].map((index) => stepBody('upscale', parentId, index)),
    ...[1, 4].map((index) => stepBody('variation', parentId, index)),
    ...again,
    stepBody('reroll', parentId),
  ];
  const accepted = new Map<string, Exchange>();
  await inTurns(
    target,
    target.few(bodies, ({ action }) => String(action)),
    async (body) => {
      cases.count();
      const step = body.action as LaterStep;
      const exchange = await tasks.submit(body, { label: `${step} ${body.index ?? ''}` });
      const { taskId } = tasks.accepted(exchange, ruleOfStep(step, exchange));
      judgeOwnId(accepted, taskId, exchange, own);
    },
  );
  for (const taskId of accepted.keys()) await tasks.follow(taskId);
  return [...accepted.values()];
}

/** The rule that the refusal of a legal step breaks: that it needs no prompt, no URL, or any other. */
function ruleOfStep(step: LaterStep, exchange: Exchange): Rule {
  const { error } = (jsonOf(exchange) ?? {}) as { error?: { param?: unknown } };
  const aspect = 'step-accepted';
  if (error?.param === 'prompt') return { requirement: 'JRNY-019', aspect };
  return { requirement: /url|image/.test(String(error?.param)) ? 'JRNY-017' : rowOfStep[step], aspect };
}

/** The upstream has a job for each accepted step, all of which have ended, and none for a refused one. */
async function judgeJobs(scene: Scene, gridId: string, accepted: readonly Exchange[]): Promise<void> {
  const child = scene.child(gridId);
  const steps = await child.jobs(accepted.length);
  // A reroll may repeat the first step with the grid's prompt.
  const anew = (await scene.jobs()).filter(({ id }) => id !== gridId);
  await judgeOwnJobs(child, steps.length + anew.length, accepted, own);
}

function explicitImagine(body: Record<string, unknown>): StepCell {
  const rule = { requirement: 'JRNY-002', aspect: 'clean-either-way', verdict: 'either' } as const;
  return { ...rule, field: 'action', why: 'imagine by its name', body: { ...body, action: 'imagine' } };
}

async function judgeOpenStep(
  { cases, tasks, judge }: CheckParts,
  { requirement, aspect, why, body, field }: StepCell,
): Promise<void> {
  cases.count();
  const exchange = await tasks.submit({ ...body }, { label: why });
  const status = exchange.response?.status ?? 0;
  const isTaken = status >= 200 && status < 300;
  judge.note(`${isTaken ? 'accepts' : 'refuses'} ${why}`);
  const rule = { requirement, aspect };
  if (isTaken) tasks.accepted(exchange, rule);
  else judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: field, paramRule: requirement });
}
