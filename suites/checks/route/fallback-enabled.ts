import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { flag, part } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { channelsOf, routesOf, serverFault } from '../../steps/failures/routed-call.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

const requirement = 'EP-012';

export const fallbackIsEnabled = defineCheck({
  id: 'route.fallback.enabled',
  title: 'a fallback model that is not enabled for the account never answers it, streamed or not',
  requirements: ['ROUTE-003', requirement],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback', 'hooks.accounts'],
  run: async (parts) => {
    for (const route of routesOf(parts.target, 'fallback'))
      for (const stream of [false, true]) await part(() => judgeRoute(parts, route, stream));
  },
});

async function judgeRoute(parts: CheckParts, route: RouteProfile, stream: boolean): Promise<void> {
  const { accounts, judge } = parts;
  const { model, fallback } = route;
  if (fallback === undefined) return;
  const both = await accounts.create({ credits: '100', models: [model, fallback] });
  const twin = await failing(parts, route, both.key, stream);
  if (servedBy(twin.exchange, stream) !== fallback) {
    judge.note(`${model}: no fallback fires for a made account`);
    return;
  }
  const one = await accounts.create({ credits: '100', models: [model] });
  const { exchange, channels } = await failing(parts, route, one.key, stream);
  const own = route.channels.map(({ name }) => name);
  flag(exchange.response?.status !== 200 && channels.every((name) => own.includes(name)), {
    ...{ requirement, aspect: 'fallback-is-enabled', exchange, twin: twin.exchange },
    expected: `no answer by ${fallback}, which is not enabled for the account`,
    actual: `HTTP ${exchange.response?.status} after requests at ${channels.join(', then ')}`,
  });
}

/** A call whose own channels fail. */
async function failing(
  parts: CheckParts,
  { model, channels }: RouteProfile,
  key: string,
  stream: boolean,
): Promise<{ readonly exchange: Exchange; readonly channels: readonly string[] }> {
  const { cases, newScene, http } = parts;
  cases.count();
  await keepClosed(parts, model);
  const scene = newScene();
  await scene.script({ text: 'The reserve answers.' });
  for (const { name } of channels) await scene.scriptOn(name, serverFault);
  const body = { ...scene.minimal(model), ...(stream ? { stream } : {}) };
  const label = `${model}, whose channels fail${stream ? ', stream' : ''}`;
  const exchange = await http.chat(body, { key, label });
  return { exchange, channels: await channelsOf(scene) };
}

/** The model that an answer names; of a stream, the first chunk's. */
function servedBy(exchange: Exchange, stream: boolean): string | null {
  const text = exchange.response?.body.toString('utf8') ?? '';
  if (stream) return /"model":\s*"([^"]+)"/.exec(text)?.[1] ?? null;
  const { model } = (jsonOf(exchange) ?? {}) as { model?: unknown };
  return typeof model === 'string' ? model : null;
}
