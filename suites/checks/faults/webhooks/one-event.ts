import type { Inbox } from '../../../engine/inbox.ts';
import type { CheckParts } from '../../../engine/parts/check-parts.ts';
import { distinctEvents, judgeNone } from '../../../oracle/webhooks/one-event.ts';
import { must } from '../../../rules/violation.ts';
import { judged } from '../../../steps/webhooks/observed-task.ts';
import type { Followed } from '../jobs/follow-job.ts';

/** Judges that a task's end causes one event, however often the upstream reports it. */
export async function judgeOneEvent(
  parts: CheckParts,
  { attempt, end, record }: Followed,
  inbox: Inbox,
): Promise<void> {
  if (end === null || end === 'refused' || attempt.taskId === null) return;
  const [event] = await inbox.events();
  must(event !== undefined, {
    requirement: 'HOOK-001',
    aspect: `sent-on-${end.toLowerCase()}`,
    expected: `an event of a task that has ended in ${end}`,
    actual: `none within ${parts.webhooks.rules.within_ms} ms`,
    exchange: attempt.submitted,
  });
  judged(parts, event, { taskId: attempt.taskId, status: end, record });
  judgeNone(distinctEvents(await inbox.eventsNow()).slice(1), {
    requirement: 'STATE-010',
    aspect: 'no-second-event',
    expected: 'one event for the end, whatever the upstream reports',
  });
}
