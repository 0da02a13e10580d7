import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { Cases } from '../../engine/parts/cases.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { native } from '../../generators/native-answer.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { textSoFar } from '../../oracle/text-so-far.ts';
import type { Dialect } from '../../profile/dialects.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import { isServed, mustServe } from '../../steps/failures/outage-state.ts';
import { freedWithinMs } from '../../steps/failures/pass-timeouts.ts';
import {
  type BreakerBudget,
  breakerBudgetsOf,
  type RoutedCall,
  routedCall,
  routesOf,
  serverFault,
} from '../../steps/failures/routed-call.ts';

/** One way for the call in a channel's only slot to end. */
interface Ending {
  readonly title: string;
  readonly reply: (dialect: Dialect, stream: boolean) => Reply;
  readonly streams: readonly boolean[];
  /** The client disconnects when the call is at the upstream, or when its text has begun. */
  readonly leaves?: true;
}

const both = [false, true];
const pieces = ['One, ', 'two, ', 'three.'];

const endings: readonly Ending[] = [
  { title: 'a failure of the upstream', reply: () => serverFault, streams: both },
  { title: 'a broken connection', reply: () => ({ cut: { after: 'head', by: 'rst' } }), streams: both },
  {
    title: 'an unusable answer',
    reply: () => ({ status: 200, body: '<h1>It works!</h1>' }),
    streams: both,
  },
  {
    title: 'an unknown error',
    reply: () => ({ status: 418, body: 'short and stout' }),
    streams: both,
  },
  {
    title: 'a prompt that policy blocks',
    reply: (dialect, stream) => native(dialect).blocked(stream),
    streams: both,
  },
  { title: 'a prompt that is too long', reply: (dialect) => native(dialect).tooLong, streams: both },
  {
    title: 'a stream that breaks',
    reply: () => ({ deltas: pieces, cut: { after: 2, by: 'fin' } }),
    streams: [true],
  },
  {
    title: 'a client that disconnects early',
    reply: () => ({ gates: ['head'] }),
    streams: both,
    leaves: true,
  },
  {
    title: 'a client that disconnects midway',
    reply: () => ({ deltas: pieces, gates: [1] }),
    streams: [true],
    leaves: true,
  },
];

export const roomComesBack = defineCheck({
  id: 'route.full.room-back',
  title: 'a channel that takes one call at a time is free again however the previous call ended',
  requirements: ['ROUTE-010'],
  kind: 'concurrency',
  needs: ['upstream.control', 'upstream.routes.narrow'],
  run: async (parts) => {
    const { cases, tenants, target, judge } = parts;
    // Models of the compat paths are asked there.
    for (const budget of breakerBudgetsOf(tenants, routesOf(target, 'narrow').slice(0, 1)))
      for (const ending of endings)
        for (const stream of ending.streams) {
          cases.count();
          await keepClosed(parts, budget.model);
          await end(judge, budget, ending, stream);
          await judgeFree(cases, budget, ending);
        }
  },
});

async function end(
  judge: Judge,
  { tenant, model, channels }: BreakerBudget,
  ending: Ending,
  stream: boolean,
): Promise<void> {
  const scene = tenant.newScene();
  await scene.script(ending.reply(channels[0]?.dialect ?? dialectOf(model), stream));
  const label = `${model}: ${ending.title}${stream ? ', stream' : ''}`;
  const live = tenant.http.openChat({ ...scene.minimal(model), ...(stream ? { stream } : {}) }, { label });
  if (ending.leaves) {
    const held = await scene.held(1);
    if (!held) judge.note(`${label}: not held at the upstream`);
    if (stream && held) await live.until((body) => textSoFar(body) !== '' || body.length === 0, 1_000);
    live.abort();
  }
  await live.done;
}

/** An ended call has freed its slot: at once, or soon after its client disconnected. */
async function judgeFree(cases: Cases, budget: BreakerBudget, { title, leaves }: Ending): Promise<void> {
  const until = performance.now() + (leaves ? freedWithinMs : 0);
  let call: RoutedCall;
  do {
    cases.signal.throwIfAborted();
    call = await routedCall(budget, {}, { label: `${budget.model}, after ${title}` });
  } while (!isServed(call) && performance.now() < until);
  const expected = `an answer after a previous call that ended in ${title}`;
  mustServe(call, { requirement: 'ROUTE-010', aspect: 'free-again', expected });
}
