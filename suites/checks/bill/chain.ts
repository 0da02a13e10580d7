import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import { markupOf } from '../../engine/declared-price.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { usageRecordsOf } from '../../engine/usage-record.ts';
import { songActions } from '../../oracle/media/fields.ts';
import { dollarText, picoIn } from '../../oracle/money.ts';
import { flag, must, Untestable } from '../../rules/violation.ts';
import { actionBody, extendS, generateBody, songAction } from '../../steps/media/song.ts';
import { within } from '../../steps/money/compare-charges.ts';
import { judgeStepPrice, type PaidStep } from './step-price.ts';

const requirement = 'BILL-016';

/** A task of a chain, with its usage record. */
interface Link extends PaidStep {
  readonly taskId: string;
}

/** Further members of a later step's body. */
interface Step {
  readonly action: string;
  readonly index?: number;
}

const variation: Step = { action: 'variation', index: 2 };
const reroll: Step = { action: 'reroll' };
const upscale: Step = { action: 'upscale', index: 4 };

interface Chain {
  /** Each builds on the one before it. */
  readonly steps: readonly Step[];
  /** Steps that each start from the first task; a quick run uses some of them. */
  readonly branches: readonly Step[];
}

const chains: Readonly<Record<string, Chain>> = {
  'journey-v7': { steps: [variation, reroll, variation, upscale], branches: [variation, reroll, upscale] },
  'song-v5': {
    steps: [{ action: 'extend' }, { action: 'cover' }, { action: 'wav' }],
    branches: songActions
      .filter(({ parent, inputs }) => parent === 'one' && inputs === 'plain')
      .map(({ name }) => ({ action: name })),
  },
};

/** The model that takes an image task for its first image. */
const filmModel = 'vidA-3.1-quality';

/** Branches of a quick run. */
const fewBranches = 3;

/** One check for each model with steps: the record of each step names the first task of its chain. */
export const chainChecks: readonly Check[] = Object.entries(chains).map(([model, chain]) =>
  defineCheck({
    id: `bill.chain.${model}`,
    title: `each task of a ${model} chain costs what it made, and its record names its parents`,
    requirements: [requirement, 'BILL-003', 'BILL-001'],
    kind: 'example',
    needs: ['hooks.usage'],
    run: (parts) => judgeChain(parts, model, chain),
  }),
);

async function judgeChain(parts: CheckParts, model: string, { steps, branches }: Chain): Promise<void> {
  const { target, newScene, rng, cases } = parts;
  if (!target.mediaModels.includes(model)) throw new Untestable(`models.enabled with ${model}`);
  const first = await make(parts, newScene().minimalMedia(model), 'the first task');
  judgeLink(first, []);
  const chain: Link[] = [first];
  for (const step of usable(target, model, steps)) {
    const parent = chain.at(-1) ?? first;
    const link = await make(parts, { model, ...step, parent_task_id: parent.taskId }, step.action);
    judgeLink(link, chain);
    chain.push(link);
  }
  // Further branches start from the first task instead of the last.
  const drawn = rng.shuffle(usable(target, model, branches));
  // Always includes a step with several results that is charged once.
  const isSeveral = ({ action }: Step): boolean => action === 'stem';
  const several = drawn.filter(isSeveral);
  const others = drawn.filter((one) => !isSeveral(one));
  const few = [...others.slice(0, fewBranches - several.length), ...several];
  const forks = cases.full ? drawn : few;
  const [step] = forks;
  if (step === undefined) throw new Untestable('song.actions');
  for (const other of forks) {
    const body = { model, ...other, parent_task_id: first.taskId };
    const fork = await make(parts, body, `another branch, ${other.action}`);
    judgeLink(fork, [first]);
    if (other === step && parts.keys.K5 !== undefined)
      await judgeOtherApp(parts, parts.keys.K5, { model, fork, step: body });
  }
  if (model === 'song-v5') await judgeMashup(parts, chain.slice(0, 2));
  else await judgeFilm(parts, first);
}

/** A video that begins with an image of a grid is paid by its own length. */
async function judgeFilm(parts: CheckParts, { taskId }: Link): Promise<void> {
  if (!parts.target.mediaModels.includes(filmModel)) return;
  const body = { ...parts.newScene().minimalMedia(filmModel), image: { task_id: taskId } };
  await make(parts, body, 'a video of its image');
}

