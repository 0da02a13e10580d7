import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Task } from '../gateway/services/tasks/task.ts';
import type { CheckStep } from '../gateway/services/tasks/task-work.ts';
import { pricedMedia } from '../gateway/testing/priced-media.ts';
import { startTestGateway, type TestGateway } from '../gateway/testing/test-gateway.ts';
import { startSimulators } from '../simulators/in-process/start-simulators.ts';
import { variantFacts } from '../simulators/variants/known-variants.ts';

const models: Readonly<Record<string, string>> = { jobs: 'vidB2', 'callback-jobs': 'song-v5' };

/** Runs the task to its end, and charges it. */
async function run({ work, tasks }: TestGateway, id: string): Promise<unknown> {
  const task = (): Task => {
    const found = tasks.all().find((one) => one.id === id);
    if (found === undefined) throw new Error(`no task ${id}`);
    return found;
  };
  const start = await work.start(task(), async () => {});
  if (start.kind !== 'started') return start;
  tasks.change(id, { channelId: start.channelId, nativeId: start.nativeId, status: 'RUNNING' });
  const seen = new Set<CheckStep['kind']>();
  for (;;) {
    const step = await work.check(task());
    seen.add(step.kind);
    if (step.kind === 'ended') {
      await work.settle(task(), step.ending, 1);
      return { seen: [...seen], ending: step.ending };
    }
    await setTimeout(10);
  }
}

const ofJobs = variantFacts.filter(({ dialect }) => dialect in models);

it.each(ofJobs)('$name: a job ends with its file, and its length is charged', async ({ name, dialect }) => {
  await using simulators = await startSimulators({ variants: [name] });
  const upstream = simulators.tenant();
  upstream.on({}, { job: { duration_s: 5 } });
  const gateway = await startTestGateway(pricedMedia(upstream.url));
  const submitted = await gateway.submit({ model: models[dialect], prompt: 'the sea' });
  const end = await run(gateway, submitted.json.task_id);
  await gateway.close();
  const results = [expect.anything()];
  expect(end).toEqual({
    seen: expect.not.arrayContaining(['unclear']),
    ending: { status: 'SUCCESS', results, durationSec: 5 },
  });
  expect(gateway.records.map(({ units, charge_pico }) => [units, charge_pico])).toEqual([
    [5, 500_000_000_000n],
  ]);
});

it.each(ofJobs)('$name: a job that fails costs nothing', async ({ name, dialect }) => {
  await using simulators = await startSimulators({ variants: [name] });
  const upstream = simulators.tenant();
  upstream.on({}, { job: { end: 'failed' } });
  const gateway = await startTestGateway(pricedMedia(upstream.url));
  const submitted = await gateway.submit({ model: models[dialect], prompt: 'the sea' });
  const end = await run(gateway, submitted.json.task_id);
  await gateway.close();
  expect(end).toMatchObject({ ending: { status: 'FAILED', error: { code: 'upstream_error' } } });
  expect(gateway.records.map(({ charge_pico }) => charge_pico)).toEqual([0n]);
});

it.each(variantFacts.filter(({ dialect }) => dialect === 'images'))(
  '$name: both images are answered and charged',
  async ({ name }) => {
    await using simulators = await startSimulators({ variants: [name] });
    const upstream = simulators.tenant();
    upstream.on({}, {});
    const gateway = await startTestGateway(pricedMedia(upstream.url));
    for (const response_format of ['url', 'b64_json']) {
      const body = { model: 'alpha-image-2', prompt: 'the sea', n: 2, response_format };
      const { status, json } = await gateway.images(body);
      expect({ status, count: json.data?.length }).toEqual({ status: 200, count: 2 });
    }
    await gateway.close();
    expect(gateway.records.map(({ units, charge_pico }) => [units, charge_pico])).toEqual([
      [2, 140_000_000_000n],
      [2, 140_000_000_000n],
    ]);
  },
);
