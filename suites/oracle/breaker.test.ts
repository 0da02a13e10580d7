import { describe, expect, it } from 'vitest';
import { BreakerModel, type BreakerRules, type Outcome } from './breaker.ts';

const rules: BreakerRules = {
  consecutiveFailures: 5,
  windowMs: 30_000,
  windowLeast: 10,
  windowFailurePercent: 50,
  coolDownMs: [30_000, 60_000],
};
const slackMs = 500;
const moment = (ms: number) => ({ from: ms, to: ms + 20 });

/** A breaker model after these outcomes, one every 100 ms. */
function modelAfter(...outcomes: Outcome[]): BreakerModel {
  const model = new BreakerModel(rules, slackMs);
  for (const [place, outcome] of outcomes.entries())
    expect(model.attempted({ began: moment(place * 100), outcome: outcome })).toBe(true);
  return model;
}

const failures = (count: number): Outcome[] => Array.from({ length: count }, () => 'failure');

describe('the breaker model', () => {
  it('admits every call until five consecutive failures, then none', () => {
    expect(modelAfter(...failures(4)).duty(moment(600))).toBe('pass');
    const open = modelAfter(...failures(5));
    expect(open.duty(moment(600))).toBe('refuse');
    expect(open.attempted({ began: moment(600), outcome: 'success' })).toBe(false);
  });

  it('counts from zero again after a success', () => {
    expect(modelAfter(...failures(4), 'success', ...failures(4)).duty(moment(1_000))).toBe('pass');
  });

  it('opens when half of ten outcomes in the window failed, but ignores outcomes that have left the window', () => {
    const mixed: Outcome[] = ['success', 'failure', 'failure', 'failure', 'success'];
    const open = modelAfter(...mixed, 'success', 'failure', 'success', 'success', 'failure');
    expect(open.duty(moment(1_100))).toBe('refuse');
    const late = modelAfter(...mixed);
    for (const outcome of ['success', 'failure', 'success', 'success', 'failure'] as const)
      late.attempted({ began: moment(31_500), outcome: outcome });
    expect(late.duty(moment(32_000))).toBe('pass');
  });

  it('accepts either answer within the tolerance around the end of a cool-down, and only one outside', () => {
    const duties = [29_000, 30_400, 31_500].map((ms) => modelAfter(...failures(5)).duty(moment(400 + ms)));
    expect(duties).toEqual(['refuse', 'either', 'pass']);
    expect(modelAfter(...failures(5)).refused(moment(31_500))).toBe(false);
  });

  it('cools down longer after a failed probe, and restarts after a successful probe', () => {
    const again = modelAfter(...failures(5));
    expect(again.attempted({ began: moment(32_000), outcome: 'failure' })).toBe(true);
    expect([again.duty(moment(63_000)), again.duty(moment(93_000))]).toEqual(['refuse', 'pass']);
    expect(again.attempted({ began: moment(93_000), outcome: 'success' })).toBe(true);
    for (const ms of [93_100, 93_200, 93_300, 93_400])
      again.attempted({ began: moment(ms), outcome: 'failure' });
    expect(again.duty(moment(93_500))).toBe('pass');
    again.attempted({ began: moment(93_500), outcome: 'failure' });
    expect([again.duty(moment(120_000)), again.duty(moment(125_000))]).toEqual(['refuse', 'pass']);
  });

  it('closes after as many successful probes as its rules say, and reopens after a failed one', () => {
    const model = new BreakerModel({ ...rules, probes: 2 }, slackMs);
    const tell = (ms: number, outcome: Outcome): boolean => model.attempted({ began: moment(ms), outcome });
    for (let place = 0; place < 5; place += 1) tell(place, 'failure');
    expect(tell(31_000, 'success')).toBe(true);
    expect(model.probing(moment(31_100))).toBe('pass');
    expect(tell(31_200, 'success')).toBe(true);
    expect(model.probing(moment(31_300))).toBe('refuse');
    for (let place = 0; place < 5; place += 1) tell(31_400 + place, 'failure');
    expect([tell(62_000, 'success'), tell(62_100, 'failure')]).toEqual([true, true]);
    expect(model.duty(moment(93_000))).toBe('refuse');
  });

  it('reports a due probe only after the cool-down of an open breaker', () => {
    const model = modelAfter(...failures(5));
    expect([model.probing(moment(20_000)), model.probing(moment(32_000))]).toEqual(['refuse', 'pass']);
    expect(modelAfter('success').probing(moment(32_000))).toBe('refuse');
  });

  it('ignores neutral outcomes, and leaves unsure outcomes open', () => {
    const ignoring = modelAfter(...failures(4), 'ignored');
    expect(ignoring.duty(moment(600))).toBe('pass');
    ignoring.attempted({ began: moment(600), outcome: 'failure' });
    expect(ignoring.duty(moment(700))).toBe('either');
    expect(ignoring.refused(moment(700))).toBe(true);
    expect(ignoring.duty(moment(800))).toBe('refuse');
  });

  it('accepts a second attempt of the call whose first attempt opened the breaker, but no new call', () => {
    const model = modelAfter(...failures(5));
    expect(model.attempted({ began: moment(410), outcome: 'failure', again: true })).toBe(true);
    expect(model.attempted({ began: moment(600), outcome: 'failure' })).toBe(false);
  });
});