/** A step with the key of another app is billed to that app at its markup, also if another app began the chain. */
async function judgeOtherApp(
  parts: CheckParts,
  key: string,
  { model, fork, step }: { readonly model: string; readonly fork: Link; readonly step: object },
): Promise<void> {
  const own = await make(parts, parts.newScene().minimalMedia(model), 'a task of another app', key);
  const later = await make(parts, { model, ...step }, "a step with another app's key", key);
  const rule = { requirement: 'BILL-003', exchange: later.submitted, twin: fork.submitted };
  const [wanted, said] = [own.record.app_id ?? null, later.record.app_id ?? null];
  if (wanted === null)
    parts.judge.note('usage records name no app: whose a step is was judged by its charge');
  flag(said === wanted, { ...rule, aspect: 'step-of-own-app', expected: `app ${wanted}`, actual: `${said}` });
  const { pricing } = parts.target.profile;
  const [first, second] = [picoIn(fork.record.charge ?? ''), picoIn(later.record.charge ?? '')];
  if (first === null || second === null || pricing.markup_bp === undefined) return;
  if (fork.record.units !== later.record.units) return;
  const [one, other] = (['K1', 'K5'] as const).map(
    (name) => 10_000n + BigInt(markupOf({ pricing }, name, model)),
  );
  const [by1, by5] = [one ?? 0n, other ?? 0n];
  const off = second * by1 - first * by5;
  // Each of the two charges may be rounded to the unit.
  const most = (picoIn(pricing.unit) ?? 1n) * (by1 + by5);
  must(within(off, most), {
    ...rule,
    aspect: 'step-at-own-markup',
    expected: `${dollarText((first * by5) / (by1 === 0n ? 1n : by1))} by the markup of its own app`,
    actual: dollarText(second),
  });
}

function usable(target: Target, model: string, steps: readonly Step[]): readonly Step[] {
  if (model !== 'song-v5') return steps;
  return steps.filter(({ action }) => Object.hasOwn(target.profile.song.actions, action));
}

/** The record of a song of two names both of them and all that each was made from, in whichever order. */
async function judgeMashup(parts: CheckParts, branch: readonly Link[]): Promise<void> {
  const { mashup, extend } = parts.target.profile.song.actions;
  if (extend === undefined || !JSON.stringify(mashup?.body ?? {}).includes('$TASK_2')) return;
  const other = await make(parts, generateBody(parts), 'a song of its own');
  const longer = { model: 'song-v5', action: 'extend', parent_task_id: other.taskId, duration: extendS };
  const second = await make(parts, longer, 'a longer one');
  const parents = [branch.at(-1)?.taskId ?? '', second.taskId] as const;
  const body = actionBody(parts, songAction('mashup'), { scene: parts.newScene(), parents });
  const { submitted, record } = await make(parts, body, 'a song of two');
  const wanted = [...branch, other, second].map(({ taskId }) => taskId);
  const said = record.parents ?? [];
  must(isDeepStrictEqual([...said].sort(), [...wanted].sort()), {
    requirement,
    aspect: 'both-chains',
    expected: `${wanted.join(', ')}, in any order`,
    actual: said.join(', ') || 'nothing',
    exchange: submitted,
  });
}

/** Runs a task of a chain, and judges that it has one record and costs what it produced. */
async function make(
  parts: CheckParts,
  body: Record<string, unknown>,
  label: string,
  key?: string,
): Promise<Link> {
  const { cases, tasks, target } = parts;
  cases.count();
  const { taskId, submitted, last } = await tasks.make(body, {
    label,
    ...(key === undefined ? {} : { key }),
  });
  const records = await usageRecordsOf(submitted, target.profile);
  const [record] = records;
  must(record !== undefined && records.length === 1, {
    requirement,
    aspect: 'charged-once',
    expected: 'one usage record of the task',
    actual: `${records.length} records`,
    exchange: submitted,
  });
  const link: Link = { taskId, body, submitted, last, record, payer: key === undefined ? 'K1' : 'K5' };
  await judgeStepPrice(parts, link);
  return link;
}

function judgeLink({ taskId, submitted, record }: Link, chain: readonly Link[]): void {
  const own = { requirement, exchange: submitted };
  const expected = `the record of ${taskId}`;
  const actual = `task_id ${JSON.stringify(record.task_id ?? null)}`;
  flag(record.task_id === taskId, { ...own, aspect: 'names-its-task', expected, actual });
  const wanted = chain.map((link) => link.taskId);
  const said = record.parents ?? [];
  const isFirst = said[0] === wanted[0];
  flag(isFirst, {
    ...own,
    aspect: 'first-task-first',
    expected: wanted[0] === undefined ? 'no task before it' : `${wanted[0]} as the first of its chain`,
    actual: `${JSON.stringify(said[0] ?? null)}`,
  });
  flag(!isFirst || JSON.stringify(said) === JSON.stringify(wanted), {
    ...own,
    aspect: 'whole-chain',
    expected: JSON.stringify(wanted),
    actual: JSON.stringify(said),
  });
}
