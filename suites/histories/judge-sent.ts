import type { Attempt, Span } from '../oracle/breaker.ts';
import { callOf } from '../oracle/exchange/call.ts';
import { readAnswer } from '../oracle/exchange/said.ts';
import { readModelList } from '../oracle/model-list.ts';
import { factsOf, mayFail } from '../oracle/world/behaviours.ts';
import { type Allowed, type Broken, brokenBy, type Got } from '../oracle/world/judge-call.ts';
import { must } from '../rules/violation.ts';
import { judgeQuick } from '../steps/failures/outage-state.ts';
import { type Exchange, outcomeOf } from '../wire/exchange.ts';
import type { CallPlan } from './history.ts';
import { askedMs } from './replies.ts';
import type { SentCall } from './send-call.ts';
import type { Stage } from './stage.ts';

/** The outcome of a call. */
export interface Seen {
  readonly exchange: Exchange;
  readonly got: Got;
  readonly span: Span;
}

/**
 * Judges one call by its allowed outcomes, and records what it reveals about its channel.
 * @param isBeside whether other calls in flight may have changed the breaker meanwhile
 * @throws Violation
 */
export function judgeCall(
  stage: Stage,
  { call, plan, scene }: SentCall,
  allowed: Allowed,
  seen: Seen,
  isBeside = false,
): void {
  const { exchange, got } = seen;
  const { world } = stage;
  const hasLeft = exchange.response?.complete !== true && factsOf(call.behaviour).isLeft === true;
  if (!hasLeft) blame(plan, brokenBy(allowed, got), seen);
  if (got.code === 'channel_outage' && got.attempts === 0) judgeQuick(exchange);
  if (plan.way === 'models' && got.code === null) judgeList(stage, call.key, exchange);
  if (call.isRead || plan.way === 'tasks') return;
  const isTold = got.code === null && call.behaviour === 'good' && plan.way !== 'images';
  const asked = isTold ? callOf(exchange) : null;
  const said = asked === null ? null : readAnswer(exchange, asked);
  must(said === null || said.text.includes(scene?.marker ?? ''), {
    requirement: 'RESP-024',
    aspect: 'own-answer',
    expected: 'the text that the upstream of this very call has written',
    actual: 'an answer without it',
    exchange,
  });
  if (call.behaviour === 'policy' && got.attempts > 0) world.blocked(call.model);
  noteAttempts(world, call, seen, isBeside);
}

/** The list shows a model that the account has, and none that was taken from it (reading B-47). */
function judgeList({ world, models }: Stage, key: string, exchange: Exchange): void {
  const listed = readModelList(exchange);
  const { account } = world.key(key);
  for (const way of ['core', 'compat', 'images', 'tasks'] as const) {
    const model = models[way];
    if (model === undefined) continue;
    const isHidden = world.lacks(account, model);
    // Only chat models have to be listed (reading B-46).
    const mayMiss = way === 'images' || way === 'tasks';
    const isListed = listed.includes(model);
    must(isHidden ? !isListed : isListed || mayMiss, {
      ...{ requirement: 'EP-012', aspect: 'list-as-changed', exchange },
      expected: `a list ${isHidden ? 'without' : 'with'} ${model}`,
      actual: listed.join(', ').slice(0, 300),
    });
  }
}

function noteAttempts(
  world: Stage['world'],
  { model, behaviour }: SentCall['call'],
  { exchange, got, span }: Seen,
  isBeside: boolean,
): void {
  const breaker = world.breaker(model);
  if (got.attempts === 0 && got.code === 'channel_outage' && !isBeside && !world.mayRest(model, span))
    must(breaker.refused(span), {
      requirement: 'ROUTE-011',
      aspect: 'passes-when-due',
      expected: 'a call that reaches its upstream: by the declared parameters the breaker lets it pass',
      actual: 'it was refused',
      exchange,
    });
  for (let place = 0; place < got.attempts; place += 1) {
    const { outcome } = factsOf(behaviour);
    const attempt: Attempt = { began: span, outcome, again: isBeside || place > 0 };
    must(breaker.attempted(attempt), {
      requirement: 'ROUTE-009',
      aspect: 'no-upstream-call',
      expected: 'no upstream call: by the declared parameters the breaker is open',
      actual: 'one was made',
      exchange,
    });
    if (mayFail(behaviour)) world.failed(model, span.to);
    if (behaviour === 'asks') world.asked(model, span.to + askedMs);
  }
}

function blame({ headers }: CallPlan, broken: Broken | null, { exchange, got }: Seen): void {
  if (broken === null) return;
  // A separate rule forbids that such a header unlocks a key.
  const isForged = headers === 'forwarded' && broken.requirement === 'AUTH-010' && got.code === null;
  const shown = got.code === null ? outcomeOf(exchange) : `${outcomeOf(exchange)} ${got.code}`;
  must(false, {
    ...broken,
    ...(isForged ? { requirement: 'AUTH-013' } : {}),
    actual: `${shown} after ${got.attempts} upstream requests`,
    exchange,
  });
}
