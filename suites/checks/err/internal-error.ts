import { setTimeout as wait } from 'node:timers/promises';
import { callHook } from '../../engine/call-hook.ts';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Target } from '../../engine/parts/target.ts';
import { insideWords } from '../../oracle/error-leaks.ts';
import { callerOutcomeOf } from '../../oracle/faults/fault-verdict.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { elsewhereOf, judgeElsewhere, judgeTaskKept } from './internal-elsewhere.ts';

const rule = { requirement: 'ERR-032', aspect: 'provoked' };

/** How long the deployment may take to reconnect to its store, ms. */
const backWithinMs = 5_000;
const pauseMs = 100;

export const ownFailureIsInternalError = defineCheck({
  id: 'err.code.internal-error',
  title: 'a failure of the service itself gives 500 internal_error, only as long as its cause lasts',
  requirements: ['ERR-032', 'ERR-005', 'ERR-008'],
  kind: 'example',
  needs: ['hooks.store'],
  // No other check can run while the deployment's store is stopped.
  clock: 'alone',
  run: async (parts) => {
    const { target, http, newScene, judge, cases } = parts;
    const model = target.anyModel();
    const twin = await http.chat(newScene().minimal(model), { label: 'positive twin' });
    judge.completed(twin, { ...rule, aspect: 'twin-served', model });
    const elsewhere = await elsewhereOf(parts);
    await stopStore(target, true);
    try {
      for (const stream of [false, true]) {
        cases.count();
        const body = { ...newScene().minimal(model), ...(stream ? { stream } : {}) };
        const exchange = await http.chat(body, { label: `the store is stopped${stream ? ', stream' : ''}` });
        judgeAnswer(judge, exchange, stream, twin);
      }
      await judgeElsewhere(parts, elsewhere);
    } finally {
      await stopStore(target, false);
    }
    judge.completed(await servedAgain(parts, model), { ...rule, aspect: 'recovers', model });
    await judgeTaskKept(parts, elsewhere);
  },
});

/** A stream may begin before the failure is found. Then its error event is judged (reading B-35). */
function judgeAnswer(judge: Judge, exchange: Exchange, stream: boolean, twin: Exchange): void {
  const callerOutcome = callerOutcomeOf(exchange, stream ? 'stream' : 'plain');
  const expected = 'internal_error: the declared hook has stopped the store';
  const actual = 'a good answer while the store is stopped';
  must(callerOutcome !== 'served', { ...rule, expected, actual, exchange, twin });
  const error =
    callerOutcome === 'broken'
      ? judge.broken(exchange).error
      : judge.refused(exchange, { ...rule, codes: ['internal_error'], param: null, twin });
  must(error === null || error.code === 'internal_error', {
    ...rule,
    expected: 'an error event internal_error',
    actual: error?.code ?? 'none',
    exchange,
    twin,
  });
  must(error === null || !insideWords.test(error.message), {
    requirement: 'ERR-005',
    aspect: 'no-internals',
    expected: 'a message without internals of the service',
    actual: error?.message ?? '',
    exchange,
  });
}

/** Returns the first successful call, or the last failed one when the time is up. */
async function servedAgain({ http, newScene, cases }: CheckParts, model: string): Promise<Exchange> {
  const until = performance.now() + backWithinMs;
  for (;;) {
    const exchange = await http.chat(newScene().minimal(model), { label: 'the store is back' });
    if (isSuccess(exchange) || performance.now() > until) return exchange;
    await wait(pauseMs, undefined, { signal: cases.signal });
  }
}

/** @throws Error when the hook refuses. */
async function stopStore(target: Target, stopped: boolean): Promise<void> {
  const hook = target.profile.hooks.store;
  if (hook === undefined) throw new Untestable('hooks.store');
  await callHook({ name: 'store', ...hook, body: { stopped } });
}
