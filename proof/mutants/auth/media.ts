import { hasNoKey, isNoBearer, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import { isSubmit, isTaskPath, takenTask } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that let others call for pictures and tasks than they should. */
export const authMediaMutants: readonly Mutant[] = [
  front(
    ['auth.tasks-open', 'tasks are taken without a key', 'AUTH-003', 'missing'],
    says((request) => isSubmit(request) && hasNoKey(request), takenTask),
  ),
  front(
    ['auth.reads-open', 'a task is found, or not found, before the key is looked at', 'AUTH-019', 'missing'],
    says((request) => isTaskPath(request) && hasNoKey(request), refusal('task_not_found')),
  ),
  front(
    ['auth.reads-any-header', 'the header of who reads a task is not looked at', 'AUTH-019', 'malformed'],
    says((request) => isTaskPath(request) && isNoBearer(request), refusal('task_not_found')),
  ),
  front(
    ['auth.tasks-unbearable', 'tasks are taken with any header', 'AUTH-004', 'malformed'],
    says((request) => isSubmit(request) && isNoBearer(request), takenTask),
  ),
];
