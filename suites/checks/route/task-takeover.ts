import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { MediaRouteProfile } from '../../profile/profile.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { mustSucceed } from '../../steps/media/must-succeed.ts';

/** Failures after which no upstream starts a job. */
const causes = ['rate-limit', 'overloaded', 'server-error'] as const;

/** A task whose first channel fails before its job starts, on a model with a second channel. */
export const otherChannelStartsTheTask = defineCheck({
  id: 'route.task.other-channel',
  title: 'a task whose first channel starts no job runs once on another one and yields its results',
  requirements: ['ROUTE-016', 'ROUTE-007', 'TASK-018', 'TASK-019'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const routes = (parts.target.profile.upstream?.media_routes ?? []).filter(({ channels }) =>
      channels.every(({ dialect }) => dialect !== 'images'),
    );
    if (routes.length === 0) throw new Untestable('upstream.media_routes');
    await Promise.all(routes.map((route) => judgeRoute(parts, route)));
  },
});

async function judgeRoute(
  { cases, newScene, rng, tasks }: CheckParts,
  { model, channels }: MediaRouteProfile,
): Promise<void> {
  cases.count();
  const [first] = channels;
  const scene = newScene();
  const form = rng.pick(causes);
  await scene.scriptOn(first?.name ?? '', { fault: { id: 'J1', form } });
  const label = `${model}, whose first channel starts no job (${form})`;
  const submitted = await tasks.submit(scene.minimalMedia(model), { label });
  const { taskId } = tasks.accepted(submitted);
  const { last } = await tasks.follow(taskId, { label });
  const jobs = await scene.jobs(0);
  must(jobs.length <= 1, {
    requirement: 'ROUTE-007',
    aspect: 'one-job',
    expected: 'one job on one of the channels',
    actual: jobs.map(({ channel }) => channel).join(', '),
    exchange: last.exchange,
  });
  const expected = 'SUCCESS by the healthy channel';
  mustSucceed(last, { requirement: 'ROUTE-016', aspect: 'other-channel', expected }, submitted);
  await tasks.results(last);
}
