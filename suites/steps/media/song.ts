import type { Reply } from 'gatecheck-simulators/client';
import type { Fetched } from '../../engine/fetch-media.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { Tasks } from '../../engine/parts/tasks.ts';
import type { Scene } from '../../engine/scene.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import { type SongAction, type SongResult, songActions } from '../../oracle/media/fields.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { must, Untestable } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { describeMedia } from '../../wire/media.ts';
import { enabledModel, mediaInputsOf } from '../fields/media-inputs.ts';
import { mustSucceed } from './own-tasks.ts';

/** A task of song-v5 that has ended. */
export interface MadeSong {
  readonly action: SongAction;
  readonly taskId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly last: TaskRecord;
  readonly submitted: Exchange;
}

/** Actions that take a style or continue a song, so that a prompt has an effect. */
const promptTakers = ['extend', 'cover', 'add-vocals', 'mashup', 'replace', 'persona', 'upload-extend'];

/** The number of seconds by which `extend` continues a song. */
export const extendS = 30;

const whatIsMade: Readonly<Record<SongResult, string>> = {
  music: 'audio',
  words: 'timed lyrics in LRC',
  stems: 'two or more audio tracks',
  video: 'video',
  wav: 'a WAV file',
  cover: 'an image',
};

export function songAction(name: string): SongAction {
  const action = songActions.find((one) => one.name === name);
  if (action === undefined) throw new Error(`song-v5 has no action ${name}`);
  return action;
}

/**
 * The actions that the account may use, including generate. The specification does not show the bodies of the others, so the
 * profile declares them (reading B-84).
 */
export function usableActions(target: Target): readonly SongAction[] {
  const { actions } = target.profile.song;
  return songActions.filter(({ name }) => name === 'generate' || Object.hasOwn(actions, name));
}

/** The body of a first song. */
export function generateBody(parts: CheckParts, scene: Scene = parts.newScene()): Record<string, unknown> {
  return smallestBody(enabledModel(parts.target, 'song-v5'), mediaInputsOf(parts, scene), 'song');
}

/** The body of an action on one or two songs. */
export function actionBody(
  parts: CheckParts,
  { name }: SongAction,
  { scene, parents }: { readonly scene: Scene; readonly parents: readonly [string, string] },
): Record<string, unknown> {
  if (name === 'generate') return { ...generateBody(parts, scene), action: name };
  const declared = parts.target.profile.song.actions[name]?.body ?? {};
  const names = (word: string): boolean => JSON.stringify(declared).includes(word);
  const link = names('$AUDIO_URL') ? mediaInputsOf(parts, scene).link('audio', name) : '';
  const filled = fill(declared, { $TASK_1: parents[0], $TASK_2: parents[1], $AUDIO_URL: link });
  return {
    model: 'song-v5',
    action: name,
    ...(songAction(name).parent === 'one' && !names('$TASK_1') ? { parent_task_id: parents[0] } : {}),
    ...(promptTakers.includes(name) ? { prompt: scene.prompt('Slow, with a choir.') } : {}),
    ...(name === 'extend' ? { duration: extendS } : {}),
    ...filled,
  };
}

/** Submits an action, which must be accepted, and follows it to success. */
export async function makeSong(
  parts: CheckParts,
  action: SongAction,
  body: Readonly<Record<string, unknown>>,
): Promise<MadeSong> {
  const song = await followSong(parts, action, body);
  mustBeMade(song);
  return song;
}

/** Submits an action, which must be accepted, and follows it to its end. */
export async function followSong(
  { cases, tasks }: CheckParts,
  action: SongAction,
  body: Readonly<Record<string, unknown>>,
): Promise<MadeSong> {
  cases.count();
  const submitted = await tasks.submit({ ...body }, { label: action.name });
  const rule = { requirement: action.row, aspect: 'action-accepted' };
  const { taskId } = tasks.accepted(submitted, rule);
  const { last } = await tasks.follow(taskId);
  return { action, taskId, body, last, submitted };
}

export function mustBeMade({ action, last, submitted }: MadeSong): void {
  const expected = `SUCCESS of ${action.name}, which its upstream completes`;
  mustSucceed(last, { requirement: action.row, aspect: 'action-succeeds', expected }, submitted);
}

/** The body of an action on a new song, with this upstream answer for the action only. */
export async function scriptedAction(
  parts: CheckParts,
  action: SongAction,
  reply: Reply,
): Promise<Record<string, unknown>> {
  const [scene, child] = [parts.newScene(), parts.newScene()];
  const { taskId } = await parts.tasks.make(generateBody(parts, scene));
  // An upstream knows an action by its prompt, or, without one, by its parent.
  await child.script(reply);
  await scene.child((await scene.job()).id).script(reply);
  return actionBody(parts, action, { scene: child, parents: [taskId, taskId] });
}

/** Loads the results of an action, which must have the kind that the action makes. */
export async function judgeMade(tasks: Tasks, { action, last }: MadeSong): Promise<readonly Fetched[]> {
  const files = await tasks.results(last);
  must(isMade(action.makes, files), {
    requirement: action.row,
    aspect: 'makes',
    expected: `${action.name}: ${whatIsMade[action.makes]}`,
    actual: files.map(({ sniffed }) => describeMedia(sniffed)).join(', '),
    exchange: last.exchange,
  });
  return files;
}

/**
 * Actions other than generate that the account may use.
 * @throws Untestable when there is none.
 */
export function followUps(target: Target): readonly SongAction[] {
  const actions = usableActions(target).filter(({ parent }) => parent === 'one');
  if (actions.length === 0) throw new Untestable('song.actions');
  return actions;
}

function fill(
  body: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const text = Object.entries(values).reduce(
    (whole, [name, value]) => whole.replaceAll(`"${name}"`, () => JSON.stringify(value)),
    JSON.stringify(body),
  );
  return JSON.parse(text) as Record<string, unknown>;
}

function isMade(result: SongResult, files: readonly Fetched[]): boolean {
  const all = (kind: string): boolean =>
    files.length > 0 && files.every(({ sniffed }) => sniffed.kind === kind);
  switch (result) {
    case 'music':
      // An additional cover image beside the audio is allowed.
      return files.some(({ sniffed }) => sniffed.kind === 'audio');
    case 'words':
      return files.some(({ sniffed }) => sniffed.kind === 'text' && sniffed.format === 'lrc');
    case 'stems':
      return files.length >= 2 && all('audio');
    case 'video':
      return files.some(({ sniffed }) => sniffed.kind === 'video');
    case 'wav':
      return files.some(({ sniffed }) => sniffed.kind === 'audio' && sniffed.format === 'wav');
    case 'cover':
      return all('image');
  }
}
