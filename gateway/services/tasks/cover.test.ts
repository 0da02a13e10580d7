import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Admission, Hold } from '../../billing/ledger.ts';
import { json } from '../../testing/fake-upstream.ts';
import { type NativeJobs, playJobs } from '../../testing/native-jobs.ts';
import { file, mp4 } from '../../testing/native-media.ts';
import { startTaskEnds, type TaskEnds } from '../../testing/task-ends.ts';
import type { CheckStep } from './task-work.ts';

let ends: TaskEnds;
let native: NativeJobs;
let holds: Hold[];
beforeAll(async () => {
  const others = ['vidB2', 'vidA-3.1-quality', 'journey-v7', 'song-v5', 'voice-v3'];
  const prices = Object.fromEntries(others.map((id) => [id, { per_task: '0.1' }]));
  ends = await startTaskEnds(1, { prices: { ...prices, 'upscale-video': { per_second: '0.02' } } });
});
beforeEach(() => {
  ends.gateway.released.length = 0;
});
afterAll(() => ends.close());

/** Checks a finished job of this length; `admission` answers every hold after that of the submission. */
async function ended(seconds: number, admission: Admission): Promise<CheckStep> {
  const [upstream] = ends.upstreams;
  if (upstream === undefined) throw new Error('no upstream');
  upstream.fallback = json(500, {});
  native = playJobs(upstream);
  ends.gateway.onHold = async () => 'held';
  const task = await ends.submit('upscale-video');
  await ends.start(task);
  holds = [];
  ends.gateway.onHold = async (hold) => {
    holds.push(hold);
    return admission;
  };
  native.files.set('a.mp4', file(mp4));
  native.record = {
    status: 'completed',
    output: [{ url: `${upstream.url}/files/a.mp4`, duration_seconds: seconds }],
  };
  const step = await ends.check(task);
  if (step.kind === 'ended') await ends.work.settle(ends.now(task), step.ending, 5000);
  return step;
}

describe('a result that is longer than the seconds that its task holds', () => {
  it('is held as well, until it is charged', async () => {
    const step = await ended(3600, 'held');
    expect(step).toMatchObject({ kind: 'ended', ending: { status: 'SUCCESS', durationSec: 3600 } });
    // 3,000 seconds beyond the 600 of the first hold, at two cents.
    expect(holds.map(({ amount, overshoots }) => [amount, overshoots])).toEqual([[60n * 10n ** 12n, false]]);
    expect(ends.gateway.released).toEqual(holds.map(({ requestId }) => requestId));
    expect(ends.gateway.records.at(-1)).toMatchObject({ units: 3600, charge_pico: 72n * 10n ** 12n });
  });

  it('is not delivered if the credits do not cover it, and costs nothing', async () => {
    const before = ends.gateway.files.kept.size;
    const step = await ended(3600, 'no_cover');
    expect(step).toMatchObject({
      kind: 'ended',
      ending: { status: 'FAILED', error: { code: 'quota_exceeded' } },
    });
    expect(ends.gateway.files.kept.size).toBe(before);
    expect(ends.gateway.records.at(-1)).toMatchObject({ units: 0, charge_pico: 0n });
  });

  it('does not depend on the quota of tokens, which media do not use', async () => {
    await ended(601, 'held');
    expect(holds).toMatchObject([{ ofTask: expect.stringContaining('req_') }]);
  });
});

it('holds nothing more for a result of the usual length', async () => {
  expect(await ended(600, 'no_cover')).toMatchObject({ ending: { status: 'SUCCESS' } });
  expect(holds).toEqual([]);
});
