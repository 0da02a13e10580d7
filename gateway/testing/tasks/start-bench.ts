import { afterEach, beforeEach } from 'vitest';
import { cut, type FakeUpstream, json, type Reply } from '../fake-upstream.ts';
import type { NativeJobs } from '../native-jobs.ts';
import { startTaskEnds, type TaskEnds } from '../task-ends.ts';

/** A gateway with two upstreams for its tasks, new for each test. */
export interface StartHarness {
  ends: TaskEnds;
  first: FakeUpstream;
  second: FakeUpstream;
}

/** Starts the harness before each test of the file, passes it to `onStart`, and ends it after the test. */
export function useStartHarness(onStart: (bench: StartHarness) => void): void {
  let ends: TaskEnds;
  beforeEach(async () => {
    ends = await startTaskEnds(2);
    const [first, second] = ends.upstreams;
    if (first === undefined || second === undefined) throw new Error('no upstreams');
    onStart({ ends, first, second });
  });
  afterEach(() => ends.close());
}

/** An error in the format of the jobs dialect. */
export const jobsError = (status: number, fields: object = {}, headers = {}): Reply =>
  json(status, { error: { message: 'RAW', param: null, code: null, ...fields } }, headers);

/** Makes the job, then cuts the connection. */
export const lost =
  (native: NativeJobs): Reply =>
  (response, request) => {
    native.make(request);
    void cut(response, request);
  };
