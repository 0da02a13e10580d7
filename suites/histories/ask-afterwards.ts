import { picoIn } from '../oracle/money.ts';
import { ruleOfGroundless } from '../oracle/world/judge-call.ts';
import { must, throwing, Violation } from '../rules/violation.ts';
import { longestOutageMs } from '../steps/failures/outage-state.ts';
import { beforeNextTry, freedWithinMs, silencesOf } from '../steps/failures/pass-timeouts.ts';
import { mustSucceed } from '../steps/media/own-tasks.ts';
import { type Exchange, errorCodeOf, isSuccess, outcomeOf } from '../wire/exchange.ts';
import { undoChanges } from './change-world.ts';
import type { CallPlan, HistoryKey, HistoryWay } from './history.ts';
import { leave } from './play-call.ts';
import { playTogether } from './play-together.ts';
import { sendCall } from './send-call.ts';
import { mainUser, playable, type Stage } from './stage.ts';

/** The endpoints whose upstreams may have failed. */
const asked: readonly HistoryWay[] = ['core', 'compat', 'images', 'tasks'];

/** How many calls beyond the cap are sent at once. */
const oneMore = 1;

/**
 * Checks what a history leaves behind, after undoing its changes and waiting out its failures. Then every model serves, every
 * slot is free, and an account can spend its credit.
 * @throws Violation
 */
export async function askAfterwards(stage: Stage): Promise<void> {
  await undoChanges(stage);
  if (stage.desertedAtMs !== null) await desertPurse(stage);
  await passOutages(stage);
  for (const way of asked) await serves(stage, way, 'first');
  // Twice, since a served call may leave something behind as well.
  for (const stream of [true, false])
    for (const way of ['core', 'compat', 'images'] as const) await spends(stage, way, stream);
  await hasAllSlots(stage);
}

/** Leaves images for which an account spends all its credit, at an upstream that never answers. */
async function desertPurse(stage: Stage): Promise<void> {
  if (stage.purse === null || stage.models.images === undefined) return;
  const plan: CallPlan = { ...goodPlan('images', 'scarce', false), behaviour: 'deserts' };
  const sent = await sendCall(stage, plan, false);
  await leave(stage, sent);
  await sent.live.done;
}

/** Waits until healthy channels must serve again ("retry in 30 to 60 seconds"). The first call of each is its probe. */
async function passOutages(stage: Stage): Promise<void> {
  const { world, time } = stage;
  const ill = asked.filter((way) => world.failedAt(stage.models[way] ?? '') !== null);
  const { desertedAtMs: leftMs } = stage;
  const failedMs = ill.map((way) => world.failedAt(stage.models[way] ?? '') ?? 0);
  // By then the deployment has given up what its callers have left, and may have counted it as failures.
  const givenUpMs = leftMs === null ? [] : [leftMs + silencesOf(stage.parts.target)[0].limitMs];
  const lastMs = Math.max(...failedMs, ...givenUpMs);
  if (!Number.isFinite(lastMs)) return;
  await time.until(lastMs + longestOutageMs + 1_000);
  for (const way of ill) await (await goodCall(stage, way, 'first'))?.done;
}

/** Makes two good calls to each endpoint, so that the breakers of earlier histories close. */
export async function easeWays(stage: Stage): Promise<void> {
  for (const way of asked)
    for (let call = 0; call < 2; call += 1) await (await goodCall(stage, way, 'first'))?.done;
}

async function goodCall(stage: Stage, way: HistoryWay, key: HistoryKey, stream = false) {
  const plan = playable(stage, goodPlan(way, key, stream));
  return plan === null ? null : (await sendCall(stage, { ...plan, behaviour: 'good' }, false)).live;
}

function goodPlan(way: HistoryWay, key: HistoryKey, stream: boolean): CallPlan {
  return { way, key, stream, behaviour: 'good', fault: 'none', headers: 'none' };
}

async function serves(stage: Stage, way: HistoryWay, key: HistoryKey): Promise<void> {
  const exchange = await (await goodCall(stage, way, key))?.done;
  if (exchange === undefined) return;
  stage.parts.cases.count();
  mustBeServed(exchange, 'ROUTE-011', 'back-in-time', `${longestOutageMs} ms after the last failure`);
  if (way !== 'tasks') return;
  const { tasks } = stage.parts;
  const { last } = await tasks.follow(tasks.accepted(exchange).taskId, { key: stage.secrets[key] });
  const expected = `a task that succeeds ${longestOutageMs} ms after the last failure of its upstream`;
  mustSucceed(last, { requirement: 'ROUTE-011', aspect: 'back-in-time', expected }, exchange);
}

/** Calls with an account whose credit is below the highest price of any call, but above the cost of all calls so far. */
async function spends(stage: Stage, way: 'core' | 'compat' | 'images', stream: boolean): Promise<void> {
  // Its purse pays for one image.
  if (way === 'images' && (stage.purse === null || stream)) return;
  const exchange = await (await goodCall(stage, way, 'scarce', stream))?.done;
  if (exchange === undefined) return;
  stage.parts.cases.count();
  // A deployment may charge images that their caller has not waited for (reading B-36).
  if (way === 'images' && !isSuccess(exchange) && (await isPurseCharged(stage))) return;
  mustBeServed(exchange, 'ERR-021', 'still-spends', 'there is credit that nothing has used');
}

/** Whether the purse has, or may have, paid for images whose caller has left. */
async function isPurseCharged({ parts, purse, pursePrice, desertedAtMs }: Stage): Promise<boolean> {
  if (desertedAtMs === null || purse === null) return false;
  const view = await parts.meter.account(purse).catch(() => null);
  return view === null || view.balance < (picoIn(pursePrice ?? '') ?? 0n);
}

function mustBeServed(exchange: Exchange, requirement: string, aspect: string, why: string): void {
  const code = String(errorCodeOf(exchange) ?? '');
  const own = ruleOfGroundless(code) ?? requirement;
  must(isSuccess(exchange), {
    ...{ requirement: own, aspect: own === requirement ? aspect : 'no-ground-left', exchange },
    expected: `an answer: ${why}`,
    actual: `${outcomeOf(exchange)} ${code}`,
  });
}

/** Sends one call more than there are slots, to one of the endpoints whose calls can be held. */
async function hasAllSlots(stage: Stage): Promise<void> {
  const ways = (['core', 'compat', 'images'] as const).filter((way) => stage.models[way] !== undefined);
  const way = ways[stage.draw % ways.length];
  const plan = way === undefined ? null : playable(stage, goodPlan(way, 'first', true));
  if (plan === null) return;
  stage.world.forget(stage.models[plan.way] ?? '');
  const all = stage.world.capOf(mainUser) + oneMore;
  for (let tries = 0; ; tries += 1)
    try {
      return await throwing(() => playTogether(stage, plan, all, null));
    } catch (error) {
      const mayWait = performance.now() - stage.leftAtMs < freedWithinMs;
      if (!mayWait || !(error instanceof Violation)) throw error;
      await stage.parts.forgetScripts();
      await beforeNextTry(stage.parts, tries);
    }
}
