import type { Hono } from 'hono';
import type { Clock } from '../clock.ts';
import type { JobState, JobsAnswer } from '../control/job-shapes.ts';
import { jobMoveSchema } from '../schemas/job-schema.ts';
import type { Lanes } from '../state/lanes.ts';
import { check, laneOf, Refusal, readJson } from './calls.ts';

/** The jobs of a lane's upstreams, and moving one by hand. */
export function addJobRoutes(app: Hono, { lanes, clock }: { lanes: Lanes; clock: Clock }): void {
  app.get('/lanes/:lane/jobs', (c) =>
    c.json<JobsAnswer>(lanes.redacted({ jobs: laneOf(c, lanes).jobs.list(clock.now()) })),
  );
  app.post('/lanes/:lane/jobs/:id', async (c) => {
    const id = c.req.param('id');
    const move = check(jobMoveSchema, await readJson(c));
    const job = laneOf(c, lanes).jobs.find(id);
    if (job === null) throw new Refusal(404, `the lane has no job ${id}`);
    const refusal = job.move(move, clock.now());
    if (refusal !== null) throw new Refusal(409, refusal);
    return c.json<JobState>(lanes.redacted(job.stateAt(clock.now())));
  });
}
