import { setTimeout as wait } from 'node:timers/promises';
import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { processesOf } from '../../profile/calls-at-once.ts';
import type { Profile } from '../../profile/profile.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { mustServe } from '../../steps/failures/outage-state.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  routedCall,
  routesOf,
} from '../../steps/failures/routed-call.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** A deployment may treat full channels as out of order (reading B-105). */
const fullCodes: readonly ErrorCode[] = ['channel_queue_full', 'channel_outage'];

/** The `Retry-After` of a busy upstream, s. */
const askedS = 2;

const busy: Reply = {
  status: 429,
  headers: { 'retry-after': String(askedS) },
  body: { error: { message: 'Too many requests.', type: 'rate_limit_error', code: 'rate_limit_exceeded' } },
};

/** Tries per process that still lacks a call, because a balancer may route a call to a full process. */
const triesEach = 4;

export const busyChannelsAreFull = defineCheck({
  id: 'route.full.busy-upstreams',
  title: 'a model whose upstreams are all busy gets 429 channel_queue_full until their wait is over',
  requirements: ['ROUTE-010', 'ERR-022'],
  kind: 'upstream',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (parts) => {
    const { clock, judge, tenants, target } = parts;
    const budgets = breakerBudgetsOf(tenants, [...dialectModels(target), ...routesOf(target, 'pair')]);
    const began = clock.now();
    await Promise.all(budgets.map((budget) => judgeBusy(parts, budget)));
    await Promise.all(budgets.map((budget) => adviseLeftAlone(parts, budget, began + askedS * 1_000)));
    await clock.elapse(askedS * 1_000 + 100);
    await Promise.all(
      budgets.map(async (budget) => {
        const { exchange } = await routedCall(budget, {}, { label: `${budget.model}, free again` });
        judge.completed(exchange, { requirement: 'ROUTE-010', aspect: 'free-again', model: budget.model });
      }),
    );
  },
});

export const fullChannelIsFull = defineCheck({
  id: 'route.full.capacity',
  title: 'a model whose only channel is full is answered 429 channel_queue_full, then served again',
  requirements: ['ROUTE-010', 'ERR-022'],
  kind: 'concurrency',
  needs: ['upstream.control', 'upstream.routes.narrow'],
  run: async (parts) => {
    for (const budget of breakerBudgetsOf(parts.tenants, routesOf(parts.target, 'narrow')))
      for (const stream of [false, true]) {
        parts.cases.count();
        let isJudged = false;
        for (let left = mostTries; !isJudged && left > 0; left -= 1)
          isJudged = await judgeFull(parts, budget, stream, left === 1);
        if (!isJudged)
          throw new Untestable(
            'timeouts: the calls that fill a channel do not stay long enough, or not all processes get one',
          );
      }
  },
});

/** How often a channel is filled again whose one call did not stay: this machine may be late, or a clock was moved. */
const mostTries = 3;

/** @returns whether the call that fills the channel stayed, so that the result of another call counts */
async function judgeFull(
  { judge, target }: CheckParts,
  budget: BreakerBudget,
  stream: boolean,
  isLast: boolean,
): Promise<boolean> {
  const { model } = budget;
  const processes = processesOf(target.profile);
  const holders = await fill(budget, processes);
  const rule = { requirement: 'ERR-022', aspect: 'provoked', codes: fullCodes, param: null };
  const asked = routedCall(budget, {}, { label: `${model}, full`, stream });
  await keepGoing(holders, asked, longestPauseMs(target.profile));
  const call = await asked;
  const isReached = call.channels.length > 0;
  // A process that got no call from the balancer still has room.
  const isFull = holders.length >= processes && (await haveStayed(holders));
  if (!isFull && (isReached || !isLast || holders.length === 0)) {
    await letGo(holders);
    return false;
  }
  const full = { requirement: 'ROUTE-010', exchange: call.exchange };
  must(!isReached, {
    ...full,
    aspect: 'no-upstream-call',
    expected: 'no call at a full channel',
    actual: `one at ${call.channels.join(', ')}`,
  });
  judge.refused(call.exchange, rule);
  for (const { scene, exchange } of await letGo(holders)) {
    const [first, ...more] = await scene.requestsNow();
    if (first?.entry.reply.ended === 'client-gone' && !isLast) return false;
    judge.streamed(exchange, { ...streamAccepted, model });
    const holder = 'one request of the call that held the slot';
    must(more.length === 0, { ...full, aspect: 'holder-served', expected: holder, actual: 'more' });
  }
  const after = await routedCall(budget, {}, { label: `${model}, free again` });
  const expected = 'an answer once the channel is free again';
  mustServe(after, { requirement: 'ROUTE-010', aspect: 'free-again', expected });
  return true;
}

