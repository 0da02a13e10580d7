import { setTimeout as wait } from 'node:timers/promises';
import { mediaPricing } from '../../suites/engine/declared-price.ts';
import { mediaRequest, taskReadRequest } from '../../suites/engine/requests.ts';
import type { Pico } from '../../suites/oracle/money.ts';
import type { Profile } from '../../suites/profile/profile.ts';
import type { Rng } from '../../suites/values/seed.ts';
import { type Ask, type Protocol, type TakerParts, take, worth } from './taker.ts';

/** What a round of a strategy received, and what it may leave unpaid, in pico-dollars. */
export interface Haul {
  /** The value received by each call. */
  readonly taken: readonly Pico[];
  readonly mayBeFree?: Pico;
  readonly mayBeOwed?: Pico;
}

export interface Strategy {
  readonly name: string;
  /** The credits of the account of each round, in dollars. */
  readonly credits: string;
  /** The account's maximum calls in flight. */
  readonly cap: number;
  play(taker: TakerParts): Promise<Haul>;
}

const rich = '1000';
const callsEach = 12;

const targets: readonly (readonly [Protocol, string])[] = [
  ['core', 'alpha-5-2'],
  ['core', 'beta-mid-4-5'],
  ['core', 'gamma-3-flash'],
  ['core', 'delta-3'],
  ['compat A', 'beta-mid-4-5'],
  ['compat B', 'gamma-3-flash'],
];

function drawnAsk(rng: Rng): Ask {
  const [protocol, model] = rng.pick(targets);
  const pieces = 20 + rng.int(200);
  return { protocol, model, isStream: true, pieces, promptTokens: 5 + rng.int(3_000) };
}

/** Makes several calls at once, as the cap allows. */
function each(taker: TakerParts, asks: readonly Ask[]): Promise<Pico[]> {
  return Promise.all(asks.map((ask) => take(taker, ask)));
}

function drawn(taker: TakerParts, more: (ask: Ask) => Partial<Ask>, count = callsEach): Ask[] {
  return Array.from({ length: count }, () => {
    const ask = drawnAsk(taker.rng);
    return { ...ask, ...more(ask) };
  });
}

/** Leaves as soon as the wanted text has arrived; the rest is filler. */
const leavesAtMark: Strategy = {
  ...{ name: 'leaves at a mark', credits: rich, cap: callsEach },
  play: async (taker) => {
    const { rng } = taker;
    const paces = [{}, { pacing: { each_ms: 2 } }, { pacing: { first_ms: 50, each_ms: 10 } }];
    const asks = drawn(taker, ({ pieces }) => ({ leaveAt: rng.int(pieces), reply: rng.pick(paces) }));
    return { taken: await each(taker, asks) };
  },
};

const leavesAtOnce: Strategy = {
  ...{ name: 'leaves before the answer', credits: rich, cap: callsEach },
  play: async (taker) => ({
    taken: await each(
      taker,
      drawn(taker, () => ({ leaveAt: 'once', isStream: taker.rng.int(2) === 0 })),
    ),
  }),
};

/** Abandons more calls than the gateway reads on for one user, spread over the time it reads them. */
const leavesInCrowd: Strategy = {
  ...{ name: 'leaves in a crowd of 80', credits: rich, cap: 80 },
  play: async (taker) => {
    const slow = { pieces: 300, reply: { pacing: { each_ms: 100 } } };
    return {
      taken: await each(
        taker,
        drawn(taker, () => ({ ...slow, leaveAt: taker.rng.int(30) }), 80),
      ),
    };
  },
};

/** Makes the gateway end the answer with a stop sequence that the upstream ignores. */
const stopsAtWord: Strategy = {
  ...{ name: 'stops at a word', credits: rich, cap: callsEach },
  play: async (taker) => {
    const { rng } = taker;
    const asks = drawn(taker, ({ pieces }) => ({ stopAt: rng.int(pieces), isStream: rng.int(2) === 0 }));
    return { taken: await each(taker, asks) };
  },
};

/** Leaves during the answer of a later attempt. */
const leavesAfterRetry: Strategy = {
  ...{ name: 'leaves after a retry', credits: rich, cap: callsEach },
  play: async (taker) => {
    const asks = drawn(taker, ({ pieces }) => ({
      leaveAt: taker.rng.int(pieces),
      model: 'duo-alpha',
      protocol: 'core',
    }));
    await taker.tenant.addFault({ when: { channel: 'duo-alpha-1' }, reply: { status: 503 } });
    return { taken: await each(taker, asks) };
  },
};

