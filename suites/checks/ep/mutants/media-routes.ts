import { front, refusal } from '../../../mutation/defects.ts';
import { isImages, isRead, task } from '../../../mutation/media-calls.ts';
import { isSubmit } from '../../../mutation/media-defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { json, pathOf, says } from '../../../mutation/refusal-defects.ts';

const places: readonly Mutant[] = [
  front(
    ['ep.images-moved', 'pictures are made at another path', 'EP-007', 'served'],
    says(isImages, refusal('task_not_found')),
  ),
  front(
    ['ep.tasks-moved', 'tasks are taken at another path', 'EP-008', 'served'],
    says(isSubmit, refusal('task_not_found')),
  ),
  front(
    ['ep.reads-moved', 'tasks are read at another path', 'EP-009', 'served'],
    says(isRead, refusal('task_not_found')),
  ),
  front(['ep.reads-loose', 'paths below a task are the task', 'EP-009', 'nothing-below'], {
    request: (request) =>
      isRead(request) && pathOf(request).endsWith('/results')
        ? json(200, { ...task(), status: 'RUNNING' })
        : request,
  }),
];
export const mediaRouteMutants: readonly Mutant[] = [...places];
