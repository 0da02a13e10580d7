import { expect, it } from 'vitest';
import type { ScriptedJob } from '../../control/job-shapes.ts';
import { Job } from './job.ts';
import { JobBook } from './job-book.ts';

const parts = (id: string, life: ScriptedJob = {}) => ({
  id,
  channel: 'video',
  dialect: 'jobs' as const,
  model: 'vidB2-native',
  reference: `key of ${id}`,
  created_at_ms: 1000,
  parent: null,
  request_n: 1,
  task: null,
  life,
  files: [],
  fingerprint: '',
  appliedFault: null,
});

const statuses = (job: Job, ...times: number[]): string[] => times.map((atMs) => job.statusAt(1000 + atMs));

it('waits, runs and succeeds by time, at the default times', () => {
  const job = new Job(parts('a'));
  expect(statuses(job, 0, 19, 20, 39, 40)).toEqual(['queued', 'queued', 'running', 'running', 'success']);
  expect([job.endedAt(1039), job.endedAt(1500)]).toEqual([null, 1040]);
  expect([job.changesAfter(1000), job.changesAfter(1020), job.changesAfter(1040)]).toEqual([
    1020,
    1040,
    null,
  ]);
});

it('skips running if its queue time exceeds its total time', () => {
  const job = new Job(parts('a', { queued_ms: 500 }));
  expect(statuses(job, 499, 500)).toEqual(['queued', 'success']);
});

it('reports progress, which is 100 only at the end', () => {
  const job = new Job(parts('a', { queued_ms: 100, running_ms: 300 }));
  const progress = [0, 100, 200, 299.9, 300].map((atMs) => job.viewAt(1000 + atMs, []).progress);
  expect(progress).toEqual([0, 0, 50, 99, 100]);
});

it('is dropped with its reference and files after ten thousand newer jobs', () => {
  const book = new JobBook();
  for (let at = 0; at <= 10_000; at += 1) book.add(parts(`job-${at}`));
  expect([book.find('job-0'), book.named('video', 'key of job-0')]).toEqual([null, []]);
  expect(book.find('job-1')?.parts.id).toBe('job-1');
  expect(book.named('video', 'key of job-10000')).toHaveLength(1);
  expect(book.named('other', 'key of job-10000')).toEqual([]);
  book.clear();
  expect([book.isEmpty, book.list(0)]).toEqual([true, []]);
});
