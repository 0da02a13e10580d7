import { defineCheck } from '../../engine/check.ts';
import type { Cases } from '../../engine/parts/cases.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { readCaller } from '../../oracle/native/read.ts';
import { type ForwardedField, fieldFault } from '../../oracle/native/same-fields.ts';
import { turnFault } from '../../oracle/native/same-turns.ts';
import { must } from '../../rules/violation.ts';
import { type NativeRequest, readRequest, shown } from '../../steps/chat/upstream-view.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';
import type { Exchange } from '../../wire/exchange.ts';

const fields: readonly ForwardedField[] = ['temperature', 'max_tokens', 'stop', 'tools', 'tool_choice'];

const good = { text: 'All of it was understood.' };

interface Seen {
  readonly body: JsonObject;
  readonly exchange: Exchange;
  readonly requests: readonly NativeRequest[];
}

export const retriesAreWhole = defineCheck({
  id: 'route.takeover.whole-request',
  title: 'the channel that takes over a call gets the same request: every turn, field and tool',
  requirements: ['ROUTE-002'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async ({ tenants, target, cases }) => {
    const budgets = breakerBudgetsOf(tenants, [...routesOf(target, 'pair'), ...routesOf(target, 'trio')]);
    for (const budget of budgets) {
      for (const stream of [false, true]) {
        const seen = await askAll(cases, budget, stream);
        const first = seen.requests[0]?.entry.channel;
        judgeAll(budget, seen, 'ROUTE-002', (channel) => channel !== first);
      }
    }
  },
});

export const fallbackIsWhole = defineCheck({
  id: 'route.fallback.whole-request',
  title: 'the declared fallback gets the same request: every turn, field and tool, and stream',
  requirements: ['ROUTE-003', 'RESP-005'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback'],
  run: async ({ tenants, target, cases }) => {
    for (const budget of breakerBudgetsOf(tenants, routesOf(target, 'fallback'))) {
      const own = new Set(budget.channels.map(({ name }) => name));
      for (const stream of [false, true]) {
        const seen = await askAll(cases, budget, stream);
        judgeAll(budget, seen, 'RESP-005', (channel) => !own.has(channel));
      }
    }
  },
});

/** Makes one call with everything that a request can contain; its first channel fails. */
async function askAll(cases: Cases, budget: BreakerBudget, stream: boolean): Promise<Seen> {
  cases.count();
  const { tenant, model, channels, fallback } = budget;
  const scene = tenant.newScene();
  if (fallback === null) await scene.script(serverFault, good);
  else {
    await scene.script(good);
    for (const { name } of channels) await scene.scriptOn(name, serverFault);
  }
  const body = { ...wholeRequest(scene, model), ...(stream ? { stream } : {}) };
  const label = `${model}, whose first channel fails, a request with everything${stream ? ', stream' : ''}`;
  const exchange = await tenant.http.chat(body, { label });
  return { body, exchange, requests: (await scene.requestsNow()).map(readRequest) };
}

function wholeRequest(scene: Scene, model: string): JsonObject {
  const call = { name: 'tide_table', arguments: '{"port":"Cuxhaven"}' };
  return {
    model,
    messages: [
      { role: 'system', content: 'Answer like a lighthouse keeper.' },
      { role: 'user', content: scene.prompt('When is high water?') },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_tide_1', type: 'function', function: call }],
      },
      { role: 'tool', tool_call_id: 'call_tide_1', content: '{"high":"04:12"}' },
      { role: 'user', content: 'And the next one?' },
    ],
    temperature: 0.4,
    max_tokens: 300,
    stop: ['THE END'],
    tools: [
      {
        type: 'function',
        function: {
          name: 'tide_table',
          description: 'High and low water of a port.',
          parameters: { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] },
        },
      },
    ],
    tool_choice: 'auto',
  };
}

/** Judges the requests at the channels after the first. */
function judgeAll(
  budget: BreakerBudget,
  { body, exchange, requests }: Seen,
  requirement: string,
  isLater: (channel: string) => boolean,
): void {
  for (const native of requests.filter(({ entry }) => isLater(entry.channel))) {
    const sent = readCaller(body);
    const fault =
      turnFault(sent, native.view) ?? fields.map((name) => fieldFault(name, sent, native.view)).find(Boolean);
    if (fault)
      must(false, {
        requirement,
        aspect: 'same-request',
        expected: `${budget.model} at ${native.entry.channel}: ${fault.expected}`,
        actual: fault.actual,
        exchange,
        upstream: shown(native),
      });
  }
  must(exchange.response?.status === 200, {
    requirement,
    aspect: requirement === 'RESP-005' ? 'falls-back' : 'takes-over',
    expected: 'a good answer of the healthy channel',
    actual: `HTTP ${exchange.response?.status} after ${requests.length} upstream requests`,
    exchange,
  });
}
