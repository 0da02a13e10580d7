import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import type { Kept } from './backlog.ts';
import { addStoreMetrics } from './store-metrics.ts';

const kept: Kept = {
  backlogs: [
    { kind: 'tasks', open: 7, due: 2, oldestDueMs: 1_500 },
    { kind: 'events', open: 0, due: 0, oldestDueMs: 0 },
  ],
  holds: 3,
};

function watched(readKept: () => Promise<Kept>): { registry: Registry; timer: TestClock } {
  const registry = new Registry();
  const timer = new TestClock();
  addStoreMetrics(registry, { readKept, slots: async () => [{ held: 2 }, { held: 3 }], timer });
  return { registry, timer };
}

it('shows the open work in the database, with one query for all metrics of a scrape', async () => {
  let readings = 0;
  const { registry, timer } = watched(async () => {
    readings += 1;
    return kept;
  });
  const text = await registry.metrics();
  for (const line of [
    'work_open{kind="tasks"} 7',
    'work_due{kind="tasks"} 2',
    'work_due{kind="events"} 0',
    'work_oldest_due_seconds{kind="tasks"} 1.5',
    'open_holds 3',
    'slots_held 5',
  ])
    expect(text).toContain(`gatecheck_${line}\n`);
  expect(readings).toBe(1);
  await timer.advance(500);
  await registry.metrics();
  expect(readings).toBe(2);
});

it('omits these metrics while the database fails, and shows them again afterwards', async () => {
  let fails = true;
  const { registry, timer } = watched(async () => {
    if (fails) throw new Error('no database');
    return kept;
  });
  expect(await registry.metrics()).not.toMatch(/^gatecheck_/m);
  fails = false;
  await timer.advance(500);
  expect(await registry.metrics()).toContain('gatecheck_open_holds 3\n');
});

it('omits these metrics when the database does not answer in time', async () => {
  const { registry, timer } = watched(() => new Promise(() => {}));
  const text = registry.metrics();
  await timer.advance(4_000);
  expect(await text).not.toMatch(/^gatecheck_/m);
});
