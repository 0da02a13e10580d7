import type { Hono } from 'hono';
import type { Clock } from '../../clock.ts';
import type { ConsoleEvents, ConsoleLane, ScenarioPlan } from '../../control/console-shapes.ts';
import type { Scenario } from '../../control/scenario.ts';
import { loadScenarioByName, scenarioNames } from '../../scenario-files/load-scenario.ts';
import type { Tenant } from '../../state/tenant.ts';
import type { Tenants } from '../../state/tenants.ts';
import { ControlRefusal, tenantOf } from '../calls.ts';
import { openFeed } from './feed.ts';
import { loadPage } from './page-files.ts';

/** What it reads of the process. */
interface ConsoleContext {
  readonly tenants: Tenants;
  readonly clock: Clock;
  /** The same clock when it can be moved, else null. */
  readonly testClock: Clock | null;
  readonly realClock: Clock;
  /** Where deliveries of a gateway's events can be read, as JSON; null where nobody receives any. */
  readonly eventsUrl: string | null;
}

/** Streams that are open at once: each browser tab has one. */
const maxFeeds = 32;

/** The page of the console and what only it reads. The page itself is no secret; below `api` a token is asked for. */
export function addConsoleRoutes(app: Hono, context: ConsoleContext): void {
  const { tenants, realClock } = context;
  const { files, policy } = loadPage();
  app.get('/console', (c) => c.redirect('/console/'));
  app.get('/console/api/feed', (c) => {
    if (tenants.feed.listeners >= maxFeeds) throw new ControlRefusal(409, 'too many pages are open');
    return c.body(openFeed(tenants, realClock), 200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
  });
  app.get('/console/api/lanes', (c) => c.json({ lanes: tenants.all().map(({ name }) => name) }));
  app.get('/console/api/scenarios', async (c) => {
    const scenarios = await Promise.all(scenarioNames().map(loadScenarioByName));
    return c.json({ scenarios: scenarios.map(planOf) });
  });
  app.get('/console/api/events', async (c) =>
    c.json(context.eventsUrl === null ? { receiver: false, deliveries: [] } : await read(context.eventsUrl)),
  );
  app.get('/console/api/lanes/:lane', (c) => c.json(tenants.redacted(laneOf(context, tenantOf(c, tenants)))));
  app.get('/console/api/lanes/:lane/requests/:n', (c) => {
    const n = c.req.param('n');
    const entry = tenantOf(c, tenants).journal.entry(Number(n));
    if (entry === null) throw new ControlRefusal(404, `the journal holds no request ${n} any more`);
    return c.json(entry);
  });
  app.get('/console/*', (c) => {
    const file = files.get(c.req.path.slice('/console/'.length) || 'index.html');
    if (file === undefined) throw new ControlRefusal(404, `there is no ${c.req.path}`);
    return c.body(file.body, 200, {
      'content-type': file.type,
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });
}

function laneOf({ clock, testClock }: ConsoleContext, tenant: Tenant): ConsoleLane {
  const now = clock.now();
  const run = tenant.scenario;
  return {
    lane: tenant.name,
    now_ms: now,
    next_due_ms: clock.nextDue(),
    clock: testClock !== null,
    arms: tenant.arms.list(now),
    scenario: run === null ? null : { state: run.state(now), plan: planOf(run.scenario) },
    jobs: tenant.jobs.list(now),
  };
}

/** Who knows whether an event is rightly signed is no part of this process. */
async function read(url: string): Promise<ConsoleEvents> {
  const answer = await fetch(url).catch(() => null);
  if (answer?.status !== 200) throw new ControlRefusal(409, 'the receiver of events does not answer');
  return (await answer.json()) as ConsoleEvents;
}

/** What of a scenario can be drawn: its phases and outages over time. */
function planOf({ name, description, channels }: Scenario): ScenarioPlan {
  return {
    name,
    description: description ?? null,
    channels: Object.fromEntries(
      Object.entries(channels).map(([pattern, { phases, outages, loop }]) => [
        pattern,
        {
          ...(phases === undefined ? {} : { phases }),
          ...(outages === undefined ? {} : { outages }),
          ...(loop === undefined ? {} : { loop }),
        },
      ]),
    ),
  };
}
