import { afterAll, inject, test } from 'vitest';
import { isRed } from '../../reports/verdict-words.ts';
import { openJobs } from './jobs.ts';
import type { Job } from './run-input.ts';
import { jobName } from './run-job.ts';

/**
 * The only place where checks meet the test runner. Each job becomes a concurrent test, and its result travels as
 * the test's meta. A job that does not conform fails its test, so that the runner's bail counts it.
 */
const input = inject('run');
const jobs = await openJobs(input);
/** A lane ends when its desk says so, ms. */
const laneLimitMs = 24 * 3_600_000;

afterAll(() => jobs.close());

if (input.desk === undefined) for (const job of input.jobs) declareJob(job);
else for (let lane = 1; lane <= input.desk.lanes; lane += 1) declareLane(input.desk.url, lane);

function declareJob(job: Job): void {
  test.concurrent(jobName(job), async ({ task, signal }) => {
    const result = await jobs.judge(job, signal);
    Object.assign(task.meta, jobs.told, { result });
    if (isRed(result.verdict)) throw new Error(result.failure?.actual ?? result.verdict);
  });
}

/** One test for all jobs that a desk gives to a lane. */
function declareLane(desk: string, lane: number): void {
  test.concurrent(`lane ${lane}`, ({ signal }) => jobs.judgeLane(desk, signal), laneLimitMs);
}

// The test runner begins it when all concurrent tests have ended.
if (input.judgeAgain === true)
  test('what was red, once more and alone', { timeout: 0 }, async ({ task, signal }) => {
    const again = await jobs.judgeRedAgain(signal);
    Object.assign(task.meta, jobs.told, { again });
  });
