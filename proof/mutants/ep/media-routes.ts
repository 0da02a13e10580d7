import { jsonAnswer } from '../../../suites/rewrite/mutation.ts';
import { pathOf, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import { isImagesPath, isSubmit, isTaskPath, newTask } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

const places: readonly Mutant[] = [
  front(
    ['ep.images-moved', 'pictures are made at another path', 'EP-007', 'served'],
    says(isImagesPath, refusal('task_not_found')),
  ),
  front(
    ['ep.tasks-moved', 'tasks are taken at another path', 'EP-008', 'served'],
    says(isSubmit, refusal('task_not_found')),
  ),
  front(
    ['ep.reads-moved', 'tasks are read at another path', 'EP-009', 'served'],
    says(isTaskPath, refusal('task_not_found')),
  ),
  front(['ep.reads-loose', 'paths below a task are the task', 'EP-009', 'nothing-below'], {
    request: (request) =>
      isTaskPath(request) && pathOf(request).endsWith('/results')
        ? jsonAnswer(200, { ...newTask(), status: 'RUNNING' })
        : request,
  }),
];
/** Tasks that somebody tried to delete. */
const deleted = new Set<string>();

const methods: readonly Mutant[] = [
  front(
    ['ep.task-deleted', 'a running task can be deleted', 'EP-013', 'method-of-task'],
    says((request) => isTaskPath(request) && request.method === 'DELETE', jsonAnswer(200, {})),
  ),
  front(
    ['ep.task-gone-when-deleted', 'a task is gone once its deletion was refused', 'EP-013', 'task-unchanged'],
    {
      answer: (answer, request) => {
        if (!isTaskPath(request)) return answer;
        if (request.method === 'DELETE') deleted.add(pathOf(request));
        const isGone = request.method === 'GET' && deleted.has(pathOf(request));
        return isGone ? refusal('task_not_found') : answer;
      },
    },
  ),
];

export const mediaRouteMutants: readonly Mutant[] = [...places, ...methods];
