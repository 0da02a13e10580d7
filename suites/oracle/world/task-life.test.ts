import { expect, it } from 'vitest';
import { TaskLife } from './task-life.ts';

const times = { deadlineMs: 600_000, retentionMs: 3_600_000, marginMs: 60_000 };

it('shows a task only to its account, with the end of its job, until its retention is over', () => {
  const life = new TaskLife(times, 0);
  expect(life.mayShow(true, 1_000)).toMatchObject({ statuses: ['QUEUED', 'RUNNING'], unknown: false });
  life.ends('FAILED', 5_000);
  life.ends('SUCCESS', 6_000);
  expect(life.mayShow(true, 700_000)).toMatchObject({ statuses: ['FAILED'], unknown: false });
  expect(life.mayShow(false, 700_000)).toMatchObject({ statuses: [], unknown: true });
  expect(life.mayShow(true, 3_700_000)).toMatchObject({ statuses: [], unknown: true });
});

it('lets an unfinished task expire at its deadline, after which its job cannot end it', () => {
  const life = new TaskLife(times, 0);
  expect(life.mayShow(true, 590_000).statuses).toEqual(['QUEUED', 'RUNNING', 'EXPIRED']);
  expect(life.mayEnd(590_000)).toBe(false);
  life.ends('SUCCESS', 700_000);
  expect(life.mayShow(true, 700_000)).toMatchObject({ statuses: ['EXPIRED'], requirement: 'STATE-007' });
});
