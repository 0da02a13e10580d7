import { isDeepStrictEqual } from 'node:util';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { wholeChatBody, wholeKinds } from '../../generators/whole-chat-body.ts';
import { wholeFaults } from '../../oracle/native/whole-request.ts';
import { flag, must, part } from '../../rules/violation.ts';
import { nameless, readRequest, shown } from '../../steps/chat/upstream-view.ts';
import { adviseSecondAttempt } from '../../steps/failures/judge-hidden.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  routesOf,
  scriptSecond,
} from '../../steps/failures/routed-call.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

/** How long one text of a request is, characters. */
const lengths = [4_000, 40_000] as const;

const good = { text: '{"understood": "all of it"}' };

/** Each kind of request, plain and streamed. */
const forms = wholeKinds.flatMap((kind) => [false, true].map((stream) => ({ kind, stream })));

interface Seen {
  readonly body: JsonObject;
  readonly exchange: Exchange;
  readonly requests: readonly UpstreamRequest[];
}

export const retriesAreWhole = defineCheck({
  id: 'route.takeover.whole-request',
  title: 'the channel that takes over a call gets the same request: every turn, field, image and tool',
  requirements: ['ROUTE-002'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair'],
  run: async (parts) => {
    const { tenants, target } = parts;
    const budgets = breakerBudgetsOf(tenants, [...routesOf(target, 'pair'), ...routesOf(target, 'trio')]);
    for (const budget of budgets) {
      for (const form of forms)
        await part(async () => {
          const seen = await askAll(parts, budget, form);
          const first = seen.requests[0]?.entry.channel;
          judgeAll(budget, seen, 'ROUTE-002', (channel) => channel !== first);
        });
    }
  },
});

export const fallbackIsWhole = defineCheck({
  id: 'route.fallback.whole-request',
  title: 'the declared fallback gets the same request: every turn, field, image and tool',
  requirements: ['ROUTE-003', 'RESP-005'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.fallback'],
  run: async (parts) => {
    const { tenants, target } = parts;
    for (const budget of breakerBudgetsOf(tenants, routesOf(target, 'fallback'))) {
      const own = new Set(budget.channels.map(({ name }) => name));
      for (const form of forms)
        await part(async () => {
          const seen = await askAll(parts, budget, form);
          judgeAll(budget, seen, 'RESP-005', (channel) => !own.has(channel));
        });
    }
  },
});

/** Makes one call with everything that a request of its kind can contain; its first channel fails. */
async function askAll(
  { cases, rng }: CheckParts,
  budget: BreakerBudget,
  { kind, stream }: (typeof forms)[number],
): Promise<Seen> {
  cases.count();
  const { tenant, model, channels, fallback, vision } = budget;
  const scene = tenant.newScene();
  await scriptSecond(scene, fallback === null ? [] : channels.map(({ name }) => name), good);
  const whole = { model, prompt: scene.prompt(), kind, vision, length: rng.pick(lengths) };
  const body = { ...wholeChatBody(rng, whole), ...(stream ? { stream } : {}) };
  const label = `${model}, whose first channel fails, ${kind}${stream ? ', stream' : ''}`;
  const exchange = await tenant.http.chat(body, { label });
  return { body, exchange, requests: await scene.requestsNow() };
}

/** Judges the requests at the channels after the first. */
function judgeAll(
  budget: BreakerBudget,
  { body, exchange, requests }: Seen,
  requirement: string,
  isLater: (channel: string) => boolean,
): void {
  for (const { entry, text } of requests.filter((request) => isLater(request.entry.channel))) {
    for (const { what, expected, actual } of wholeFaults(body, { path: entry.request.path, text }))
      flag(false, {
        ...{ requirement, aspect: 'same-request', member: what },
        expected: `${budget.model} at ${entry.channel}, ${what}: ${expected}`,
        actual,
        exchange,
        upstream: shown({ text }),
      });
  }
  judgeNames(budget, { requirement, exchange }, requests);
  if (requirement === 'ROUTE-002') judgeSameBody(budget, exchange, requests);
  // Whether a fault of the upstream's own is tried again at once is open (reading B-106).
  if (requirement === 'ROUTE-002' && requests.length === 1 && exchange.response?.status === 502) {
    const what = `a call of ${budget.model}, whose channel answers 500,`;
    adviseSecondAttempt(exchange, what, 'one upstream call');
    return;
  }
  must(isSuccess(exchange), {
    requirement,
    aspect: requirement === 'RESP-005' ? 'falls-back' : 'takes-over',
    expected: 'a good answer of the healthy channel',
    actual: `HTTP ${exchange.response?.status} after ${requests.length} upstream requests`,
    exchange,
  });
}

/** Judges that each channel is called with its own name of the model. */
function judgeNames(
  { model, channels }: BreakerBudget,
  own: { readonly requirement: string; readonly exchange: Exchange },
  requests: readonly UpstreamRequest[],
): void {
  for (const request of requests) {
    const { name, native_model: native } = channels.find((one) => one.name === request.entry.channel) ?? {};
    const asked = readRequest(request).view.model;
    flag(native === undefined || asked === native, {
      ...{ ...own, aspect: 'own-name', upstream: shown(request) },
      expected: `${model} by its name at ${name}, ${native}`,
      actual: String(asked),
    });
  }
}

/** Judges that channels of one dialect get equal bodies, also in optional fields such as `user`. */
function judgeSameBody(
  { model, channels }: BreakerBudget,
  exchange: Exchange,
  requests: readonly UpstreamRequest[],
): void {
  const dialects = new Set(channels.map(({ dialect }) => dialect));
  const [first, ...later] = requests;
  if (dialects.size !== 1 || first === undefined) return;
  const other = later.find(({ text }) => !isDeepStrictEqual(nameless(text), nameless(first.text)));
  flag(other === undefined, {
    ...{ requirement: 'ROUTE-002', aspect: 'same-body-again', exchange, upstream: shown(first) },
    expected: `${model}: the same body at each channel`,
    actual: other?.text.slice(0, 1_000) ?? '',
  });
}
