import { describe, expect, it } from 'vitest';
import type { Exchange } from '../wire/exchange.ts';
import { type CostPhase, searchCosts } from './cost-phase.ts';
import type { DraftRequest } from './grammar/subject.ts';
import { everySubject } from './testing/served.ts';

/** A deployment that stalls by a rule, and a bystander who measures the stalls. */
function phaseOf(stallOf: (draft: DraftRequest, call: number) => number): CostPhase {
  let [call, worst] = [0, 1];
  return {
    ...{ seed: 1, bodies: 40, stallMs: 50, signal: new AbortController().signal },
    bounds: {
      subjects: everySubject.filter(({ endpoint }) => endpoint === 'chat').slice(0, 2),
      ...{ leastBytes: 1_024, mostBytes: 64 * 1_024, mustBeRefused: false },
    },
    sleep: () => Promise.resolve(),
    send: (draft) => {
      call += 1;
      worst = 1 + stallOf(draft, call);
      return Promise.resolve(exchangeOf(draft, worst));
    },
    take: () => {
      const samples = [{ startedAt: 0, ms: worst, status: 200 }];
      worst = 1;
      return Promise.resolve(samples);
    },
    onAnswer: () => undefined,
  };
}

function exchangeOf(draft: DraftRequest, endMs: number): Exchange {
  const request = { method: draft.method, url: draft.path, headers: [], body: draft.body };
  const response = { status: 400, headers: [], body: Buffer.alloc(0), complete: true, firstByteMs: 1, endMs };
  return { label: '', request, response, error: null, sentAt: 0, endedAt: endMs };
}

describe('the search for costs', () => {
  it.each([1, 2, 5])('sends exactly %i bodies when limited to them', async (bodies) => {
    expect((await searchCosts({ ...phaseOf(() => 0), bodies })).sent).toBe(bodies);
  });

  it('blames no body for stalls that come and go by themselves', async () => {
    const { stalls, worstSeenMs } = await searchCosts(phaseOf((_, call) => (call % 3 === 0 ? 200 : 0)));
    expect(worstSeenMs).toBe(200);
    expect(stalls.length).toBeGreaterThan(0);
    expect(stalls.filter(({ isConfirmed }) => isConfirmed)).toEqual([]);
  });

  it('blames no body where everything is slow', async () => {
    const { stalls } = await searchCosts(phaseOf(() => 300));
    expect(stalls.filter(({ isConfirmed }) => isConfirmed)).toEqual([]);
  });
});
