import { defineCheck } from '../../engine/check.ts';
import type { Scene } from '../../engine/scene.ts';
import { type SongAction, songActions } from '../../oracle/media/fields.ts';
import type { Rule } from '../../oracle/media/rules.ts';
import { actionInputs, type MediaView } from '../../oracle/media/upstream-view.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { judgeArrivals, type RuleOfArrival, textRule, viewOf } from '../../steps/fields/arrivals.ts';
import { enabledModel, hasControl } from '../../steps/fields/media-inputs.ts';
import {
  actionBody,
  extendS,
  generateBody,
  judgeMade,
  type MadeSong,
  makeSong,
  songAction,
  usableActions,
} from '../../steps/media/song.ts';
import type { Exchange } from '../../wire/exchange.ts';

const ruleOf: RuleOfArrival = (_, fault): Rule =>
  textRule(fault, 'AUD-016') ?? {
    requirement: 'SONG-009',
    aspect: fault.sent ? 'forwarded' : 'default-sent',
  };

export const made = defineCheck({
  id: 'song.actions.made',
  title: 'each of the fourteen actions reaches the upstream by its name and makes what it promises',
  requirements: ['SONG-009', ...songActions.slice(1).map(({ row }) => row), 'SONG-027'],
  kind: 'example',
  needs: ['song.actions'],
  run: async (parts) => {
    const { newScene, target, tasks } = parts;
    const usable = usableActions(target);
    const missing = songActions.filter((action) => !usable.includes(action)).map(({ name }) => name);
    const [scene, spare] = [newScene(), newScene()];
    const generate = songAction('generate');
    const [base, second] = await Promise.all([
      makeSong(parts, generate, generateBody(parts, scene)),
      makeSong(parts, generate, generateBody(parts, spare)),
    ]);
    await judgeMade(tasks, base);
    const parents: [string, string] = [base.taskId, second.taskId];
    const own = newScene();
    const songs = await Promise.all(
      usable.map((action) => makeSong(parts, action, actionBody(parts, action, { scene: own, parents }))),
    );
    for (const song of songs) await judgeMade(tasks, song);
    if (tasks.showsLength) judgeLonger(base, songs);
    if (hasControl(target)) await judgeNames({ base, songs, scene, spare, own });
    if (missing.length > 0) throw new Untestable(`song.actions with ${missing.join(', ')}`);
  },
});

export const values = defineCheck({
  id: 'song.upstream.values',
  title: 'prompt, lyrics, instrumental and duration reach the upstream as sent or as defaults',
  requirements: ['SONG-009', 'AUD-016'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: (parts) => judgeArrivals(parts, [enabledModel(parts.target, 'song-v5')], ruleOf),
});

export const together = defineCheck({
  id: 'song.follow-up.together',
  title: 'a follow-up takes action, parent_task_id, duration and prompt together',
  requirements: ['SONG-026'],
  kind: 'example',
  needs: ['song.actions'],
  run: async (parts) => {
    const { target, cases, newScene, tasks } = parts;
    const base = await makeSong(parts, songAction('generate'), generateBody(parts));
    const names = ['extend', 'cover'].filter((name) => Object.hasOwn(target.profile.song.actions, name));
    if (names.length === 0) throw new Untestable('song.actions with extend or cover');
    for (const action of names) {
      for (const duration of [30, 240]) {
        cases.count();
        const prompt = newScene().prompt();
        const body = { model: 'song-v5', action, parent_task_id: base.taskId, duration, prompt };
        const exchange = await tasks.submit(body, { label: `${action}, all four` });
        tasks.accepted(exchange, { requirement: 'SONG-026', aspect: 'all-four-accepted' });
      }
    }
  },
});

/** An extended song is longer than its parent by the requested seconds, if both show a length (reading B-70). */
function judgeLonger(base: MadeSong, songs: readonly MadeSong[]): void {
  const extended = songs.find(({ action }) => action.name === 'extend');
  const [before, after] = [base.last.durationSec, extended?.last.durationSec ?? null];
  if (extended === undefined || before === null || after === null) return;
  const evidence = { exchange: extended.last.exchange, twin: base.last.exchange };
  const rule = { requirement: 'SONG-010', aspect: 'lengthened', ...evidence };
  const expected = `${before} s of the parent and ${extendS} s`;
  must(after === before + extendS, { ...rule, expected, actual: `${after} s` });
}

interface Arranged {
  readonly base: MadeSong;
  readonly songs: readonly MadeSong[];
  /** The scenes of the two parents, and that of the actions. */
  readonly scene: Scene;
  readonly spare: Scene;
  readonly own: Scene;
}

/** Every action reaches the upstream by its name, with the jobs of its parents. */
async function judgeNames({ base, songs, scene, spare, own }: Arranged): Promise<void> {
  const [first, second] = [await scene.job(), await spare.job()];
  judgeOne(songAction('generate'), await viewsOf(scene), [], base.submitted);
  const views = [...(await viewsOf(own)), ...(await viewsOf(scene.child(first.id)))];
  for (const { action, submitted, body } of songs) {
    const one = action.parent === 'one' ? [first.id] : [];
    const parents = action.name === 'mashup' ? [first.id, second.id] : one;
    judgeOne(action, views, parents, submitted);
    judgeInputs(action, views, body, submitted);
  }
}

/** Judges that an action's own inputs reach the upstream unchanged. */
function judgeInputs(
  { name, row }: SongAction,
  views: readonly MediaView[],
  body: MadeSong['body'],
  exchange: Exchange,
): void {
  const view = views.find(({ action }) => action === name);
  // Inputs that a deployment declares under other names cannot be recognized at the upstream (reading B-84).
  for (const field of actionInputs.filter((one) => body[one] !== undefined)) {
    const [sent, seen] = [JSON.stringify(body[field]), JSON.stringify(view?.fields[field])];
    const rule = { requirement: row, aspect: 'inputs-forwarded', exchange };
    must(sent === seen, { ...rule, expected: `${name}: ${field} ${sent}`, actual: seen ?? 'nothing' });
  }
}

async function viewsOf(scene: Scene): Promise<MediaView[]> {
  const requests = await scene.requestsNow();
  return requests.flatMap((request) => viewOf(request, 'song-v5') ?? []);
}

function judgeOne(
  { name, row }: SongAction,
  views: readonly MediaView[],
  parents: readonly string[],
  exchange: Exchange,
): void {
  const view = views.find(({ action }) => action === name);
  const listed = (ids: readonly unknown[]): string => ids.join(', ') || 'nothing';
  const forwarded = { requirement: row, aspect: 'action-forwarded', exchange };
  const actual = listed(views.map(({ action }) => action));
  must(view !== undefined, { ...forwarded, expected: `${name} at the upstream`, actual });
  const rule = { requirement: row, aspect: 'parent-forwarded', exchange };
  const isSame = JSON.stringify(view.parents) === JSON.stringify(parents);
  must(isSame, { ...rule, expected: `${name} of ${listed(parents)}`, actual: listed(view.parents) });
}
