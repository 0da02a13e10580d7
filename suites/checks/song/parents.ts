import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Target } from '../../engine/parts/target.ts';
import { absent } from '../../oracle/json-text.ts';
import { type SongAction, songActions } from '../../oracle/media/fields.ts';
import { unknownIdLike } from '../../oracle/media/task-answer.ts';
import { inTurns } from '../../steps/fields/in-turns.ts';
import { judgeAlike } from '../../steps/fields/judge-alike.ts';
import { judgeRefusedField } from '../../steps/fields/judge-cells.ts';
import { hasControl } from '../../steps/fields/media-inputs.ts';
import { judgeRefusedParent, oddParents } from '../../steps/media/odd-parents.ts';
import { judgeOwnId, judgeOwnJobs } from '../../steps/media/own-tasks.ts';
import {
  actionBody,
  followUps,
  generateBody,
  type MadeSong,
  makeSong,
  songAction,
  usableActions,
} from '../../steps/media/song.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { judgeWrongInputs, rowsOfInputs } from './wrong-inputs.ts';

const own = { shared: 'SONG-023', refused: 'SONG-008' } as const;

const oddNames = ['Generate', 'EXTEND', 'extend ', 'remix', 'add_vocals', 'coverimg', ''];
const oddActions = [...oddNames, 5, true, ['extend'], {}];
const wrongTypes = [5, true, {}, ['x']];

export const refused = defineCheck({
  id: 'song.steps.fields',
  title: 'action is one of fourteen exact names; follow-ups need a known parent and take legal inputs alone',
  requirements: ['SONG-005', 'SONG-006', 'SONG-023', 'SONG-024', ...rowsOfInputs],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, tasks, target, judge } = parts;
    const scene = newScene();
    const base = await makeSong(parts, songAction('generate'), generateBody(parts, scene));
    const job = hasControl(target) ? await scene.job() : null;
    const parents: [string, string] = [base.taskId, base.taskId];
    const needy = plainFollowUps(target);
    const cells = wrongOf(needy, unknownIdLike(base.taskId));
    await inTurns(target, cells, async (cell) => {
      cases.count();
      const { [cell.field]: _, ...legal } = actionBody(parts, cell.action, { scene: newScene(), parents });
      const body = cell.value === absent ? legal : { ...legal, [cell.field]: cell.value };
      const shown = cell.value === absent ? 'left out' : JSON.stringify(cell.value);
      const label = `${cell.action.name}, ${cell.field} ${shown}`;
      judgeRefused(judge, await tasks.submit(body, { label }), cell, base.submitted);
    });
    await judgeWrongInputs(parts, base, needy);
    const bare = needy.filter(({ name }) => name === 'wav' || name === 'stem');
    // Each twice: equal follow-ups are not merged (reading B-118).
    const accepted = await takeBare(parts, base, [...bare, ...bare]);
    if (job === null) return;
    // All of the accepted ones have ended.
    const child = scene.child(job.id);
    const { length } = await child.jobs(accepted.length);
    await judgeOwnJobs(child, length, accepted, own);
  },
});

export const foreign = defineCheck({
  id: 'song.parents.foreign',
  title: 'a song of another account is refused as a parent in the same words as an unknown id',
  requirements: ['SONG-006'],
  kind: 'example',
  needs: ['keys.K3', 'song.actions'],
  run: async (parts) => {
    const { accounts, cases, newScene, tasks, judge, target } = parts;
    const { taskId } = await makeSong(parts, songAction('generate'), generateBody(parts));
    const key = accounts.key('K3');
    for (const action of target.few(followUps(target))) {
      cases.count();
      const by = (id: string): Promise<Exchange> => {
        const body = actionBody(parts, action, { scene: newScene(), parents: [id, id] });
        return tasks.submit(body, { key, label: action.name });
      };
      const [strange, unknown] = [await by(taskId), await by(unknownIdLike(taskId))];
      const rule = { requirement: 'SONG-006', aspect: 'foreign-refused' };
      for (const exchange of [strange, unknown])
        judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
      judgeAlike(strange, unknown, { requirement: 'SONG-006', aspect: 'foreign-like-unknown' });
    }
    await judgeMashup(parts, taskId, key);
  },
});

export const kinds = defineCheck({
  id: 'song.parents.kind',
  title: 'a task of another model, or a song that failed, is refused as the parent of a song',
  requirements: ['SONG-006'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { cases, newScene, tasks, judge, target } = parts;
    const good = await makeSong(parts, songAction('generate'), generateBody(parts));
    const [action = songAction('extend')] = plainFollowUps(target);
    const of = (id: string): Record<string, unknown> =>
      actionBody(parts, action, { scene: newScene(), parents: [id, id] });
    for (const { what, taskId, aspect } of await oddParents(parts, 'song-v5')) {
      cases.count();
      const exchange = await tasks.submit(of(taskId), { label: `${action.name} of ${what}` });
      const rule = { requirement: 'SONG-006', aspect, twin: good.submitted };
      judgeRefusedParent(judge, exchange, 'parent_task_id', rule);
    }
    const exchange = await tasks.submit(of(good.taskId), { label: `${action.name} of a song` });
    tasks.accepted(exchange, { requirement: action.row, aspect: 'action-accepted' });
  },
});

