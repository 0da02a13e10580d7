import type { EventRow } from '../store/tables.ts';
import type { Receipt } from '../world/receivers.ts';
import { type Invariant, must } from '../world/view.ts';

/** How long an attempt may have been under way when it arrives, or its process have seemed gone. */
const attemptMs = 6_000;

/** Each end of a task that somebody waits for has one event, which is delivered, or pending, or given up. */
export function deliveries(): Invariant {
  const ids = new Map<string, string>();
  const receipts = new Map<string, Receipt[]>();
  /** How often each event came again although its gateway knew that it was taken. */
  const repeats = new Map<string, number>();
  return {
    name: 'deliveries',
    reads: ({ events, tasks }) => [events, tasks],
    committed: ({ tables }) => {
      const byTask = new Map<string, EventRow>();
      for (const event of tables.events.all()) {
        must(!byTask.has(event.task_id), () => `${event.task_id} has two events`);
        byTask.set(event.task_id, event);
        const known = ids.get(event.task_id) ?? event.id;
        must(known === event.id, () => `the event of ${event.task_id} changes its id`);
        ids.set(event.task_id, known);
        must(
          event.state !== 'pending' || event.due_at !== null,
          () => `${event.id} is pending and never due`,
        );
      }
      for (const task of tables.tasks.all()) {
        const wants = task.ended_at !== null && JSON.parse(task.details).webhookUrl !== null;
        must(
          wants === byTask.has(task.id),
          () => `${task.id} ${wants ? 'has ended without an event' : 'has an event too early'}`,
        );
      }
    },
    received: (receipt, { blowsMs, tables }) => {
      const { taskId, eventId, body } = receipt;
      const before = receipts.get(taskId) ?? [];
      receipts.set(taskId, [...before, receipt]);
      must(
        tables.events.has(eventId),
        () => `an event of ${taskId} arrives under the id ${eventId}, which is not stored`,
      );
      must(
        before.every((one) => one.eventId === eventId),
        () => `an event of ${taskId} arrives under another id`,
      );
      must(
        before.every((one) => one.body === body),
        () => `an event of ${taskId} arrives with another body`,
      );
      const last = before.at(-1);
      if (last?.isKnown !== true) return;
      const count = (repeats.get(taskId) ?? 0) + 1;
      repeats.set(taskId, count);
      const sinceMs = (before.find(({ isKnown }) => isKnown)?.atMs ?? 0) - attemptMs;
      const blows = blowsMs.filter((atMs) => atMs >= sinceMs).length;
      must(count <= blows, () => `the event of ${taskId} is repeated ${count} times after ${blows} kills`);
    },
    atRest: ({ tables }) => {
      for (const event of tables.events.all()) {
        const got = receipts.get(event.task_id) ?? [];
        must(event.ended_at !== null, () => `${event.id} is still ${event.state}`);
        const isTaken = got.some((receipt) => receipt.isTaken);
        must(
          event.state !== 'delivered' || isTaken,
          () => `${event.id} counts as delivered, and nobody has it`,
        );
        const isKnown = got.some((receipt) => receipt.isKnown);
        must(
          event.state === 'delivered' || !isKnown || got.length > 1,
          () => `${event.id} was taken and is ${event.state}`,
        );
      }
    },
  };
}
