import { beforeEach, describe, expect, it } from 'vitest';
import { Breaker, type BreakerChange } from './breaker.ts';

const limits = {
  consecutive_failures: 5,
  window_ms: 30_000,
  window_least: 10,
  window_failure_percent: 50,
  cool_down_ms: [30_000, 60_000],
  account_out_ms: 300_000,
};
/** Some moment, not the first of all. */
const T = 1_000_000;

let breaker: Breaker;
let changes: BreakerChange[];
beforeEach(() => {
  changes = [];
  breaker = new Breaker(limits, (change) => changes.push(change));
});

/** One call that ends at once. */
function call(outcome: 'ok' | 'failed' | 'account' | 'ignored', nowMs: number): void {
  const admitted = breaker.admit(nowMs);
  if (admitted === null) throw new Error('no call was admitted');
  if (outcome === 'ok') breaker.succeeded(admitted, nowMs);
  else if (outcome === 'ignored') breaker.abandoned(admitted);
  else breaker.failed(admitted, nowMs, 'server', outcome === 'account');
}

function openAt(nowMs: number): void {
  for (let i = 0; i < 5; i += 1) call('failed', nowMs);
}

describe('a closed breaker', () => {
  it('opens with the fifth failure in a row, not with the fourth', () => {
    for (let i = 0; i < 4; i += 1) call('failed', T);
    expect(breaker.state(T)).toBe('closed');
    call('failed', T);
    expect(breaker.state(T)).toBe('open');
    const why = '5 failures in a row, the last: server';
    expect(changes).toEqual([{ from: 'closed', to: 'open', why, forMs: 30_000, opening: 1 }]);
  });

  it('begins to count anew after a success, and passes over what is ignored', () => {
    for (let i = 0; i < 4; i += 1) call('failed', T);
    call('ok', T);
    for (let i = 0; i < 4; i += 1) call('failed', T);
    call('ignored', T);
    expect(breaker.state(T)).toBe('closed');
  });

  it.for([
    ['nine outcomes are too few', 'xoxoxoxox', 'closed'],
    ['five failures of ten are enough', 'ooxoxoxoxx', 'open'],
    ['whatever the tenth is', 'xoxoxoxoxo', 'open'],
    ['four failures of ten are not', 'xxxxoooooo', 'closed'],
    ['later ones count as much', 'ooooooxxxxoxxx', 'open'],
  ] as const)('opens by the share of failures: %s', ([, outcomes, state]) => {
    for (const outcome of outcomes) call(outcome === 'x' ? 'failed' : 'ok', T);
    expect(breaker.state(T)).toBe(state);
  });

  it.for([
    [29_999, 'open'],
    [30_000, 'closed'],
    [30_001, 'closed'],
  ] as const)('counts outcomes that are younger than the window: %i ms', ([ageMs, state]) => {
    call('failed', T);
    for (const outcome of ['ok', 'failed', 'ok', 'failed', 'ok', 'failed', 'ok', 'failed'] as const)
      call(outcome, T + ageMs - 1);
    call('ok', T + ageMs);
    expect(breaker.state(T + ageMs)).toBe(state);
  });

  it('is opened at once by an account that is no use, for as long as that takes', () => {
    call('account', T);
    expect(breaker.waitMs(T)).toBe(300_000);
    expect(breaker.admits(T + 299_999)).toBe(false);
    expect(breaker.admits(T + 300_000)).toBe(true);
  });
});

describe('an open breaker', () => {
  it.for([
    [0, 30_000, false],
    [29_999, 1, false],
    [30_000, 0, true],
    [30_001, 0, true],
  ] as const)('after %i ms waits %i more', ([afterMs, waitMs, admits]) => {
    openAt(T);
    expect(breaker.waitMs(T + afterMs)).toBe(waitMs);
    expect(breaker.admits(T + afterMs)).toBe(admits);
    expect(breaker.admit(T + afterMs) !== null).toBe(admits);
  });

  it('takes no notice of calls from before, whatever comes of them', () => {
    const early = [breaker.admit(T), breaker.admit(T), breaker.admit(T)];
    openAt(T);
    const [good, bad, out] = early;
    if (!good || !bad || !out) throw new Error('no call was admitted');
    breaker.succeeded(good, T + 10);
    breaker.failed(bad, T + 20, 'timeout', false);
    breaker.failed(out, T + 30, 'credentials', true);
    expect(breaker.waitMs(T + 30)).toBe(29_970);
  });
});

describe('a half-open breaker', () => {
  const half = T + 30_000;
  beforeEach(() => openAt(T));

  it('lets exactly one of a hundred calls pass, until its probe has ended', () => {
    const passages = Array.from({ length: 100 }, () => breaker.admit(half));
    expect(passages.filter((admitted) => admitted !== null)).toHaveLength(1);
    expect(breaker.admits(half + 3_600_000)).toBe(false);
  });

  it('closes with one success and knows nothing of the past', () => {
    call('ok', half);
    expect(breaker.state(half)).toBe('closed');
    for (let i = 0; i < 4; i += 1) call('failed', half);
    expect(breaker.state(half)).toBe('closed');
    call('failed', half);
    expect(breaker.waitMs(half)).toBe(30_000);
  });

  it('opens again with one failure, for longer, and stays with the longest wait', () => {
    call('failed', half);
    expect(breaker.waitMs(half)).toBe(60_000);
    call('failed', half + 60_000);
    expect(breaker.waitMs(half + 60_000)).toBe(60_000);
    expect(changes.map(({ from, to }) => `${from}>${to}`)).toEqual([
      'closed>open',
      'open>half-open',
      'half-open>open',
      'open>half-open',
      'half-open>open',
    ]);
  });

  it('makes room for the next probe when one is abandoned', () => {
    call('ignored', half);
    expect(breaker.state(half)).toBe('half-open');
    expect(breaker.admit(half)).not.toBeNull();
    expect(breaker.admit(half)).toBeNull();
  });

  it('takes no notice of an abandoned probe', () => {
    const first = breaker.admit(half);
    if (first === null) throw new Error('no probe');
    breaker.abandoned(first);
    breaker.succeeded(first, half);
    breaker.failed(first, half, 'late', false);
    expect(breaker.state(half)).toBe('half-open');
    const second = breaker.admit(half);
    breaker.abandoned(first);
    expect([second === null, breaker.admits(half)]).toEqual([false, false]);
  });
});
