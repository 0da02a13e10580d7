import type { Hono } from 'hono';
import type { Clock } from '../clock.ts';
import type { JobState, JobsAnswer } from '../control/job-shapes.ts';
import { jobMoveSchema } from '../schemas/job-schema.ts';
import type { Tenants } from '../state/tenants.ts';
import { ControlRefusal, check, readJson, tenantOf } from './calls.ts';

/** Lists the jobs of a tenant's upstreams, and moves one by hand. */
export function addJobRoutes(app: Hono, { tenants, clock }: { tenants: Tenants; clock: Clock }): void {
  app.get('/lanes/:lane/jobs', (c) =>
    c.json<JobsAnswer>(tenants.redacted({ jobs: tenantOf(c, tenants).jobs.list(clock.now()) })),
  );
  app.post('/lanes/:lane/jobs/:id', async (c) => {
    const id = c.req.param('id');
    const move = check(jobMoveSchema, await readJson(c));
    const job = tenantOf(c, tenants).jobs.find(id);
    if (job === null) throw new ControlRefusal(404, `the lane has no job ${id}`);
    const refusal = job.move(move, clock.now());
    if (refusal !== null) throw new ControlRefusal(409, refusal);
    return c.json<JobState>(tenants.redacted(job.stateAt(clock.now())));
  });
}
