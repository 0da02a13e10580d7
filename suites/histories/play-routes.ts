import type { Reply } from 'gatecheck-simulators/client';
import { breakerRulesOf } from '../engine/breaker-rules.ts';
import type { LockstepTime } from '../engine/lockstep.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import { BreakerModel } from '../oracle/breaker.ts';
import { oneTool } from '../oracle/sample-tools.ts';
import { modelsNamed } from '../oracle/served.ts';
import type { Behaviour } from '../oracle/world/behaviours.ts';
import { RouteModel } from '../oracle/world/route-call.ts';
import { probesOf } from '../profile/calls-at-once.ts';
import type { Dialect } from '../profile/dialects.ts';
import type { RouteProfile } from '../profile/profile.ts';
import { must, Untestable } from '../rules/violation.ts';
import { longestOutageMs } from '../steps/failures/outage-state.ts';
import { channelsOf } from '../steps/failures/routed-call.ts';
import { compatProtocols, coreProtocol } from '../steps/protocols/protocol.ts';
import { formsOn } from '../steps/protocols/protocol-model.ts';
import { mayServe, servesRoute } from '../steps/protocols/said.ts';
import { type ChatWay, chatWay } from '../steps/ways/way-in.ts';
import { errorCodeOf, isSuccess, outcomeOf } from '../wire/exchange.ts';
import { waitMs } from './play-history.ts';
import { replyOf } from './replies.ts';
import type { RouteCallPlan, RouteHistory } from './route-history.ts';
import { slackMs } from './stage.ts';

/** The context in which a route's history is played. */
export interface RouteStage {
  readonly parts: CheckParts;
  readonly time: LockstepTime;
  readonly route: RouteProfile;
  readonly model: RouteModel;
  /** The protocols that serve the route, plain and streamed. */
  readonly ways: readonly ChatWay[];
}

/** Prepares the route that a history draws. */
export async function setRouteStage(
  parts: CheckParts,
  time: LockstepTime,
  routes: readonly RouteProfile[],
  { draw }: RouteHistory,
): Promise<RouteStage> {
  const rules = breakerRulesOf(parts.target.profile);
  const route = routes[draw % Math.max(1, routes.length)];
  if (rules === null || route === undefined) throw new Untestable('upstream.breaker');
  const { model, fallback = null } = route;
  const ways: ChatWay[] = [];
  for (const protocol of [coreProtocol, ...compatProtocols]) {
    const mayAll = [model, fallback ?? model].every((one) => mayServe(protocol, one));
    const isAbsent = protocol.fact !== null && parts.target.profile.absent.includes(protocol.fact);
    if (!mayAll || isAbsent || !(await servesRoute(parts, { protocol, model }))) continue;
    for (const stream of await formsOn(parts, { protocol, model }))
      ways.push(chatWay(protocol, model, stream));
  }
  const channels = route.channels.map(({ name }) => name);
  const newBreaker = (): BreakerModel => new BreakerModel(rules, slackMs);
  return { parts, time, route, ways, model: new RouteModel({ model, channels, fallback }, newBreaker) };
}

const wellPlan = { do: 'call', times: 1, results: 0, own: ['good'], reserve: 'good' } as const;

/** Makes good calls to each of the route's own channels and to its fallback, so that their breakers close. */
export async function easeRoute(stage: RouteStage): Promise<void> {
  const { parts, route } = stage;
  const models = [
    ...route.channels.map(() => route.model),
    ...(route.fallback === undefined ? [] : [route.fallback]),
  ];
  const times = Math.max(2, probesOf(parts.target.profile));
  for (const model of Array.from({ length: times }, () => models).flat()) {
    const way = chatWay(coreProtocol, model, false);
    await way.send(parts, way.body(parts.newScene()), { label: `a good call on ${model}` });
  }
}

/**
 * Plays a history, then judges whether the model's own channels serve again.
 * @throws Violation
 */
export async function playRoute(stage: RouteStage, { steps }: Pick<RouteHistory, 'steps'>): Promise<void> {
  const { parts, time } = stage;
  for (const step of steps) {
    parts.cases.signal.throwIfAborted();
    if (step.do === 'wait') await time.until(time.now() + waitMs(stage, step));
    else for (let count = 0; count < step.times; count += 1) await playCall(stage, step);
  }
  await time.until(time.now() + longestOutageMs + 1_000);
  for (const isCompat of [false, true]) await playCall(stage, { ...wellPlan, isCompat, stream: isCompat });
}

async function playCall({ parts, time, route, model, ways }: RouteStage, plan: RouteCallPlan): Promise<void> {
  const fitting = ways.filter(({ stream }) => stream === plan.stream);
  const way = fitting.find(({ protocol }) => (protocol !== coreProtocol) === plan.isCompat) ?? fitting[0];
  if (way === undefined) return;
  parts.cases.count();
  const scene = parts.newScene();
  const { stream } = way;
  const behaviours = new Map<string, Behaviour>();
  const { rng } = parts;
  // The discount for cached tokens differs by model.
  const usage = {
    ...{ prompt_tokens: 900 + rng.int(900), completion_tokens: 1 + rng.int(50) },
    cached_tokens: 300 + rng.int(300),
  };
  const reply = (behaviour: Behaviour, dialect: Dialect): Reply => ({
    ...replyOf(behaviour, { dialect, stream }, scene.marker),
    ...(behaviour === 'good' ? { usage } : {}),
  });
  await scene.script(reply(plan.reserve, 'chat-completions'));
  for (const [place, { name, dialect }] of route.channels.entries()) {
    const behaviour = plan.own[place % plan.own.length] ?? 'good';
    behaviours.set(name, behaviour);
    await scene.scriptOn(name, reply(behaviour, dialect));
  }
  const label = `${way.name}, ${route.model}: ${plan.own.join(', ')}; its fallback ${plan.reserve}${stream ? ', stream' : ''}`;
  const from = time.now();
  const results = Array.from({ length: plan.results }, (_, n) => `${rng.hex(6)} is number ${n}.`);
  const said = results.length > 0 ? { tools: [oneTool], results } : {};
  const body = way.protocol.body(scene, { model: way.model, ...said });
  const exchange = await way.send(parts, body, { label });
  const [code, asked] = [errorCodeOf(exchange), await channelsOf(scene)];
  const broken = model.took({
    asked,
    behaviourOf: (name) => behaviours.get(name) ?? plan.reserve,
    code: isSuccess(exchange) ? null : String(code),
    named: modelsNamed(exchange),
    at: { from, to: time.now() },
  });
  if (broken === null) return;
  const actual = `${outcomeOf(exchange)} ${String(code ?? '')} after requests at ${asked.join(', then ') || 'none'}`;
  must(false, { ...broken, actual, exchange });
}
