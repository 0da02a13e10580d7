import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { numberedText } from '../../generators/numbered-text.ts';
import { followUpFault } from '../../oracle/media/follow-up.ts';
import type { MediaView } from '../../oracle/media/upstream-view.ts';
import { flag, must, part, Untestable } from '../../rules/violation.ts';
import { viewOf } from '../../steps/fields/arrivals.ts';
import {
  actionBody,
  generateBody,
  type MadeSong,
  makeSong,
  songAction,
  usableActions,
} from '../../steps/media/song.ts';

/** Actions that make music out of a song and a prompt, so that each can be the parent of the next. */
const links = ['extend', 'cover', 'add-vocals', 'extend', 'cover'];

/** The index of the song that each action builds on: usually the last song, once a branch. */
const builtOn = [0, 1, 2, 1, 4];

/** A song with its job at the upstream. */
interface Link {
  readonly song: MadeSong;
  readonly nativeId: string;
}

export const deepChains: Check = defineCheck({
  id: 'song.chain.exact-parent',
  title: 'at any depth of a chain the upstream gets the parent that was named last, and the inputs whole',
  requirements: ['SONG-028', 'SONG-015'],
  kind: 'upstream',
  needs: ['song.actions', 'upstream.control'],
  run: async (parts) => {
    const usable = usableActions(parts.target).map(({ name }) => name);
    const missing = links.filter((name) => !usable.includes(name));
    if (missing.length > 0) throw new Untestable(`song.actions with ${missing.join(', ')}`);
    const made: Link[] = [await firstOf(parts)];
    for (const [at, name] of links.entries())
      made.push(await nextOf(parts, name, made[builtOn[at] ?? 0] as Link));
    if (!JSON.stringify(parts.target.profile.song.actions.mashup ?? {}).includes('$TASK_2')) return;
    // Songs of one chain, near and far: neither loses its place to the other.
    for (const [one, other] of [
      [0, 2],
      [2, 1],
      [5, 4],
    ] as const)
      await part(() => mashUp(parts, [made[one] as Link, made[other] as Link]));
  },
});

/** A mashup of two songs, of which one goes back to the other, has both as its parents in the order named. */
async function mashUp(parts: CheckParts, of: readonly [Link, Link]): Promise<void> {
  const scene = parts.newScene();
  const action = songAction('mashup');
  const [one, other] = of.map(({ song }) => song.taskId) as [string, string];
  const song = await makeSong(parts, action, actionBody(parts, action, { scene, parents: [one, other] }));
  const wanted = of.map(({ nativeId }) => nativeId).join(', ');
  const seen = (await viewIn(scene))?.parents.join(', ') ?? 'no request with its prompt';
  const expected = `mashup of ${wanted}, in the order named`;
  must(seen === wanted, { ...rule(song, 'parent-forwarded', action.row), expected, actual: seen });
}

async function firstOf(parts: CheckParts): Promise<Link> {
  const scene = parts.newScene();
  const lyrics = numberedText(parts.rng, 2_500);
  const song = await makeSong(parts, songAction('generate'), { ...generateBody(parts, scene), lyrics });
  const view = await viewIn(scene);
  const fault = followUpFault(song.body, {}, view);
  flag(fault === null, { ...rule(song, 'inputs-arrive', 'SONG-028'), expected: '', actual: '', ...fault });
  return { song, nativeId: (await scene.job()).id };
}

async function nextOf(parts: CheckParts, name: string, parent: Link): Promise<Link> {
  const scene = parts.newScene();
  const prompt = `${numberedText(parts.rng, 1_500)} ${scene.prompt('With a choir.')}`;
  const seconds = name === 'extend' ? { duration: 30 + parts.rng.int(211) } : {};
  const song = await makeSong(parts, songAction(name), {
    ...{ model: 'song-v5', action: name, parent_task_id: parent.song.taskId, prompt },
    ...seconds,
  });
  const view = await viewIn(scene);
  const fault = followUpFault(song.body, parent.song.body, view);
  const whole = { ...rule(song, 'inputs-arrive', 'SONG-028'), expected: '', actual: '', ...fault };
  must(view !== null, whole);
  const parents = view?.parents ?? [];
  must(parents.length === 1 && parents[0] === parent.nativeId, {
    ...rule(song, 'exact-parent', 'SONG-028'),
    expected: `${name} of ${parent.nativeId}, which was named`,
    actual: parents.join(', ') || 'no parent',
    twin: parent.song.submitted,
  });
  flag(fault === null, whole);
  return { song, nativeId: (await scene.job()).id };
}

async function viewIn(scene: Scene): Promise<MediaView | null> {
  const [request] = await scene.requestsNow();
  return request === undefined ? null : viewOf(request, 'song-v5');
}

function rule({ submitted }: MadeSong, aspect: string, requirement: string) {
  return { requirement, aspect, exchange: submitted };
}
