import { factsOf } from '../oracle/world/behaviours.ts';
import { allowedOf } from '../oracle/world/judge-call.ts';
import { must } from '../rules/violation.ts';
import { beforeNextTry, freedWithinMs } from '../steps/failures/pass-timeouts.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { CallPlan } from './history.ts';
import { judgeCall } from './judge-sent.ts';
import { gotOf, type SentCall, sendCall } from './send-call.ts';
import type { Stage } from './stage.ts';

/** How long to read a task whose upstream fails, ms; the deployment may hold it back for longer. */
const readTaskMs = 600;

/** Makes one call, and waits for its end. The world knows which other calls are in flight. */
export async function playCall(stage: Stage, plan: CallPlan): Promise<Exchange> {
  for (let tries = 0; ; tries += 1) {
    stage.parts.cases.count();
    const from = stage.time.now();
    const sent = await sendCall(stage, plan, false);
    if (factsOf(plan.behaviour).isLeft === true) await leave(stage, sent);
    const exchange = await sent.live.done;
    const span = { from, to: stage.time.now() };
    const got = await gotOf(exchange, sent.scene);
    // A caller has just left. The calls that follow judge whether that frees its slot in time, its hold and its channel.
    const mayWait = performance.now() - stage.leftAtMs < freedWithinMs;
    const allowed = allowedOf(stage.world, sent.call, span);
    const isDue = allowed.grounds.some(({ codes }) => codes.some((code) => code === got.code));
    const lacks = (got.code === 'concurrency_exceeded' || got.code === 'quota_exceeded') && !isDue;
    const meetsProbe = got.code === 'channel_outage' && got.attempts === 0 && !allowed.mustRefuse;
    if (mayWait && (lacks || meetsProbe)) {
      await beforeNextTry(stage.parts, tries);
      continue;
    }
    judgeCall(stage, sent, allowed, { exchange, got, span });
    if (plan.way === 'tasks' && got.code === null) await followTask(stage, sent, exchange);
    return exchange;
  }
}

/** Leaves a call at its upstream, which answers nobody then, or never does. */
export async function leave(stage: Stage, { plan, live, scene }: SentCall): Promise<void> {
  const held = scene?.held(1).catch(() => false);
  const isHeld = await Promise.race([held, live.done.then(() => false)]);
  if (isHeld !== true) return;
  live.abort();
  stage.leftAtMs = performance.now();
  if (plan.behaviour === 'deserts') {
    stage.desertedAtMs = stage.time.now();
    return;
  }
  // A deployment may read the rest of the upstream's answer.
  await scene?.release();
  await scene?.ended(plan.behaviour === 'left-again' ? 2 : 1);
}

/** Reads a task until it ends. A task of a healthy upstream must succeed. */
async function followTask(stage: Stage, { call, label }: SentCall, submitted: Exchange): Promise<void> {
  const { parts, world, time, secrets } = stage;
  const { tasks } = parts;
  const { taskId } = tasks.accepted(submitted);
  const isIll = world.failedAt(call.model) !== null;
  const withinMs = isIll || call.behaviour === 'server' ? { withinMs: readTaskMs } : {};
  const { last } = await tasks.watch(taskId, { label, key: secrets[call.key as 'first'], ...withinMs });
  if (call.behaviour === 'server') return world.failed(call.model, time.now());
  const status = call.behaviour === 'good' ? 'SUCCESS' : 'FAILED';
  must(isIll || last.status === status, {
    requirement: status === 'SUCCESS' ? 'STATE-005' : 'STATE-006',
    aspect: 'ends-as-its-job',
    expected: `status ${status}: nothing of its model has failed so far`,
    actual: `${last.status} ${last.error?.code ?? ''}`,
    exchange: last.exchange,
    twin: submitted,
  });
}
