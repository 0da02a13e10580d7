import { expect, it } from 'vitest';
import type { TaskPrice } from '../../billing/task-price.ts';
import type { UsageRecord } from '../../billing/usage-record.ts';
import { formatUsd } from '../../money/pico.ts';
import { settleTask } from './charge.ts';
import type { Task, TaskEnding } from './task.ts';

const dollar = 10n ** 12n;
const seconds: TaskPrice = { unit: 'second', unitPico: dollar / 20n, markupBp: 1000 };
const task: Task = {
  id: 'task_1',
  requestId: 'req_1',
  accountId: 'acc',
  userId: 'usr',
  appId: 'app',
  keyId: 'key-1',
  model: 'vidB2',
  medium: 'video',
  action: null,
  fields: { prompt: 'the sea', duration: 10 },
  parents: ['task_0', 'task_00'],
  webhookUrl: null,
  channelsOf: ['acc'],
  price: seconds,
  status: 'RUNNING',
  submittedAtMs: 1000,
  deadlineAtMs: 99_000,
  channelId: 'ch-jobs',
  nativeId: 'job_1',
  startTries: 2,
  pollTries: 0,
  ending: null,
  endedAtMs: null,
};
const made = (durationSec: number | null, files = 1): TaskEnding => ({
  status: 'SUCCESS',
  results: Array.from({ length: files }, (_, at) => ({ file: `f${at}.mp4` })),
  durationSec,
});
const failed: TaskEnding = {
  status: 'FAILED',
  error: { code: 'content_filter', message: 'Blocked.', param: null, channel: 'ch-jobs' },
};

async function recordOf(ending: TaskEnding, price = seconds): Promise<UsageRecord> {
  const records: UsageRecord[] = [];
  const ledger = { settle: async (record: UsageRecord) => void records.push(record) };
  await settleTask({ ledger: { ...unused, ...ledger } }, { ...task, price }, ending, 5000);
  const [record] = records;
  if (record === undefined || records.length !== 1) throw new Error(`${records.length} records`);
  return record;
}
const never = () => Promise.reject(new Error('only settled'));
const unused = {
  hold: never,
  release: never,
  grant: never,
  correct: never,
  releaseOfTask: async () => {},
  entrust: () => {},
};

it('charges a task under the request that handed it in, with its chain', async () => {
  expect(await recordOf(made(10))).toEqual({
    request_id: 'req_1',
    account_id: 'acc',
    user_id: 'usr',
    app_id: 'app',
    key_id: 'key-1',
    model_requested: 'vidB2',
    model_served: 'vidB2',
    channel_id: 'ch-jobs',
    outcome: 'success',
    stream: false,
    attempts: 2,
    prompt_tokens: 0n,
    completion_tokens: 0n,
    cached_tokens: 0n,
    cache_write_5m_tokens: 0n,
    cache_write_1h_tokens: 0n,
    usage_known: true,
    units: 10,
    unit: 'second',
    task_id: 'task_1',
    end_user: null,
    metadata: null,
    charge_pico: 550_000_000_000n,
    price: seconds,
    parents: ['task_0', 'task_00'],
    started_at_ms: 1000,
    ended_at_ms: 5000,
  });
});

it.each<[string, TaskEnding, TaskPrice['unit'], number, string]>([
  ['the seconds that were made, not those asked for', made(5), 'second', 5, '0.275'],
  ['one second of a video whose length nobody knows', made(null), 'second', 1, '0.055'],
  ['each picture', made(null, 4), 'image', 4, '0.22'],
  ['the task, whatever it made', made(8, 2), 'task', 1, '0.055'],
  ['nothing of a failed task', failed, 'task', 0, '0'],
  ['nothing of one that came too late', { status: 'EXPIRED' }, 'task', 0, '0'],
])('counts %s', async (_what, ending, unit, units, dollars) => {
  const record = await recordOf(ending, { ...seconds, unit });
  expect({ ...record, charge: formatUsd(record.charge_pico) }).toMatchObject({
    units,
    unit,
    charge: dollars,
  });
});

it('records how the task ended', async () => {
  const outcomes = [made(1), failed, { status: 'EXPIRED' } as const].map(
    async (end) => (await recordOf(end)).outcome,
  );
  expect(await Promise.all(outcomes)).toEqual(['success', 'content_filter', 'expired']);
});
