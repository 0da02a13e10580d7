import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { shown } from '../../steps/chat/upstream-view.ts';
import {
  actionBody,
  followSong,
  generateBody,
  makeSong,
  mustBeMade,
  songAction,
  usableActions,
} from '../../steps/media/song.ts';

const refused = { fault: { id: 'J1', form: 'server-error' } } as const;

/** An upstream knows its own jobs only, so another one cannot continue them. */
export const parentsChannel: Check = defineCheck({
  id: 'song.chain.parents-channel',
  title: 'a follow-up goes to the channel that made its parent, whichever is preferred or works just now',
  requirements: ['SONG-024'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { upstream } = parts.target.profile;
    const route = upstream?.media_routes.find(({ model }) => model === 'song-v5');
    if (route === undefined) throw new Untestable('upstream.media_routes with song-v5');
    const [first] = route.channels.map(({ name }) => name);
    // A parent that the spare channel made, while the preferred one works again.
    const moved = parts.newScene();
    await moved.scriptOn(first ?? '', refused);
    const madeElsewhere = await parentIn(parts, moved);
    // Whether a task may move to another channel is open (ROUTE-016).
    if (madeElsewhere === null) parts.judge.note(`no other channel than ${first} was asked for a song`);
    else
      await judgeFollowUp(
        parts,
        { scene: moved, taskId: madeElsewhere, what: 'whose parent the other channel made' },
        async () => undefined,
      );
    // A parent whose channel refuses the follow-up once.
    const scene = parts.newScene();
    const song = await makeSong(parts, songAction('generate'), generateBody(parts, scene));
    await judgeFollowUp(
      parts,
      { scene, taskId: song.taskId, what: 'whose channel refuses it once' },
      (child, channel) => child.scriptOn(channel, refused),
    );
  },
});

/** A song of this scene; null when the gateway gave it up after its preferred channel failed. */
async function parentIn(parts: CheckParts, scene: Scene): Promise<string | null> {
  const song = await followSong(parts, songAction('generate'), generateBody(parts, scene));
  const channels = new Set((await scene.requestsNow()).map(({ entry }) => entry.channel));
  if (song.last.status !== 'SUCCESS' && channels.size === 1) return null;
  mustBeMade(song);
  return song.taskId;
}

/** A song, and what distinguishes its follow-up. */
interface Parent {
  readonly scene: Scene;
  readonly taskId: string;
  readonly what: string;
}

async function judgeFollowUp(
  parts: CheckParts,
  { scene, taskId: parentId, what }: Parent,
  arrange: (child: Scene, channel: string) => Promise<void>,
): Promise<void> {
  const { cases, newScene, tasks, target } = parts;
  const action = usableActions(target).find(({ name }) => name === 'extend');
  if (action === undefined) throw new Untestable('song.actions with extend');
  cases.count();
  const job = await scene.job();
  const child = newScene();
  await arrange(child, job.channel);
  const body = actionBody(parts, action, { scene: child, parents: [parentId, parentId] });
  const exchange = await tasks.submit(body, { label: `a follow-up ${what}` });
  await tasks.follow(tasks.accepted(exchange).taskId);
  for (const request of await child.requestsNow()) {
    const { channel } = request.entry;
    must(channel === job.channel, {
      requirement: 'SONG-024',
      aspect: 'parents-channel',
      expected: `the follow-up at ${job.channel}, which knows its parent`,
      actual: `at ${channel}`,
      exchange,
      upstream: shown(request),
    });
  }
}
