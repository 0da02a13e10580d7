import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { toolNamed } from '../../oracle/sample-tools.ts';
import { flag, part } from '../../rules/violation.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';
import { isSuccess } from '../../wire/exchange.ts';

/** Names that some dialects forbid. Each call is forced in another way. */
const cases = [
  { name: '7_up', choice: 'required' },
  { name: '-', choice: { type: 'function', function: { name: '-' } } },
] as const;

export const namesSurviveATakeover: Check = defineCheck({
  id: 'tool.calls.names-taken-over',
  title: 'a tool is called by the name of the request when a channel of another dialect takes the call over',
  requirements: ['TOOL-005'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.trio'],
  run: async (parts) => {
    const budgets = breakerBudgetsOf(parts.tenants, routesOf(parts.target, 'trio'));
    for (const budget of budgets)
      for (const named of cases)
        for (const stream of [false, true]) await part(() => judgeName(parts, budget, named, stream));
  },
});

async function judgeName(
  parts: CheckParts,
  { tenant, model }: BreakerBudget,
  { name, choice }: (typeof cases)[number],
  stream: boolean,
): Promise<void> {
  const { judge } = parts;
  parts.cases.count();
  const scene = tenant.newScene();
  // The upstream chooses the second answer: it calls the tool by the name that it received.
  await scene.script(serverFault, {});
  const tools = [toolNamed(name), toolNamed(`${name}_2`)];
  const body = {
    ...scene.minimal(model),
    tools: choice === 'required' ? tools.slice(0, 1) : tools,
    tool_choice: choice,
    ...(stream ? { stream } : {}),
  };
  const exchange = await tenant.http.chat(body, { label: `${name} on ${model}, which fails once` });
  // A retry after an upstream failure is only advised (reading B-106).
  if (!isSuccess(exchange)) {
    judge.note(`${model}: not served after a failure`);
    return;
  }
  const rule = { requirement: 'TOOL-005', aspect: 'name-exact-elsewhere', model };
  const { toolCalls } = stream ? judge.streamed(exchange, rule) : judge.completed(exchange, rule);
  const called = toolCalls.map((call) => call.function.name);
  const isExact = called.length > 0 && called.every((each) => each === name);
  const channels = (await scene.requestsNow()).map(({ entry }) => entry.channel);
  const expected = `${name}, by way of ${channels.join(', then ')}`;
  flag(isExact, { ...rule, expected, actual: JSON.stringify(called), exchange });
}