/** Requests more at once than a cent pays for, on a model that falls back to another one. */
function fallsBack(name: string, maxTokens: number | undefined): Strategy {
  const [cap, pieces, promptTokens] = [20, 200, 100];
  return {
    ...{ name, credits: '0.01', cap },
    play: async (taker) => {
      await taker.tenant.addFault({ when: { channel: 'lead' }, reply: { status: 503 } });
      const more = maxTokens === undefined ? {} : { maxTokens };
      const ask: Ask = {
        ...{ protocol: 'core', model: 'lead-1', served: 'reserve-1', isStream: true },
        ...{ pieces, promptTokens, ...more },
      };
      const taken = await each(
        taker,
        Array.from({ length: cap }, () => ask),
      );
      const one = worth(taker.profile, 'reserve-1', promptTokens, pieces);
      // An estimate with `max_tokens` covers the answer; the call that spends the last credits may exceed them.
      return { taken, mayBeOwed: maxTokens === undefined ? one * BigInt(cap) : one };
    },
  };
}

/** Takes the text before its upstream breaks off: counts that never arrived are not charged (reading B-36). */
const takesBroken: Strategy = {
  ...{ name: 'takes answers of broken upstreams', credits: rich, cap: callsEach },
  play: async (taker) => {
    const asks = drawn(taker, ({ pieces }) => ({
      reply: { cut: { after: 1 + taker.rng.int(pieces - 1), by: 'rst' } },
    }));
    const taken = await each(taker, asks);
    return { taken, mayBeFree: taken.reduce((sum, received) => sum + received, 0n) };
  },
};

/** Submits more tasks than its credits pay for, some of which fail, and reads the results. */
const takesResults: Strategy = {
  ...{ name: 'takes results of tasks', credits: '2', cap: callsEach },
  play: async (taker) => {
    const { tenant, rng } = taker;
    const ends = ['success', 'failed', 'canceled'] as const;
    await tenant.script({
      replies: Array.from({ length: callsEach }, () => ({ job: { end: rng.pick(ends) } })),
      match: { dialect: 'jobs' },
      optional: true,
    });
    return { taken: await Promise.all(Array.from({ length: callsEach }, () => takeResult(taker))) };
  },
};

/** Has videos enlarged whose length only their result shows, and whose price exceeds its credits. */
const takesLongResults: Strategy = {
  ...{ name: 'takes longer results than it can pay', credits: '100', cap: callsEach },
  play: async (taker) => {
    const { tenant, rng } = taker;
    // Beyond the 600 seconds that are held without a length. The credits pay for one of two, whichever ends first.
    const seconds = 770 + rng.int(130);
    await tenant.script({
      replies: Array.from({ length: callsEach }, () => ({ job: { duration_s: seconds } })),
      match: { dialect: 'jobs' },
      optional: true,
    });
    const asked = { body: enlarged, seconds };
    return {
      taken: await Promise.all(Array.from({ length: callsEach }, () => takeResult(taker, asked))),
    };
  },
};

const enlarged = { model: 'upscale-video', video_url: 'https://example.com/sea.mp4' };
const video = { body: { model: 'vidB2', prompt: 'A lighthouse', duration: 5 }, seconds: 5 };

/** The value of the results of a task that lasts so long; zero if it has none. */
async function takeResult(
  { gateway, account, profile }: TakerParts,
  { body, seconds }: { readonly body: { readonly model: string }; readonly seconds: number } = video,
): Promise<Pico> {
  const { response } = await gateway.send(mediaRequest('submit', body, {}, account.key));
  if (response?.status !== 200) return 0n;
  const id = (JSON.parse(response.body.toString()) as { task_id?: string }).task_id ?? '';
  for (const until = performance.now() + 20_000; performance.now() < until; await wait(100)) {
    const read = await gateway.send(taskReadRequest(id, {}, account.key));
    const task = JSON.parse(read.response?.body.toString() || '{}') as {
      status?: string;
      result_urls?: unknown[];
    };
    if ((task.result_urls ?? []).length > 0) return videoPrice(profile, body.model, seconds);
    if (task.status === 'FAILED') break;
  }
  return 0n;
}

function videoPrice(profile: Profile, model: string, seconds: number): Pico {
  const price = mediaPricing(profile, model, { bp: 0 });
  if (price === null) throw new Error(`the stack declares no price of ${model}`);
  return price({ images: 0, seconds });
}

export const strategies: readonly Strategy[] = [
  leavesAtMark,
  leavesAtOnce,
  leavesInCrowd,
  stopsAtWord,
  leavesAfterRetry,
  fallsBack('falls back with a cent, bounded', 200),
  fallsBack('falls back with a cent, unbounded', undefined),
  takesBroken,
  takesResults,
  takesLongResults,
];
