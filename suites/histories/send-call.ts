import type { Scene } from '../engine/scene.ts';
import { dialectOf } from '../oracle/native/dialects.ts';
import type { Got, WorldCall } from '../oracle/world/judge-call.ts';
import { serverFault } from '../steps/failures/routed-call.ts';
import { faultyBody } from '../steps/ways/way-in.ts';
import { type Exchange, errorCodeOf, isSuccess } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import type { CallPlan, HeaderKind } from './history.ts';
import { replyOf } from './replies.ts';
import { type Stage, wayOf } from './stage.ts';

/** A call under way, with the scene of its upstream; null for a call without an upstream. */
export interface SentCall {
  readonly plan: CallPlan;
  readonly call: WorldCall;
  readonly live: LiveExchange;
  readonly scene: Scene | null;
  readonly label: string;
}

/** A number of tokens that costs more than the scarce account's credit with any model. */
const dearTokens = 16_000;

/** A task that does not exist. A caller without access to an existing task gets the same answer. */
const noTask = '/api/v1/tasks/task_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

/** Two calls of one trace are two calls, although all these headers are alike. */
const trace = '0af7651916cd43dd8448eb211c80319c';

/** Headers that proxies, frameworks and tracers interpret, but the specification does not mention. */
const headersOf: Readonly<Record<HeaderKind, Readonly<Record<string, string>>>> = {
  none: {},
  forwarded: { 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.7', 'x-real-ip': '192.0.2.7' },
  override: { 'x-http-method-override': 'GET', 'x-forwarded-host': 'example.com' },
  traced: {
    ...{ 'x-request-id': trace, 'x-correlation-id': trace, 'request-id': trace },
    traceparent: `00-${trace}-b7ad6b7169203331-01`,
  },
};

/** Sends one call. With `isHeld`, its upstream holds it until it is released. */
export async function sendCall(stage: Stage, plan: CallPlan, isHeld: boolean): Promise<SentCall> {
  const { parts, models } = stage;
  const way = wayOf(stage, plan);
  if (plan.fault === 'none') stage.cells.add(plan);
  const call: WorldCall = {
    ...{ key: plan.key, model: models[plan.way] ?? '', fault: plan.fault, behaviour: plan.behaviour },
    isRead: way === null,
    isLater: plan.way === 'tasks',
  };
  const label = labelOf(stage, plan);
  const options = { label, key: keyOf(stage, plan), headers: headersOf[plan.headers] };
  if (way === null) {
    const headers = { authorization: `Bearer ${options.key}`, ...options.headers };
    const path = plan.way === 'read' ? noTask : '/api/v1/models';
    const live = parts.http.open({ method: 'GET', path, headers, label });
    return { plan, call, live, scene: null, label };
  }
  const scene = parts.newScene();
  if (plan.way === 'tasks' && plan.behaviour === 'too-long')
    await scene.script({
      job: { end: 'failed', error: { code: 'content_policy_violation', message: 'No.' } },
    });
  else {
    const dialect = way.protocol === null ? null : dialectOf(way.model);
    const reply = replyOf(plan.behaviour, { dialect, stream: way.stream }, scene.marker);
    if (plan.behaviour === 'left-again') await scene.script(serverFault, reply);
    else
      await scene.script(
        isHeld ? { ...reply, gates: [way.stream && plan.behaviour === 'good' ? 'end' : 'head'] } : reply,
      );
  }
  const asked = { model: way.model, maxTokens: dearTokens };
  const legal = plan.key === 'scarce' && way.protocol ? way.protocol.body(scene, asked) : way.body(scene);
  const body = plan.fault === 'param' ? faultyBody(way, legal) : legal;
  return { plan, call, live: way.open(parts, body, options), scene, label };
}

/** The key of a call. For images, the scarce account is the one that can pay for exactly one image. */
function keyOf({ secrets, purse }: Stage, { way, key }: CallPlan): string {
  return way === 'images' && key === 'scarce' && purse !== null ? purse : secrets[key];
}

function labelOf({ models }: Stage, { way, stream, key, behaviour, fault }: CallPlan): string {
  const what = fault === 'none' ? behaviour : `a wrong ${fault}`;
  return `${way}${stream ? ', stream' : ''}, ${models[way]}, ${key} key: ${what}`;
}

/** The result of a call, and the number of its upstream attempts. */
export async function gotOf(exchange: Exchange, scene: Scene | null): Promise<Got> {
  const code = errorCodeOf(exchange);
  const attempts = scene === null ? 0 : (await scene.requestsNow()).length;
  // A caller that gets "not found" is permitted to read.
  if (isSuccess(exchange) || code === 'task_not_found') return { code: null, attempts };
  return { code: typeof code === 'string' ? code : '', attempts };
}
