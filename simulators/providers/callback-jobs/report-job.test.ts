import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { postGenerate } from '../../testing/post-media.ts';
import { useSimulators } from '../../testing/simulators.ts';

const simulators = useSimulators({ testClock: true });

interface Report {
  code: number;
  msg: string;
  data: { callbackType: string; taskId: string; reference: string; results: { kind: string }[] };
}

/** Takes reports and answers each with the next of the statuses, the last one from then on; null never answers. */
async function receiver(...statuses: (number | null)[]) {
  const reports: Report[] = [];
  const watchers = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const status = statuses.length > 1 ? statuses.shift() : statuses[0];
    reports.push(JSON.parse(Buffer.concat(chunks).toString()));
    if (typeof status === 'number') response.writeHead(status).end();
    for (const watcher of [...watchers]) watcher();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (reports.length < count) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  return { reports, until, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told` };
}

const song = { model: 'song-5-native', task: 'generate', reference: 'r-1', params: { prompt: 'slow' } };

async function begin(callback_url: string, job: object) {
  const lane = simulators.lane();
  await lane.script({ replies: [{ job }] });
  const answer = await postGenerate(simulators.base(lane.name, 'studio'), { ...song, callback_url });
  return { lane, taskId: answer.json<{ data: { taskId: string } }>().data.taskId };
}

it('tells when it runs and when it has ended, by the clock alone', async () => {
  const { reports, until, url } = await receiver(200);
  const { taskId } = await begin(url, { queued_ms: 60_000, running_ms: 120_000 });
  await simulators.control.advance(60_000);
  await until(1);
  await simulators.control.advance(60_000);
  await until(2);
  const results = [expect.objectContaining({ kind: 'audio', durationSec: 20 })];
  expect(reports).toEqual([
    { code: 200, msg: 'success', data: { callbackType: 'text', taskId, reference: 'r-1', results: [] } },
    { code: 200, msg: 'success', data: { callbackType: 'complete', taskId, reference: 'r-1', results } },
  ]);
});

it('tells what it was moved to by hand', async () => {
  const { reports, until, url } = await receiver(200);
  const { lane, taskId } = await begin(url, { hold: 'queued' });
  await lane.moveJob(taskId, { end: 'failed', error: { code: 'content_policy_violation', message: 'no' } });
  await until(1);
  expect(reports).toMatchObject([{ code: 413, msg: 'no', data: { callbackType: 'error', results: [] } }]);
});

it('tries three times where it is refused or kept waiting, and then gives up', async () => {
  const { reports, until, url } = await receiver(500, null, 500);
  const { lane, taskId } = await begin(url, { hold: 'queued' });
  await lane.moveJob(taskId, { end: 'success' });
  await until(1);
  // What is due next after the first try is the pause of five seconds, then the patience of fifteen, then a pause.
  for (let tried = 2; tried <= 3; tried += 1) {
    while (reports.length < tried) await simulators.control.advance(5000);
  }
  await simulators.control.advance(60_000);
  expect(reports.map(({ data }) => data.callbackType)).toEqual(['complete', 'complete', 'complete']);
});

it('tells nothing more of a lane that was reset', async () => {
  const { reports, url } = await receiver(200);
  const { lane } = await begin(url, { queued_ms: 60_000, running_ms: 60_000 });
  await lane.reset();
  await simulators.control.advance(200_000);
  expect(reports).toEqual([]);
});
