import { front, refusal } from '../../../mutation/defects.ts';
import { hasNone, isRead, isUnbearable, taken } from '../../../mutation/media-calls.ts';
import { isSubmit } from '../../../mutation/media-defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { says } from '../../../mutation/refusal-defects.ts';

/** Gateways that let others call for pictures and tasks than they should. */
export const authMediaMutants: readonly Mutant[] = [
  front(
    ['auth.tasks-open', 'tasks are taken without a key', 'AUTH-003', 'missing'],
    says((request) => isSubmit(request) && hasNone(request), taken),
  ),
  front(
    [
      'auth.reads-open',
      'whoever reads a task is told of it before the key is looked at',
      'AUTH-019',
      'missing',
    ],
    says((request) => isRead(request) && hasNone(request), refusal('task_not_found')),
  ),
  front(
    ['auth.reads-any-header', 'the header of who reads a task is not looked at', 'AUTH-019', 'malformed'],
    says((request) => isRead(request) && isUnbearable(request), refusal('task_not_found')),
  ),
  front(
    ['auth.tasks-unbearable', 'tasks are taken with any header', 'AUTH-004', 'malformed'],
    says((request) => isSubmit(request) && isUnbearable(request), taken),
  ),
];
