import { beforeEach, expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { failure } from '../upstreams/outcome.ts';
import { type CallTracker, trackCall } from './call-tracker.ts';

const maxMs = 60_000;
let clock: TestClock;
let calls: string[];
let tracker: CallTracker;
beforeEach(() => {
  clock = new TestClock(() => 0);
  calls = [];
  tracker = trackCall(clock, maxMs, {
    answered: (waitMs) => calls.push(`answered ${Math.round(waitMs / 1000)} s`),
    flows: () => calls.push('flows'),
    succeeded: () => calls.push('succeeded'),
    failed: ({ reason }) => calls.push(reason),
    abandoned: () => calls.push('abandoned'),
    left: () => {},
    over: () => calls.push('over'),
  });
});

it('reports its first outcome and no other, and leaves no timer', async () => {
  await clock.advance(2_000);
  tracker.answered();
  tracker.handedOver();
  tracker.asked();
  tracker.succeeded();
  tracker.failed(failure('server', 'late'));
  tracker.abandoned();
  tracker.handedOver();
  expect(calls).toEqual(['answered 2 s', 'succeeded', 'over']);
  expect([tracker.isOver, clock.nextDue()]).toEqual([true, null]);
});

it('ignores the outcome after its caller was slow to read, but keeps its slot until the end', async () => {
  tracker.handedOver();
  await clock.advance(4_900);
  expect(calls).toEqual([]);
  await clock.advance(100);
  expect(calls).toEqual(['abandoned']);
  tracker.asked();
  tracker.handedOver();
  tracker.failed(failure('connection', 'cut off by an upstream that waits no longer'));
  expect(calls).toEqual(['abandoned', 'over']);
  expect(clock.nextDue()).toBeNull();
});

it('does not blame the caller for a slow upstream', async () => {
  tracker.handedOver();
  tracker.asked();
  await clock.advance(30_000);
  tracker.failed(failure('timeout', 'test'));
  expect(calls).toEqual(['timeout', 'over']);
});

it('reports that a stream works if it still delivers after ten seconds', async () => {
  tracker.handedOver();
  tracker.asked();
  await clock.advance(9_900);
  tracker.handedOver();
  tracker.asked();
  expect(calls).toEqual([]);
  await clock.advance(100);
  tracker.handedOver();
  expect(calls).toEqual(['flows']);
  tracker.succeeded();
  expect(calls).toEqual(['flows', 'succeeded', 'over']);
});

it('ends by itself when no outcome is reported', async () => {
  await clock.advance(maxMs);
  expect(calls).toEqual(['abandoned', 'over']);
});