/** Submits follow-ups with only a parent. Each ends as its own task, or is refused for its missing prompt. */
async function takeBare(
  { cases, tasks, judge }: CheckParts,
  base: MadeSong,
  actions: readonly SongAction[],
): Promise<readonly Exchange[]> {
  const accepted = new Map<string, Exchange>();
  for (const { name } of actions) {
    cases.count();
    const body = { model: 'song-v5', action: name, parent_task_id: base.taskId };
    const exchange = await tasks.submit(body, { label: `${name} without prompt` });
    const rule = { requirement: 'SONG-001', aspect: 'bare-as-read' };
    if (exchange.response?.status === 400) {
      judge.refused(exchange, { ...rule, codes: ['invalid_param'], param: 'prompt' });
      continue;
    }
    const { taskId } = tasks.accepted(exchange, rule);
    judgeOwnId(accepted, taskId, exchange, own);
    await tasks.follow(taskId);
  }
  return [...accepted.values()];
}

/** Neither of the two songs of a mashup may be another account's. */
async function judgeMashup(parts: CheckParts, foreignId: string, key: string): Promise<void> {
  const { cases, newScene, tasks, judge, target } = parts;
  const mashup = songAction('mashup');
  if (!JSON.stringify(target.profile.song.actions.mashup ?? {}).includes('$TASK_2')) return;
  const submitted = await tasks.submit(generateBody(parts), { key, label: 'a song of the other account' });
  if (submitted.response?.status === 404) {
    judge.note('the other account has no song-v5, so that no mashup has a song of each');
    return;
  }
  const { taskId: own } = tasks.accepted(submitted);
  await tasks.follow(own, { key });
  const by = (first: string, second: string): Promise<Exchange> => {
    cases.count();
    const body = actionBody(parts, mashup, { scene: newScene(), parents: [first, second] });
    return tasks.submit(body, { key, label: 'mashup of two accounts' });
  };
  const [none, codes] = [unknownIdLike(foreignId), ['invalid_param', 'task_not_found'] as const];
  for (const [strange, unknown] of [
    [await by(own, foreignId), await by(own, none)],
    [await by(foreignId, own), await by(none, own)],
  ] as const) {
    for (const exchange of [strange, unknown])
      judge.refused(exchange, { requirement: 'SONG-006', aspect: 'foreign-refused', codes });
    judgeAlike(strange, unknown, { requirement: 'SONG-006', aspect: 'foreign-like-unknown' });
  }
}

/** Actions that need one parent and no further inputs; usable ones where there are any. */
function plainFollowUps(target: Target): readonly SongAction[] {
  const usable = usableActions(target);
  const plain = songActions.filter(({ parent, inputs }) => parent === 'one' && inputs === 'plain');
  const known = plain.filter((action) => usable.includes(action));
  return known.length > 0 ? known : plain;
}

/** Field values that must be refused in an otherwise legal request. */
interface Wrong {
  readonly action: SongAction;
  readonly field: string;
  readonly value: unknown;
  readonly requirement: string;
  readonly aspect: string;
}

function wrongOf(needy: readonly SongAction[], unknownId: string): Wrong[] {
  const action = needy[0] ?? songAction('extend');
  const named = { requirement: 'SONG-005', field: 'action', action };
  const field = 'parent_task_id';
  const needed = { requirement: 'SONG-024', aspect: 'needs-parent', field };
  const unknown = { requirement: 'SONG-006', aspect: 'unknown-refused', field, value: unknownId };
  const typed = { requirement: 'SONG-006', aspect: 'type', field, action };
  return [
    ...oddActions.map((value) => ({
      ...named,
      aspect: typeof value === 'string' ? 'outside' : 'type',
      value,
    })),
    ...needy.flatMap((each) => [
      ...[absent, null].map((value) => ({ ...needed, action: each, value })),
      { ...unknown, action: each },
    ]),
    ...wrongTypes.map((value) => ({ ...typed, value })),
  ];
}

function judgeRefused(judge: Judge, exchange: Exchange, cell: Wrong, twin: Exchange): void {
  const { requirement, aspect } = cell;
  if (aspect === 'unknown-refused') {
    // An unknown parent may be answered as task_not_found (reading B-62).
    const rule = { requirement, aspect, codes: ['invalid_param', 'task_not_found'], twin } as const;
    if (judge.refused(exchange, rule).code === 'task_not_found') return;
  }
  judgeRefusedField(judge, exchange, cell, twin);
}
