import { setTimeout as wait } from 'node:timers/promises';
import type { Inbox } from '../engine/inbox.ts';
import type { CheckParts } from '../engine/parts/check-parts.ts';
import type { TaskRecord, TaskStatus } from '../oracle/media/task-answer.ts';
import { type EventClaims, judgeEvent } from '../oracle/webhooks/judge-event.ts';
import { isTaken, judgeNone, judgeOnce, judgeSame } from '../oracle/webhooks/one-event.ts';
import { readPayload } from '../oracle/webhooks/payload.ts';
import type { TaskLife } from '../oracle/world/task-life.ts';
import { must } from '../rules/violation.ts';
import { rulesOf } from '../steps/webhooks/observed-task.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { ReceivedEvent } from '../wire/received-event.ts';

/** A task whose event is awaited. */
interface AwaitedTask {
  readonly id: string;
  readonly model: string;
  readonly submitted: Exchange;
  readonly life: TaskLife;
  /** Whether nobody asked for its event. */
  readonly isSilent: boolean;
}

/** A task with the owner's last read and its certain end; null when the end is uncertain. */
interface End {
  readonly task: AwaitedTask;
  readonly record: TaskRecord | null;
  readonly status: TaskStatus | null;
}

/** How much later than scheduled a retry may come, ms. */
const lateMs = 5_000;
const pollMs = 50;

/**
 * Judges that each end is reported once, as reads show it, and nothing before ("Events"). A failing receiver gets the event
 * again, freshly stamped, until it accepts.
 */
export async function judgeEvents(
  parts: CheckParts,
  inbox: Inbox,
  records: ReadonlyMap<AwaitedTask, TaskRecord | null>,
): Promise<void> {
  const nowMs = parts.clock.now();
  const ends = [...records].map(([task, record]) => ({ task, record, status: task.life.endedAs(nowMs) }));
  await inbox.plan({ status: 200 });
  const hasCome = ({ task }: End, events: readonly ReceivedEvent[]): boolean =>
    task.isSilent || eventsOf(task, events).length > 0;
  for (const end of ends)
    judgeOwn(
      parts,
      end,
      await eventsWhen(parts, inbox, (events) => end.status === null || hasCome(end, events)),
    );
  const { schedule_ms: waitsMs = [], jitter_percent: percent = 0 } = parts.webhooks.rules;
  const isOpen = ({ task }: End, events: readonly ReceivedEvent[]): boolean => {
    const own = eventsOf(task, events);
    return own.length > 0 && own.length < waitsMs.length && !own.some(isOver);
  };
  const before = await inbox.eventsNow();
  const open = ends.filter((end) => isOpen(end, before));
  if (open.length === 0) return;
  const made = open.map(({ task }) => eventsOf(task, before).length);
  await parts.clock.elapse(
    Math.max(...made.map((count) => waitsMs[count] ?? 0)) * (1 + percent / 100) + lateMs,
  );
  const after = await eventsWhen(parts, inbox, (events) => open.every((end) => !isOpen(end, events)));
  for (const end of open) {
    judgeOwn(parts, end, after);
    const own = eventsOf(end.task, after);
    must(own.some(isTaken), {
      ...{ requirement: 'HOOK-004', aspect: 'comes-back', exchange: own.at(-1)?.exchange },
      expected: `the event of ${end.task.id} again: its receiver has failed, and would take it now`,
      actual: `${own.length} deliveries`,
    });
  }
}

/** Whether a delivery was accepted, or stopped all further ones (410). */
function isOver(event: ReceivedEvent): boolean {
  return isTaken(event) || (event.answered.kind === 'status' && event.answered.status === 410);
}

function eventsOf({ id }: AwaitedTask, events: readonly ReceivedEvent[]): ReceivedEvent[] {
  return events.filter((event) => readPayload(event).taskId === id);
}

/** The events once there are enough, or when the time is up. */
async function eventsWhen(
  { webhooks, cases }: CheckParts,
  inbox: Inbox,
  areEnough: (events: readonly ReceivedEvent[]) => boolean,
): Promise<readonly ReceivedEvent[]> {
  const until = performance.now() + webhooks.rules.within_ms;
  for (;;) {
    const events = await inbox.eventsNow();
    if (areEnough(events) || performance.now() > until) return events;
    await wait(pollMs, undefined, { signal: cases.signal });
  }
}

function judgeOwn(parts: CheckParts, { task, record, status }: End, events: readonly ReceivedEvent[]): void {
  const own = eventsOf(task, events);
  judgeNone(task.isSilent ? own : [], {
    ...{ requirement: 'HOOK-002', aspect: 'none-unasked' },
    expected: `nothing of ${task.id}, which was submitted without webhook_url`,
  });
  must(own.length > 0 || status === null || task.isSilent, {
    ...{ requirement: 'HOOK-001', aspect: 'sent-at-each-end', exchange: task.submitted },
    expected: `an event of ${task.id}, a task of ${task.model} that ended in ${status}`,
    actual: `${events.length} events, none of them of this task`,
  });
  judgeOnce(own);
  const claims = { taskId: task.id, status, record: isOneImage(task, record) ? null : record };
  // This account was made for the check, so its secret is unknown.
  const rules = { ...rulesOf(parts), secret: null };
  const [first, ...again] = own.map((event): EventClaims => judgeEvent(event, rules, claims));
  for (const repeated of again) if (first !== undefined) judgeSame(first, repeated);
}

/** Whether a grid of four images is shown as one (B-64). A proxy may do that to answers only, so its event then has four. */
function isOneImage({ model }: AwaitedTask, record: TaskRecord | null): boolean {
  return model === 'journey-v7' && Array.isArray(record?.resultUrls) && record.resultUrls.length === 1;
}
