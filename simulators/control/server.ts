import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Clock, TestClock } from '../clock.ts';
import { awaitJournal } from './await-journal.ts';
import type { Lane } from './lane.ts';
import { isLaneName, type Lanes } from './lanes.ts';
import type { ClockAnswer, ControlErrorBody, HealthAnswer, JournalQuery } from './protocol.ts';
import { type BadScript, describeIssue, parseScript } from './script.ts';

/** What the control side needs from the process. */
export interface ControlContext {
  readonly lanes: Lanes;
  /** The clock that replies are paced by. */
  readonly clock: Clock;
  /** The same clock when it may be moved, else null. */
  readonly testClock: TestClock | null;
  /** Real time, for those who wait for the journal. */
  readonly realClock: Clock;
  readonly seed: number;
  /** Told of a defect of the simulators themselves. */
  readonly onDefect: (error: unknown) => void;
}

/** The control API as an HTTP server; not yet listening. */
export function createControlServer(context: ControlContext): Server {
  const serverOptions = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 };
  // Without a custom createServer this is always a server of node:http.
  return createAdaptorServer({ fetch: createControlApp(context).fetch, serverOptions }) as Server;
}

/** The routes alone, which answer without a socket. */
export function createControlApp(context: ControlContext): Hono {
  const app = new Hono();
  app.get('/health', (c) =>
    c.json<HealthAnswer>({ ok: true, seed: context.seed, now_ms: context.clock.now() }),
  );
  addClockRoutes(app, context);
  addLaneRoutes(app, context);
  app.notFound((c) => refuse(c, 404, { message: `there is no ${c.req.method} ${c.req.path}`, path: '' }));
  app.onError((error, c) => {
    if (error instanceof Refusal) return refuse(c, error.status, error.reason);
    context.onDefect(error);
    return refuse(c, 500, { message: 'the simulators failed; see their standard error', path: '' });
  });
  return app;
}

function addClockRoutes(app: Hono, { clock, testClock }: ControlContext): void {
  const read = (): ClockAnswer => ({ now_ms: clock.now(), next_due_ms: clock.nextDue() });
  app.get('/clock', (c) => c.json(read()));
  app.post('/clock', async (c) => {
    if (testClock === null)
      throw new Refusal(409, 'the clock is the real one; start the simulators with --test-clock');
    const { advance_ms } = check(advanceSchema, await readJson(c));
    await testClock.advance(advance_ms);
    return c.json(read());
  });
}

function addLaneRoutes(app: Hono, { lanes, realClock }: ControlContext): void {
  app.post('/lanes/:lane/scripts', async (c) => {
    const parsed = parseScript(await readJson(c));
    if (!parsed.ok) throw new Refusal(400, parsed.bad);
    const id = laneOf(c, lanes).arm(parsed.script);
    if (id === null) throw new Refusal(409, 'the lane holds as many scripts as it may; reset it');
    return c.json({ id });
  });
  app.delete('/lanes/:lane/scripts/:id', (c) => {
    const id = c.req.param('id');
    if (!laneOf(c, lanes).disarm(id)) throw new Refusal(404, `the lane has no script ${id}`);
    return c.json({ ok: true });
  });
  app.post('/lanes/:lane/release', async (c) => {
    const { request } = check(releaseSchema, await readJson(c));
    return c.json({ released: laneOf(c, lanes).release(request) });
  });
  app.post('/lanes/:lane/reset', (c) => {
    laneOf(c, lanes).reset();
    return c.json({ ok: true });
  });
  app.get('/lanes/:lane/journal', async (c) => {
    const query = check(journalQuerySchema, c.req.query());
    return c.json(await awaitJournal(laneOf(c, lanes).journal, query, realClock, c.req.raw.signal));
  });
}

const advanceSchema = z.strictObject({ advance_ms: z.number().nonnegative().max(1e12) });
const releaseSchema = z.strictObject({ request: z.int().min(1).exactOptional() });

const queryCount = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number);

const journalQuerySchema: z.ZodType<JournalQuery> = z.strictObject({
  after: queryCount.exactOptional(),
  marker: z.string().min(1).exactOptional(),
  requests: queryCount.exactOptional(),
  waiting: queryCount.exactOptional(),
  ended: queryCount.exactOptional(),
  timeout_ms: queryCount.refine((ms) => ms <= 600_000, 'at most 600000').exactOptional(),
});

/** A call that is answered with an error; thrown by the routes, caught in one place. */
class Refusal extends Error {
  readonly status: 400 | 404 | 409 | 500;
  readonly reason: BadScript;

  constructor(status: 400 | 404 | 409, reason: BadScript | string) {
    super(typeof reason === 'string' ? reason : reason.message);
    this.status = status;
    this.reason = typeof reason === 'string' ? { message: reason, path: '' } : reason;
  }
}

function refuse(c: Context, status: Refusal['status'], { message, path }: BadScript): Response {
  const body: ControlErrorBody = { error: path === '' ? { message } : { message, path } };
  return c.json(body, status);
}

function laneOf(c: Context, lanes: Lanes): Lane {
  const name = c.req.param('lane') ?? '';
  if (!isLaneName(name)) throw new Refusal(400, `"${name}" cannot be the name of a lane`);
  const lane = lanes.find(name);
  if (lane === null) throw new Refusal(409, 'there are too many lanes');
  return lane;
}

/** The body as JSON; an empty one is an empty object, so that a call without arguments needs none. */
async function readJson(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'the body is not JSON');
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Refusal(400, describeIssue(parsed.error));
  return parsed.data;
}
