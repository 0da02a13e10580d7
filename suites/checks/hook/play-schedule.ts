import { setTimeout as wait } from 'node:timers/promises';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { judgeRenewed, judgeTimeOfSending, skewMs } from '../../oracle/webhooks/freshness.ts';
import type { EventClaims } from '../../oracle/webhooks/judge-event.ts';
import type { PayloadClaims } from '../../oracle/webhooks/judge-payload.ts';
import { judgeSame } from '../../oracle/webhooks/one-event.ts';
import {
  type DeliverySchedule,
  judgeAttempts,
  judgeGap,
  waitBefore,
} from '../../oracle/webhooks/schedule.ts';
import { Untestable } from '../../rules/violation.ts';
import { firstEvent, judged, type ObservedTask, quiet } from '../../steps/webhooks/observed-task.ts';

/** How long after its due time a delivery may come, ms, because the one before took a moment. */
export const lateMs = 1_500;
/** How long before the earliest due time to check for a delivery, ms, because a clock reading is slightly old. */
const earlyMs = 400;
/** How early a delivery may be in real time, ms, because timers are inexact. */
const realMs = 100;
/** The longest wait that is awaited in real time where the clock cannot be moved, ms. */
const waitableMs = 5_000;

interface Play {
  readonly schedule: DeliverySchedule;
  readonly first: EventClaims;
  readonly observed: PayloadClaims;
}

interface Next {
  readonly earlier: EventClaims;
  readonly attempt: number;
  readonly schedule: DeliverySchedule;
}

export function hasClock({ profile }: Target): boolean {
  return profile.hooks.clock !== undefined && profile.upstream !== undefined;
}

/** When attempts are made. @throws Untestable where the waits need a clock that can be moved. */
export function scheduleOf({ webhooks, target }: CheckParts): DeliverySchedule {
  const { schedule_ms: waitsMs = [], jitter_percent: jitterPercent } = webhooks.rules;
  if (!hasClock(target) && Math.max(...waitsMs) > waitableMs) throw new Untestable('hooks.clock');
  return { waitsMs, jitterPercent };
}

/** Lets time pass between two attempts, by the clock or in real time. */
export async function pass({ target, clock, cases }: CheckParts, ms: number): Promise<void> {
  const left = Math.max(1, Math.ceil(ms));
  if (hasClock(target)) await clock.elapse(left);
  else await wait(left, undefined, { signal: cases.signal });
}

/** Plays a whole schedule with a receiver that always fails, and judges each delivery and its time. */
export async function playSchedule(
  parts: CheckParts,
  task: ObservedTask,
  schedule: DeliverySchedule,
): Promise<void> {
  const { tasks, target, webhooks } = parts;
  const { last } = await tasks.follow(task.taskId);
  const observed = { taskId: task.taskId, status: last.status, record: last };
  const event = await firstEvent(webhooks, task, { requirement: 'HOOK-001', aspect: 'sent-on-success' });
  const first = judged(parts, event, observed);
  if (hasClock(target)) await playByClock(parts, task, { schedule, first, observed });
  else await playInTime(parts, task, { schedule, first, observed });
  await pass(parts, 1.5 * Math.max(...schedule.waitsMs) + lateMs);
  await quiet(parts);
  judgeAttempts(await task.inbox.eventsNow(), schedule.waitsMs.length, 'long after the last one', true);
}

async function playByClock(
  parts: CheckParts,
  task: ObservedTask,
  { schedule, first, observed }: Play,
): Promise<void> {
  const { cases, clock, tasks } = parts;
  let earlier = first;
  for (let attempt = 2; attempt <= schedule.waitsMs.length; attempt += 1) {
    cases.count();
    const next = await nextAttempt(parts, task, { earlier, attempt, schedule });
    if (next === null) return;
    const { event, from, wait: span } = next;
    const claims = judged(parts, event, observed);
    judgeRenewed(earlier, claims, span);
    judgeTimeOfSending(event, claims.stamp, [from - skewMs.known, clock.now() + skewMs.known]);
    judgeSame(first, claims);
    earlier = claims;
    // The task is kept for as long as declared, and no longer.
    if (attempt === 2) tasks.record(await tasks.read(task.taskId), task.taskId);
  }
}

/** Runs the schedule in real time: waits for all deliveries, then judges the time between them. */
async function playInTime(
  parts: CheckParts,
  { inbox, taskId }: ObservedTask,
  { schedule, first, observed }: Play,
): Promise<void> {
  const { cases, tasks } = parts;
  const wanted = schedule.waitsMs.length;
  const longest = schedule.waitsMs.map((_, place) => (waitBefore(schedule, place + 1)?.[1] ?? 0) + lateMs);
  const events = await inbox.events(
    wanted,
    longest.reduce((sum, ms) => sum + ms, 0),
  );
  judgeAttempts(events, wanted, 'once all of them are due');
  let earlier = first;
  for (const [place, event] of events.entries()) {
    if (place === 0) continue;
    cases.count();
    const [min, max] = waitBefore(schedule, place + 1) ?? [0, 0];
    judgeGap(earlier.event, event, [min - realMs, max + lateMs]);
    const claims = judged(parts, event, observed);
    judgeRenewed(earlier, claims, [Math.max(0, min - 1_000), max + lateMs + 1_000]);
    judgeSame(first, claims);
    earlier = claims;
  }
  tasks.record(await tasks.read(taskId), taskId);
}

/** Judges that the next delivery comes no sooner than due, and no later; null if it does not come. */
async function nextAttempt(
  parts: CheckParts,
  { inbox }: ObservedTask,
  { earlier, attempt, schedule }: Next,
): Promise<{
  readonly event: EventClaims['event'];
  readonly from: number;
  readonly wait: readonly [number, number];
} | null> {
  const { clock } = parts;
  const [min, max] = waitBefore(schedule, attempt) ?? [0, 0];
  const { fromMs, toMs } = earlier.stamp;
  await pass(parts, fromMs + min - earlyMs - clock.now());
  const before = await inbox.eventsNow();
  // On a slow machine it may already be due.
  if (clock.now() < fromMs + min - earlyMs / 2)
    judgeAttempts(before, attempt - 1, `before ${attempt} is due`);
  const from = clock.now();
  await pass(parts, toMs + max + lateMs - clock.now());
  const events = await inbox.events(attempt);
  judgeAttempts(events, attempt, `once ${attempt} is due`);
  const event = events[attempt - 1];
  if (event === undefined) return null;
  return { event, from, wait: [Math.max(0, min - 1_000), max + lateMs + 1_000] };
}