/**
 * Ends the calls that fill a channel.
 * @returns the exchange of each
 */
async function letGo(holders: readonly Holder[]): Promise<{ scene: Scene; exchange: Exchange }[]> {
  const ended = Promise.all(holders.map(async ({ scene, live }) => ({ scene, exchange: await live.done })));
  await keepGoing(holders, ended, 1);
  return ended;
}

/** Releases one more piece of each upstream stream, repeatedly, until the promise settles. */
async function keepGoing(
  holders: readonly Holder[],
  until: Promise<unknown>,
  everyMs: number,
): Promise<void> {
  const over = until.then(() => true);
  while (!(await Promise.race([over, wait(everyMs, false)])))
    for (const { scene } of holders) await scene.release();
}

/** How long an upstream may stay silent without a timeout, ms, with a margin. */
function longestPauseMs({ upstream }: Profile): number {
  const { first_byte_timeout_ms: firstMs = 30_000, idle_timeout_ms: idleMs = firstMs } = upstream ?? {};
  return Math.min(firstMs, idleMs) / 4;
}

/** Whether each call is still at its first attempt: neither timed out nor retried. */
async function haveStayed(holders: readonly Holder[]): Promise<boolean> {
  const stayed = await Promise.all(
    holders.map(async ({ scene }) => {
      const requests = await scene.requestsNow();
      return requests.length === 1 && requests[0]?.entry.reply.ended === 'open';
    }),
  );
  return stayed.every(Boolean);
}

/** Judges that a model is served, and refused once all of its channels have answered busy. */
async function judgeBusy({ cases, judge }: CheckParts, budget: BreakerBudget): Promise<void> {
  cases.count();
  const { model } = budget;
  const twin = await routedCall(budget, {}, { label: `${model}, free` });
  judge.completed(twin.exchange, { ...plainAccepted, model });
  const full = await routedCall(budget, { '*': [busy] }, { label: `${model}, all channels busy` });
  judge.refused(full.exchange, {
    requirement: 'ROUTE-010',
    aspect: 'full-code',
    codes: fullCodes,
    param: null,
    twin: twin.exchange,
  });
}

/** A stream that stays at the upstream while its scene is released now and then, for so many pieces. */
interface Holder {
  readonly scene: Scene;
  readonly live: LiveExchange;
}
const pieces = Array.from({ length: 32 }, (_, place) => `${place} `);

/**
 * Holds the one call that fits into each process. A call that meets a full one is refused. The next ones are made at
 * once, because a single one would travel on the connection of the refused call, to the same process.
 */
async function fill({ tenant, model }: BreakerBudget, processes: number): Promise<Holder[]> {
  const holders: Holder[] = [];
  const hold = async (): Promise<void> => {
    const scene = tenant.newScene();
    await scene.script({ deltas: pieces, gates: pieces.slice(1).map((_, place) => place + 1) });
    const body = { ...scene.minimal(model), stream: true };
    const live = tenant.http.openChat(body, { label: `${model}, the one call that fits` });
    const isHeld = await Promise.race([scene.held(1), live.done.then(() => false)]);
    if (isHeld || processes === 1) holders.push({ scene, live });
  };
  for (let tries = 0; holders.length < processes && tries < triesEach; tries += 1)
    await Promise.all(Array.from({ length: processes - holders.length + Math.min(tries, 1) }, hold));
  return holders;
}

/** Advises to respect the pause that an upstream requests, because earlier calls only add load. */
async function adviseLeftAlone(
  { clock, judge }: CheckParts,
  budget: BreakerBudget,
  until: number,
): Promise<void> {
  const { exchange, channels } = await routedCall(budget, {}, { label: `${budget.model}, soon after` });
  if (channels.length > 0 && clock.now() < until)
    judge.advise({
      requirement: 'ROUTE-010',
      aspect: 'left-alone',
      expected: `no call at an upstream that has just asked for a pause of ${askedS} s`,
      actual: `one at ${channels.join(', ')}`,
      exchange,
    });
}
