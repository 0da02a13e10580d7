import { inRecords, inSubmitted } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways whose tasks fail in some state, for some reader, or for a later step. */
export const worldTaskMutants: readonly Mutant[] = [
  front(
    [
      'world.failed-songs-succeed',
      'a song whose job failed is reported as a success',
      'STATE-006',
      'shows-its-state',
    ],
    inRecords((record) => {
      if (record.status === 'FAILED' && record.duration_sec === undefined) record.status = 'SUCCESS';
    }),
  ),
  front(
    ['world.one-id-for-all', 'all submissions get the same id', 'TASK-010', 'own-id'],
    inSubmitted((submitted) => {
      submitted.task_id = 'task_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
    }),
  ),
  source(
    ['world.failed-parents', 'what has failed is continued', 'TASK-006', 'parent-refused'],
    'services/tasks/find-parents.ts',
    "if (task.status !== 'SUCCESS' || ending?.status !== 'SUCCESS')",
    'if (ending === null)',
  ),
  source(
    ['world.events-of-first-steps', 'later steps of a task send no event', 'HOOK-001', 'sent-at-each-end'],
    'endpoints/tasks/submit.ts',
    'webhookUrl: request.webhookUrl,',
    'webhookUrl: ancestry.parents.length > 0 ? null : request.webhookUrl,',
  ),
  source(
    [
      'world.receiver-written-off',
      'an event that its receiver refused with an error is not sent again',
      'HOOK-004',
      'comes-back',
    ],
    'webhooks/next-attempt.ts',
    "if (failure === 'gone') return",
    "if (failure === 'gone' || failure === 'status') return",
  ),
  source(
    ['world.retries-in-ms', 'a retry states its time in another unit', 'HOOK-008', 'as-first'],
    'webhooks/attempt.ts',
    'headers: signedHeaders(id, wall.now(), body, secrets), body, gone',
    "headers: { ...signedHeaders(id, wall.now(), body, secrets), ...(event.made > 0 && { 'x-service-timestamp': String(wall.now()) }) }, body, gone",
  ),
];
