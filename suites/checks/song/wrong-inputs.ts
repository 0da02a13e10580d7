import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type MediaCell, mediaCells } from '../../generators/media-cells.ts';
import { absent } from '../../oracle/json-text.ts';
import type { SongAction } from '../../oracle/media/fields.ts';
import { inTurns } from '../../steps/fields/in-turns.ts';
import { chosenCells, judgeRefusedField } from '../../steps/fields/judge-cells.ts';
import { enabledModel, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import { actionBody, type MadeSong, songAction } from '../../steps/media/song.ts';

/** The rows about allowed and forbidden inputs of a follow-up. */
export const rowsOfInputs = [
  ...['SONG-001', 'SONG-002', 'SONG-003', 'SONG-004', 'SONG-007', 'SONG-008'],
  'TASK-005',
] as const;

/**
 * Inputs that the specification leaves to the deployment for some actions (reading B-84), and inputs that could stand for
 * them.
 */
const undecided = ['persona_id', 'audio_urls', 'parent_task_ids', 'audio_url', 'negative_prompt'];

/** Judges that follow-ups reject every input that a first song must reject. */
export async function judgeWrongInputs(
  parts: CheckParts,
  base: MadeSong,
  actions: readonly SongAction[],
): Promise<void> {
  const { cases, newScene, tasks, target, judge } = parts;
  const parents: [string, string] = [base.taskId, base.taskId];
  const song = enabledModel(target, 'song-v5');
  const all = mediaCells(song, mediaInputsOf(parts, newScene()));
  const cells = chosenCells(parts, all.filter(isWrongAnywhere));
  // An action may have limits of its own by mistake, so each meets every bound.
  const pairs = cells.flatMap((cell, place) =>
    (isBound(cell) ? actions : [actions[place % actions.length]]).map((action) => [cell, action] as const),
  );
  await inTurns(target, pairs, async ([cell, action = songAction('extend')]) => {
    cases.count();
    const legal = actionBody(parts, action, { scene: newScene(), parents });
    // An input that the deployment declares for this action is allowed.
    if (isStranger(cell) && Object.hasOwn(legal, cell.field)) return;
    // From entries, so that a field named __proto__ becomes an own member.
    const body = Object.fromEntries([...Object.entries(legal), [cell.field, cell.value] as const]);
    const exchange = await tasks.submit(body, { label: `${action.name}, ${cell.why}` });
    judgeRefusedField(judge, exchange, cell, base.submitted);
  });
}

function isWrongAnywhere({ verdict, aspect, value, field }: MediaCell): boolean {
  return verdict === 'refuse' && aspect !== 'required' && value !== absent && !undecided.includes(field);
}

function isBound({ core, aspect, field }: MediaCell): boolean {
  return core && aspect === 'outside' && field !== 'action';
}

function isStranger({ aspect }: MediaCell): boolean {
  return aspect === 'unknown-refused' || aspect === 'foreign-refused';
}
