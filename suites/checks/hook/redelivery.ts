import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { queryTail } from '../../generators/target-tail.ts';
import { judgeSame } from '../../oracle/webhooks/one-event.ts';
import { type DeliverySchedule, waitBefore } from '../../oracle/webhooks/schedule.ts';
import type { Answer } from '../../receiver/protocol.ts';
import { must } from '../../rules/violation.ts';
import { anyTaskModel } from '../../steps/media/task-models.ts';
import {
  firstEvent,
  judged,
  judgedOnce,
  type ObservedTask,
  quiet,
  submitObserved,
} from '../../steps/webhooks/observed-task.ts';
import { lateMs, pass, playSchedule, scheduleOf } from './play-schedule.ts';

/** Answers of a receiver in turn, the last one repeated, and how many deliveries they cause. */
interface Behaviour {
  readonly answers: readonly Answer[];
  readonly deliveries: number;
}

const behaviours: readonly Behaviour[] = [
  ...[200, 201, 202, 204, 299].map((status) => ({ answers: [{ status }], deliveries: 1 })),
  ...[500, 503, 404, 400, 429, 401].map((status) => ({
    answers: [{ status }, { status: 202 }],
    deliveries: 2,
  })),
  { answers: [{ reset: true }, { status: 204 }], deliveries: 2 },
  { answers: [{ redirect: 'https://hooks.example.com/elsewhere' }, { status: 200 }], deliveries: 2 },
  { answers: [{ status: 502 }, { status: 500 }, { status: 201 }], deliveries: 3 },
  { answers: [{ status: 410 }], deliveries: 1 },
  // The status already acknowledges the event, whatever happens to the rest of the answer.
  { answers: [{ status: 200, ends: 'cut' }], deliveries: 1 },
  { answers: [{ status: 200, ends: 'never' }], deliveries: 1 },
];

interface Case {
  readonly task: ObservedTask;
  readonly deliveries: number;
}

/** Nothing is sent after the end of the schedule, and the task stays unchanged. */
export const wholeSchedule = defineCheck({
  id: 'hook.redelivery.schedule',
  title: 'a failed delivery is retried on schedule as the same event, freshly stamped and signed',
  requirements: ['HOOK-004', 'HOOK-009', 'HOOK-008', 'HOOK-005', 'HOOK-015'],
  kind: 'timing',
  clock: 'jump',
  needs: ['webhooks.receiver', 'webhooks.schedule'],
  run: async (parts) => {
    const schedule = scheduleOf(parts);
    const task = await submitObserved(parts, anyTaskModel(parts.target), {
      answers: [{ status: 500 }],
      tail: queryTail,
    });
    try {
      await playSchedule(parts, task, schedule);
    } finally {
      // Lets the remaining deliveries of this event end, which concern no other check.
      await task.inbox.plan({ status: 200 });
    }
  },
});

export const answersCount = defineCheck({
  id: 'hook.redelivery.answers',
  title: "2xx and 410 end an event's deliveries; any other answer or a broken connection repeats it",
  requirements: ['HOOK-004', 'HOOK-009', 'HOOK-005', 'HOOK-015', 'HOOK-007'],
  kind: 'timing',
  clock: 'jump',
  needs: ['webhooks.receiver', 'webhooks.schedule'],
  tenants: { quick: 2, full: 4 },
  run: async (parts) => {
    const { tenants, target } = parts;
    const schedule = scheduleOf(parts);
    const cases = behavioursOf(parts).filter(({ deliveries }) => deliveries <= schedule.waitsMs.length);
    const model = anyTaskModel(target);
    const tasks = await Promise.all(
      cases.map(async ({ answers, deliveries }, place) => {
        const tenant = tenants[place % tenants.length] ?? tenants[0];
        return { task: await submitObserved(parts, model, { answers, tenant, tail: queryTail }), deliveries };
      }),
    );
    try {
      await playAnswers(parts, tasks, schedule);
    } finally {
      for (const { task } of tasks) {
        await task.inbox.plan({ status: 200 });
        await task.inbox.release();
      }
    }
  },
});

/** The behaviours to run. A timeout takes real time. */
function behavioursOf({ cases, webhooks }: CheckParts): readonly Behaviour[] {
  const waits: Behaviour = { answers: [{ hold: true }, { status: 200 }], deliveries: 2 };
  return cases.full && webhooks.rules.timeout_ms !== undefined ? [...behaviours, waits] : behaviours;
}

async function playAnswers(
  parts: CheckParts,
  cases: readonly Case[],
  schedule: DeliverySchedule,
): Promise<void> {
  const rule = { requirement: 'HOOK-001', aspect: 'sent-on-success' };
  await Promise.all(cases.map(({ task }) => task.tenant.tasks.follow(task.taskId)));
  for (const { task } of cases) await firstEvent(parts.webhooks, task, rule);
  for (let attempt = 2; attempt <= 4; attempt += 1) {
    const wait = waitBefore(schedule, attempt);
    if (wait === null) break;
    await pass(parts, wait[1] + lateMs);
    const due = cases.filter(({ deliveries }) => deliveries >= attempt);
    await Promise.all(due.map(({ task }) => task.inbox.events(attempt)));
    if (due.length === 0) await quiet(parts);
  }
  for (const one of cases) await judgeDeliveries(parts, one);
}

async function judgeDeliveries(parts: CheckParts, { task, deliveries }: Case): Promise<void> {
  const { inbox, taskId, tenant } = task;
  const events = await judgedOnce(parts.judge, task);
  const answered = events[0]?.answered;
  const how = answered?.kind === 'status' ? `HTTP ${answered.status}` : 'a broken connection';
  const rule = {
    requirement: 'HOOK-004',
    actual: `${events.length} deliveries`,
    exchange: events.at(-1)?.exchange,
  };
  const expected = `the same event once more after ${how}`;
  must(events.length >= deliveries, { ...rule, aspect: 'redelivered', expected });
  const isOver = answered?.kind === 'status' && answered.status === 410;
  const stops = !isOver || events.length === deliveries;
  must(stops, { ...rule, aspect: 'stops', expected: `nothing more after ${how}` });
  const observed = { taskId, status: 'SUCCESS' as const, record: null };
  const [first, ...again] = events.map((event) => judged(parts, event, observed, tenant));
  for (const claims of again) if (first !== undefined) judgeSame(first, claims);
  const misdirected = await inbox.misdirected();
  must(misdirected.length === 0, {
    requirement: 'HOOK-005',
    aspect: 'not-redirected',
    expected: 'nothing elsewhere',
    actual: `${misdirected.length} at another host`,
    exchange: misdirected[0]?.exchange,
  });
}
