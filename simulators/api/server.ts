import { createHash, timingSafeEqual } from 'node:crypto';
import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import type { Clock, TestClock } from '../clock.ts';
import type { ClockAnswer, FaultsAnswer, HealthAnswer, JournalQuery } from '../control/protocol.ts';
import { allFaultFacts } from '../fault-contract/known-faults.ts';
import { foreignCaller } from '../http/foreign-caller.ts';
import type { OwnAddress } from '../http/own-address.ts';
import { parseScript } from '../schemas/script-schema.ts';
import { awaitJournal } from '../state/await-journal.ts';
import type { Tenants } from '../state/tenants.ts';
import { addArmRoutes } from './arm-routes.ts';
import { ControlRefusal, check, readJson, refuse, tenantOf } from './calls.ts';
import { addConsoleRoutes } from './console/routes.ts';
import { addJobRoutes } from './job-routes.ts';
import { addScenarioRoutes } from './scenario-routes.ts';
import { addTenantRuleRoutes } from './tenant-rule-routes.ts';

/** What the control API needs from the process. */
export interface ControlContext {
  readonly tenants: Tenants;
  /** The clock of the simulators. */
  readonly clock: Clock;
  /** The same clock when it can be moved, else null. */
  readonly testClock: TestClock | null;
  /** Real time, for long polls of the journal. */
  readonly realClock: Clock;
  readonly seed: number;
  /** What callers must know, and whether they are met by TLS. */
  readonly address: Pick<OwnAddress, 'token' | 'tls'>;
  /** What the page of the console has to send as a bearer token; null without a console. */
  readonly consoleToken: string | null;
  /** Where the console reads deliveries of events; null where nobody receives any. */
  readonly eventsUrl: string | null;
  /** Called with every defect of the simulators themselves. */
  readonly onDefect: (error: unknown) => void;
}

/** More than any script or recording needs. */
const maxBodyBytes = 64 * 1024 * 1024;

/** The control API as an HTTP server; not yet listening. */
export function createControlServer(context: ControlContext): Server {
  const limits = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 };
  const { fetch } = createControlApp(context);
  const { tls } = context.address;
  // Both are servers of node:http, or the same over TLS.
  if (tls === null) return createAdaptorServer({ fetch, serverOptions: limits }) as Server;
  return createAdaptorServer({
    fetch,
    createServer: createTlsServer,
    serverOptions: { ...limits, ...tls },
  }) as Server;
}

/** The routes without a socket, for tests. */
export function createControlApp(context: ControlContext): Hono {
  const app = new Hono();
  app.use((c, next) => {
    refuseStranger(c.req.path, c.req.header(), context);
    return next();
  });
  const tooLarge = { message: `a body has at most ${maxBodyBytes} bytes`, path: '' };
  app.use(bodyLimit({ maxSize: maxBodyBytes, onError: (c) => refuse(c, 413, tooLarge) }));
  app.get('/health', (c) =>
    c.json<HealthAnswer>({ ok: true, seed: context.seed, now_ms: context.clock.now() }),
  );
  app.get('/faults', (c) => c.json<FaultsAnswer>({ faults: [...allFaultFacts] }));
  addClockRoutes(app, context);
  addTenantRoutes(app, context);
  addArmRoutes(app, context);
  addScenarioRoutes(app, context);
  addTenantRuleRoutes(app, context);
  addJobRoutes(app, context);
  if (context.consoleToken !== null) addConsoleRoutes(app, context);
  app.notFound((c) => refuse(c, 404, { message: `there is no ${c.req.method} ${c.req.path}`, path: '' }));
  app.onError((error, c) => {
    if (error instanceof ControlRefusal) return refuse(c, error.status, error.reason);
    // A caller who disconnected before the end of the body gets no answer; this is no defect.
    if (c.req.raw.signal.aborted || hasLeft(error)) {
      return refuse(c, 400, { message: 'the body did not arrive whole', path: '' });
    }
    context.onDefect(error);
    return refuse(c, 500, { message: 'the simulators failed; see their standard error', path: '' });
  });
  return app;
}

/**
 * With a token, who knows it may call, under any name of this machine, and no page does. Without, pages are told by their
 * headers. The console's own page has a token of its own, and is of this machine in any case.
 */
function refuseStranger(path: string, headers: Record<string, string>, context: ControlContext): void {
  const { consoleToken, address } = context;
  const given = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const isConsole = consoleToken !== null && (isPage(path) || isSame(given, consoleToken));
  if (isConsole || address.token === null) {
    const reason = foreignCaller(headers);
    if (reason !== null) throw new ControlRefusal(403, reason);
    if (isConsole || !path.startsWith('/console/api/')) return;
    throw new ControlRefusal(401, 'the console wants its token: open the address that was printed');
  }
  if (!isSame(given, address.token))
    throw new ControlRefusal(401, 'the control API wants its token: Authorization: Bearer …');
}

/** The files of the console's page, which hold no secret. */
function isPage(path: string): boolean {
  return (path === '/console' || path.startsWith('/console/')) && !path.startsWith('/console/api/');
}

/** Takes as long whatever the difference is. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** The error that Node raises when the connection of a request is gone. */
function hasLeft(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

function addClockRoutes(app: Hono, { clock, testClock }: ControlContext): void {
  const read = (): ClockAnswer => ({ now_ms: clock.now(), next_due_ms: clock.nextDue() });
  app.get('/clock', (c) => c.json(read()));
  app.post('/clock', async (c) => {
    if (testClock === null)
      throw new ControlRefusal(409, 'the clock is the real one; start the simulators with --test-clock');
    const { advance_ms } = check(advanceSchema, await readJson(c));
    await testClock.advance(advance_ms);
    return c.json(read());
  });
}

function addTenantRoutes(app: Hono, { tenants, realClock }: ControlContext): void {
  app.post('/lanes/:lane/scripts', async (c) => {
    const parsed = parseScript(await readJson(c));
    if (!parsed.ok) throw new ControlRefusal(400, parsed.bad);
    const id = tenantOf(c, tenants).arm(parsed.script);
    if (id === null) throw new ControlRefusal(409, 'the lane holds as many scripts as it may; reset it');
    return c.json({ id });
  });
  app.delete('/lanes/:lane/scripts/:id', (c) => {
    const id = c.req.param('id');
    if (!tenantOf(c, tenants).disarm(id)) throw new ControlRefusal(404, `the lane has no script ${id}`);
    return c.json({ ok: true });
  });
  app.post('/lanes/:lane/release', async (c) => {
    const { request } = check(releaseSchema, await readJson(c));
    return c.json({ released: tenantOf(c, tenants).release(request) });
  });
  app.post('/lanes/:lane/reset', (c) => {
    tenantOf(c, tenants).reset();
    return c.json({ ok: true });
  });
  app.get('/lanes/:lane/journal', async (c) => {
    const query = check(journalQuerySchema, c.req.query());
    return c.json(await awaitJournal(tenantOf(c, tenants).journal, query, realClock, c.req.raw.signal));
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
  path: z.string().min(1).exactOptional(),
  body_bytes: queryCount.exactOptional(),
  requests: queryCount.exactOptional(),
  waiting: queryCount.exactOptional(),
  ended: queryCount.exactOptional(),
  timeout_ms: queryCount.refine((ms) => ms <= 600_000, 'at most 600000').exactOptional(),
});
