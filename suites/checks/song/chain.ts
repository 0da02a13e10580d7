import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { type UsageRecord, usageRecordsOf } from '../../engine/usage-record.ts';
import { unknownIdLike } from '../../oracle/media/task-answer.ts';
import { must } from '../../rules/violation.ts';
import {
  actionBody,
  followUps,
  generateBody,
  judgeMade,
  type MadeSong,
  makeSong,
  songAction,
} from '../../steps/media/song.ts';

const place = fc.nat({ max: 13 });

/** One command of a chain of songs. `of` picks the parent, `which` the action. */
type Command =
  | { readonly do: 'generate' }
  | { readonly do: 'follow'; readonly of: number; readonly which: number }
  | { readonly do: 'lost'; readonly of: number; readonly which: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Command>({ do: 'generate' }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('follow' as const), of: place, which: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lost' as const), of: place, which: place }) },
);

const everything: readonly Command[] = [
  { do: 'follow', of: 0, which: 0 },
  { do: 'follow', of: 1, which: 1 },
  { do: 'lost', of: 0, which: 0 },
  { do: 'follow', of: 0, which: 4 },
];

export const chains = defineCheck({
  id: 'song.chain.model',
  title: 'in any chain of songs each call is its own task and leaves its parent unchanged',
  requirements: ['SONG-023', 'SONG-027'],
  kind: 'property',
  needs: ['song.actions'],
  run: async (parts) => {
    await parts.cases.forAll(
      fc.array(command, { minLength: 1, maxLength: parts.cases.full ? 10 : 3 }),
      (commands) => playAll(parts, commands),
      { quick: 1, full: 25, examples: [everything] },
    );
  },
});

export const costs = defineCheck({
  id: 'song.chain.costs',
  title: "a song's cost is recorded with the tasks it builds on, from the first to its parent",
  requirements: ['SONG-025'],
  kind: 'example',
  needs: ['song.actions', 'hooks.usage'],
  run: async (parts) => {
    const { newScene, target } = parts;
    const base = await makeSong(parts, songAction('generate'), generateBody(parts));
    const links = [base];
    const music = followUps(target).find(({ makes, inputs }) => makes === 'music' && inputs === 'plain');
    const actions = [music ?? songAction('extend'), followUps(target).at(0) ?? songAction('extend')];
    for (const action of actions) {
      const parent = links.at(-1)?.taskId ?? base.taskId;
      const parents: [string, string] = [parent, base.taskId];
      links.push(await makeSong(parts, action, actionBody(parts, action, { scene: newScene(), parents })));
    }
    for (const [index, link] of links.entries())
      judgeLinks(link, links.slice(0, index), await recordOf(target, link));
  },
});

async function playAll(parts: CheckParts, commands: readonly Command[]): Promise<void> {
  const { newScene, tasks, target } = parts;
  const actions = followUps(target).filter(({ inputs }) => inputs === 'plain');
  const made: MadeSong[] = [await generate(parts)];
  /** Only songs that are music are sure to be valid parents. */
  const music = (of: number): MadeSong => {
    const songs = made.filter(({ action }) => action.makes === 'music');
    return songs[of % songs.length] as MadeSong;
  };
  const follow = async (of: number, which: number): Promise<MadeSong> => {
    const action = actions[which % actions.length] ?? songAction('extend');
    const { taskId } = music(of);
    const body = actionBody(parts, action, { scene: newScene(), parents: [taskId, taskId] });
    return makeSong(parts, action, body);
  };
  for (const each of commands) {
    if (each.do === 'lost') {
      await judgeLost(parts, music(each.of), actions[each.which % actions.length]?.name ?? 'extend');
      continue;
    }
    const song = each.do === 'generate' ? await generate(parts) : await follow(each.of, each.which);
    await judgeMade(tasks, song);
    judgeNew(made, song);
    made.push(song);
  }
  for (const { taskId } of made) {
    const again = await tasks.read(taskId, { label: 'the parent once more' });
    tasks.record(again, taskId, { requirement: 'SONG-023', aspect: 'parent-readable' });
  }
}

async function generate(parts: CheckParts): Promise<MadeSong> {
  const action = { ...songAction('generate'), row: 'SONG-027' };
  return makeSong(parts, action, generateBody(parts));
}

function judgeNew(made: readonly MadeSong[], song: MadeSong): void {
  const earlier = made.find(({ taskId }) => taskId === song.taskId);
  const rule = { requirement: 'SONG-023', aspect: 'own-id', exchange: song.submitted };
  const actual = `${song.taskId}, the id of an earlier call`;
  must(earlier === undefined, { ...rule, expected: 'a task_id of its own for each call', actual });
}

/** Judges that an action with an unknown parent is refused. */
async function judgeLost(
  { cases, tasks, judge }: CheckParts,
  { taskId }: MadeSong,
  action: string,
): Promise<void> {
  cases.count();
  const body = { model: 'song-v5', action, parent_task_id: unknownIdLike(taskId) };
  const exchange = await tasks.submit(body, { label: `${action} of nothing` });
  const rule = { requirement: 'SONG-006', aspect: 'unknown-refused' };
  judge.refused(exchange, { ...rule, codes: ['invalid_param', 'task_not_found'] });
}

/** The usage record of a song, which is written when its task ends. */
async function recordOf(target: Target, song: MadeSong): Promise<UsageRecord | undefined> {
  const records = await usageRecordsOf(song.submitted, target.profile);
  return records.find(({ task_id: id }) => id === song.taskId);
}

function judgeLinks(song: MadeSong, parents: readonly MadeSong[], record: UsageRecord | undefined): void {
  const own = { requirement: 'SONG-025', exchange: song.submitted, twin: parents.at(-1)?.submitted };
  const { name } = song.action;
  const named = { ...own, aspect: 'task-named', expected: `a usage record of ${name} with its task_id` };
  must(record !== undefined, { ...named, actual: 'none' });
  const ids = parents.map(({ taskId }) => taskId);
  const seen = record.parents ?? [];
  const expected = `${name} recorded with its ${ids.length} parents, the first one first`;
  const actual = `${seen.length}: ${JSON.stringify(seen).slice(0, 200)}`;
  const isSame = JSON.stringify(seen) === JSON.stringify(ids);
  must(isSame, { ...own, aspect: 'parents-named', expected, actual });
}
