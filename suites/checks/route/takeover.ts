import type { Reply } from 'gatecheck-simulators/client';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { advise, must, part } from '../../rules/violation.ts';
import { adviseSecondAttempt } from '../../steps/failures/judge-hidden.ts';
import { isServed, textOf } from '../../steps/failures/outage-state.ts';
import { deadlineLateMs } from '../../steps/failures/pass-timeouts.ts';
import {
  at,
  type BreakerBudget,
  breakerBudgetsOf,
  channelsOf,
  type RoutedCall,
  routedCall,
  routesOf,
} from '../../steps/failures/routed-call.ts';
import { imagesWay } from '../../steps/ways/way-in.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** One way in which a channel fails, and whether its call moves to another channel at once (reading B-106). */
interface Kind {
  readonly id: string;
  readonly title: string;
  readonly reply: Reply;
  readonly elsewhere: boolean;
}

const words = { error: { message: 'It did not work.' } };

const kinds: readonly Kind[] = [
  { id: 'server', title: 'answers 500', reply: { status: 500, body: words }, elsewhere: true },
  { id: 'busy', title: 'answers 429', reply: { status: 429, body: words }, elsewhere: true },
  { id: 'overloaded', title: 'answers 529', reply: { status: 529, body: words }, elsewhere: true },
  { id: 'unavailable', title: 'answers 503', reply: { status: 503, body: words }, elsewhere: true },
  {
    id: 'connection',
    title: 'breaks its connections',
    reply: { cut: { after: 'head', by: 'rst' } },
    elsewhere: true,
  },
  {
    id: 'garbage',
    title: 'answers garbage',
    reply: { status: 200, body: '<h1>It works!</h1>' },
    elsewhere: false,
  },
  {
    id: 'credentials',
    title: "rejects the deployment's key",
    reply: { status: 401, body: words },
    elsewhere: false,
  },
  {
    id: 'unknown',
    title: 'no longer knows the model',
    reply: { status: 404, body: words },
    elsewhere: false,
  },
];

/** The number of calls within which a gateway must notice a dead channel. */
const noticing = 16;
/** Consecutive successes per channel of the model. A gateway that still selects a dead channel hardly ever reaches them. */
const judgedPerChannel = 6;
/** After this time without a failure a gateway may try the dead channel again ("30 to 60 seconds", Errors), ms. */
const restMs = 30_000;

const good = 'The other one answers.';

export const takeoverChecks: readonly Check[] = kinds.map((kind, place) =>
  defineCheck({
    id: `route.takeover.${kind.id}`,
    title: `when a channel ${kind.title}, another channel of the model takes over`,
    requirements: ['ROUTE-002'],
    kind: 'upstream',
    needs: ['upstream.control', 'upstream.routes.pair'],
    run: (parts) => judgeKind(parts, kind, place),
  }),
);

export const silenceIsTakenOver = defineCheck({
  id: 'route.takeover.timeout',
  title: 'when a channel times out, its call goes to another channel of the model',
  requirements: ['ROUTE-002', 'ROUTE-005'],
  kind: 'upstream',
  needs: ['upstream.control', 'upstream.routes.pair', 'time'],
  clock: 'jump',
  run: async (parts) => {
    const { target, cases, clock, tenants, judge } = parts;
    await part(() => judgeSilentImages(parts));
    const limitMs = target.profile.upstream?.first_byte_timeout_ms ?? 0;
    for (const [place, budget] of breakerBudgetsOf(tenants, routesOf(target, 'pair')).entries()) {
      cases.count();
      const stream = place % 2 === 1;
      const scene = budget.tenant.newScene();
      await scene.script({ hang: 'head' }, { text: good });
      const body = { ...scene.minimal(budget.model), ...(stream ? { stream } : {}) };
      const live = budget.tenant.http.openChat(body, {
        label: `${budget.model}, whose first channel is silent`,
      });
      if (await scene.held(1)) await clock.elapse(limitMs + 100, deadlineLateMs(limitMs));
      const call = { scene, exchange: await live.done, channels: await channelsOf(scene) };
      judgeServed(judge, budget, call, stream);
    }
  },
});

