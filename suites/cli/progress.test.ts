import { Writable } from 'node:stream';
import type { Verdict } from 'gatecheck-reports/report';
import { sampleReport } from 'gatecheck-reports/testing/sample-report';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Progress, type Talk } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const [sample] = sampleReport().checks;

/** The output while four checks end at intervals of five seconds. */
function writtenBy(
  talk: Talk,
  moving = false,
  verdicts: readonly Verdict[] = ['pass', 'fail', 'untestable', 'pass'],
): string {
  let written = '';
  const write = (text: Buffer, _: string, done: () => void): void => {
    written += text.toString();
    done();
  };
  const out = Object.assign(new Writable({ write }), { columns: 80 }) as unknown as NodeJS.WriteStream;
  const times = new Map(verdicts.map((_, place) => [`c.${place}`, 1_000]));
  const progress = new Progress({
    out,
    times,
    plannedMs: 20_000,
    talk,
    moving,
    now: () => Date.now(),
  }).begin();
  for (const [place, verdict] of verdicts.entries()) {
    vi.advanceTimersByTime(5_000);
    if (sample !== undefined) progress.add({ ...sample, id: `c.${place}`, verdict, target: 'target' });
  }
  progress.end();
  vi.advanceTimersByTime(60_000);
  return written;
}

it('a log shows failures at once, and a line with the counts and the time left every ten seconds', () => {
  const lines = writtenBy('usual').trimEnd().split('\n');
  expect(lines).toEqual([
    '1/4 checks, 0 failed, about 30 s left',
    expect.stringMatching(/FAIL.* c\.1/),
    '3/4 checks, 1 failed, waiting for c.3',
  ]);
});

it('a waived failure is counted, and is no failure', () => {
  const text = writtenBy('usual', false, ['waived', 'pass', 'pass', 'pass']);
  expect(text).toContain('1/4 checks, 0 failed, 1 waived, ');
  expect(text).not.toContain('FAIL');
});

it('a terminal shows one moving line with a bar', () => {
  const text = writtenBy('usual', true);
  expect(text).toContain('[============            ] 2/4 checks, 1 failed, waiting for c.2 and c.3');
  expect(text.split('\n')).toHaveLength(2);
});

it('the time left follows the speed of the run without a jump', () => {
  const left = [
    ...writtenBy(
      'usual',
      true,
      Array.from({ length: 12 }, () => 'pass' as const),
    ).matchAll(/about (\d+) s/g),
  ];
  const seconds = left.map(([, text]) => Number(text));
  const steps = seconds.slice(1).map((next, place) => Math.abs(next - (seconds[place] ?? 0)));
  expect(Math.max(...steps)).toBeLessThanOrEqual(5);
  expect(seconds.at(-1)).toBeLessThan(20);
});

it('verbose names passing checks, and quiet prints nothing', () => {
  expect(writtenBy('verbose')).toMatch(/pass.* c\.0[\s\S]*FAIL.* c\.1[\s\S]*pass.* c\.3/);
  expect(writtenBy('quiet')).toBe('');
});
