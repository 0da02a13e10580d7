import type { ConsoleEvents, ConsoleTenant, ScenarioPlan } from '../../control/console-shapes.ts';
import type { Scenario } from '../../control/scenario.ts';
import { loadScenarioByName, scenarioNames } from '../../files/load-scenario.ts';
import { type Call, ControlRefusal, type Route, tenantOf } from '../route.ts';
import { openFeed } from './feed.ts';
import { loadPage } from './page-files.ts';

/** The maximum number of open streams. Each browser tab has one. */
const maxFeeds = 32;

/** The page of the console and its API. The page itself is public; routes below `api` require a token. */
export function consoleRoutes(): readonly Route[] {
  const { files, policy } = loadPage();
  const get = (path: string, run: Route['run']): Route => ({
    method: 'GET',
    path,
    summary: 'The console.',
    run,
  });
  return [
    get('/console', () => new Response(null, { status: 302, headers: { location: '/console/' } })),
    get('/console/api/feed', ({ context: { tenants, realClock } }) => {
      if (tenants.feed.listeners >= maxFeeds) throw new ControlRefusal(409, 'too many pages are open');
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
      return new Response(openFeed(tenants, realClock), { headers });
    }),
    get('/console/api/scenarios', async () => {
      const scenarios = await Promise.all(scenarioNames().map(loadScenarioByName));
      return { scenarios: scenarios.map(planOf) };
    }),
    get('/console/api/events', ({ context: { eventsUrl } }) =>
      eventsUrl === null ? { receiver: false, deliveries: [] } : read(eventsUrl),
    ),
    get('/console/api/tenants/{tenant}', (call) => call.context.tenants.redacted(stateOf(call))),
    get('/console/api/tenants/{tenant}/requests/{n}', (call) => {
      const { n = '' } = call.params;
      const entry = tenantOf(call).journal.entry(Number(n));
      if (entry === null) throw new ControlRefusal(404, `the journal holds no request ${n} any more`);
      return entry;
    }),
    get('/console/*', ({ params: { rest = '' } }) => {
      const file = files.get(rest || 'index.html');
      if (file === undefined) throw new ControlRefusal(404, `there is no /console/${rest}`);
      const headers = {
        'content-type': file.type,
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      };
      return new Response(file.body, { headers });
    }),
  ];
}

function stateOf(call: Call): ConsoleTenant {
  const { clock, testClock } = call.context;
  const tenant = tenantOf(call);
  const now = clock.now();
  const run = tenant.scenario;
  return {
    tenant: tenant.name,
    now_ms: now,
    next_due_ms: clock.nextDue(),
    clock: testClock !== null,
    faults: tenant.faultRules.list(now),
    variants: tenant.settings.variants,
    scenario: run === null ? null : { state: run.state(now), plan: planOf(run.scenario) },
    jobs: tenant.jobs.list(now),
  };
}

/** Reads deliveries from the receiver. This process cannot verify their signatures. */
async function read(url: string): Promise<ConsoleEvents> {
  const answer = await fetch(url).catch(() => null);
  if (answer?.status !== 200) throw new ControlRefusal(409, 'the receiver of events does not answer');
  return (await answer.json()) as ConsoleEvents;
}

/** The parts of a scenario that the console draws: its phases and outages over time. */
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