/** Judges the same for images, on a model with two channels, where the profile declares one. */
async function judgeSilentImages(parts: CheckParts): Promise<void> {
  const { target, cases, clock, newScene } = parts;
  const route = (target.profile.upstream?.media_routes ?? []).find(({ channels }) =>
    channels.every(({ dialect }) => dialect === 'images'),
  );
  if (route === undefined) return;
  cases.count();
  const way = imagesWay(route.model);
  const scene = newScene();
  await scene.script({ hang: 'head' }, {});
  const live = way.open(parts, way.body(scene), { label: `${way.model}, whose first channel is silent` });
  const limitMs = target.profile.upstream?.first_byte_timeout_ms ?? 0;
  if (await scene.held(1)) await clock.elapse(limitMs + 100, deadlineLateMs(limitMs));
  const exchange = await live.done;
  way.judgeServed(parts, exchange, { requirement: 'ROUTE-002', aspect: 'images-taken-over' });
  mustDiffer(await channelsOf(scene), exchange);
}

async function judgeKind(parts: CheckParts, kind: Kind, place: number): Promise<void> {
  const { cases, tenants, target, judge } = parts;
  const several = breakerBudgetsOf(tenants, [...routesOf(target, 'pair'), ...routesOf(target, 'trio')]);
  for (const budget of cases.full ? several : [at(several, place)]) {
    // Without a takeover two failures would open the breakers of both channels, and rightly so.
    for (const stream of kind.elsewhere ? [false, true] : []) {
      cases.count();
      const label = `${budget.model}, whose channel ${kind.title}${stream ? ', stream' : ''}`;
      const call = await routedCall(budget, { '*': [kind.reply, { text: good }] }, { label, stream });
      if (isServed(call)) judgeServed(judge, budget, call, stream);
      else if (kind.elsewhere) adviseAtOnce(budget, kind, call);
    }
    await judgeDeath(parts, budget, kind);
  }
}

/** Judges a success after a failed channel: from another channel, complete, under the model's own name. */
function judgeServed(judge: Judge, budget: BreakerBudget, call: RoutedCall, stream: boolean): void {
  const { exchange, channels } = call;
  const rule = { requirement: 'ROUTE-002', aspect: 'takes-over', model: budget.model };
  const { content } = stream ? judge.streamed(exchange, rule) : judge.completed(exchange, rule);
  const expected = JSON.stringify(good);
  must(content === good, { ...rule, expected, actual: JSON.stringify(content), exchange });
  mustDiffer(channels, exchange);
}

function mustDiffer(channels: readonly string[], exchange: Exchange): void {
  // Which channel a further attempt goes to is open (reading B-106); the one that has just failed is a poor choice.
  advise(new Set(channels).size === channels.length, {
    requirement: 'ROUTE-002',
    aspect: 'another-channel',
    expected: 'each attempt at another channel: the first one has just failed',
    actual: channels.join(', then '),
    exchange,
  });
}

function adviseAtOnce({ model }: BreakerBudget, { title }: Kind, { exchange, channels }: RoutedCall): void {
  const actual = `HTTP ${exchange.response?.status} after ${channels.length} upstream call`;
  adviseSecondAttempt(exchange, `a call of ${model} whose channel ${title}`, actual);
}

/** Judges that callers in the end do not notice a channel that fails for good. */
async function judgeDeath(
  { rng, cases, clock }: CheckParts,
  budget: BreakerBudget,
  kind: Kind,
): Promise<void> {
  const judged = judgedPerChannel * budget.channels.length;
  cases.count();
  const { channels } = await routedCall(
    budget,
    { '*': [{ text: good }] },
    { label: 'before a channel dies' },
  );
  // Kills the channel that the gateway prefers now. It might never call another one, so its failure would prove nothing.
  const dead = channels[0] ?? rng.pick(budget.channels).name;
  const replies = { '*': [{ text: good }], [dead]: [kind.reply] };
  let inARow = 0;
  let lost: RoutedCall | null = null;
  let lostAtMs = clock.now();
  for (let call = 0; call < noticing + judged && inARow < judged; call += 1) {
    cases.count();
    const last = await routedCall(budget, replies, { label: `${dead} ${kind.title} for good` });
    if (textOf(last) === good) {
      inARow += 1;
      continue;
    }
    const isProbe = clock.now() - lostAtMs >= restMs;
    if (!isProbe) inARow = 0;
    lost = last;
    lostAtMs = clock.now();
  }
  must(inARow >= judged, {
    requirement: 'ROUTE-002',
    aspect: 'takes-over',
    expected: `${budget.model} served by another channel than ${dead}, which ${kind.title}`,
    actual: `HTTP ${lost?.exchange.response?.status} by ${lost?.channels.join(', then ') || 'no channel'}`,
    exchange: lost?.exchange,
  });
}
