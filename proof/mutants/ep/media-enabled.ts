import { objectIn } from '../../../suites/rewrite/json.ts';
import { jsonAnswer, type Mutation } from '../../../suites/rewrite/mutation.ts';
import { pathOf, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import { isImagesPath, isSubmit, isTaskPath, isTaskRead, newTask } from '../../edits/media-edits.ts';
import { front, type Mutant, source } from '../../edits/mutant.ts';
import { idIn, takesParent } from '../../edits/task-chain-edits.ts';

export const places: readonly Mutant[] = [
  front(
    ['ep.images-moved', 'images are made at another path', 'EP-007', 'served'],
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
/** Tasks that a caller tried to delete. */
const deleted = new Set<string>();

export const methods: readonly Mutant[] = [
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

const available = 'const isAvailable = availability(caller, service);';

/** Gateways that are wrong about the image and task models of an account. */
export const mediaEnabledMutants: readonly Mutant[] = [
  source(
    ['ep.list-kept', 'the list of models stays as an account saw it first', 'EP-012', 'listed-once-enabled'],
    'endpoints/models.ts',
    "    await sendJson(exchange, { object: 'list', data });",
    `    const known = ((listModels as { known?: Map<string, unknown> }).known ??= new Map());
    if (!known.has(caller.accountId)) known.set(caller.accountId, data);
    await sendJson(exchange, { object: 'list', data: known.get(caller.accountId) });`,
  ),
  source(
    ['ep.images-any-model', 'images are made with models that are not enabled', 'EP-012', 'media-not-usable'],
    'endpoints/images/images.ts',
    "one.served === 'images' && isAvailable(one)",
    "one.served === 'images'",
  ),
  source(
    ['ep.no-models-is-all', 'an account without a model has all', 'EP-012', 'none-enabled'],
    'services/available-models.ts',
    'caller.models === null ||',
    'caller.models === null || caller.models.length === 0 ||',
  ),
  source(
    ['ep.media-all-listed', 'every media model is listed', 'EP-012', 'media-not-listed'],
    'endpoints/models.ts',
    '.filter(availability(caller, service))',
    '.filter((one) => mediaModels.has(one.id) || availability(caller, service)(one))',
  ),
  source(
    [
      'ep.media-enabled-late',
      'models enabled later are not there for images',
      'EP-012',
      'media-enabled-again',
    ],
    'endpoints/images/images.ts',
    available,
    `globalThis.firstModels ??= new Map();
  if (!globalThis.firstModels.has(caller.keyId)) globalThis.firstModels.set(caller.keyId, caller.models);
  const isAvailable = availability({ ...caller, models: globalThis.firstModels.get(caller.keyId) }, service);`,
  ),
  front(
    [
      'ep.later-steps-any-model',
      'a later step works after its model was disabled',
      'EP-012',
      'later-step-not-usable',
    ],
    takesParent((_, step) => step.action === 'upscale' || step.action === 'extend'),
  ),
  front(
    [
      'ep.old-tasks-hidden',
      'tasks of a model that is no longer enabled cannot be read',
      'EP-012',
      'old-task-reads',
    ],
    hidesRefused(),
  ),
];

/** A task disappears after a step of it was rejected for its model. */
function hidesRefused(): Mutation {
  const gone = new Set<string>();
  return {
    request: (request) =>
      isTaskRead(request) && gone.has(idIn(request)) ? refusal('task_not_found') : request,
    answer: (answer, request) => {
      const { parent_task_id: parent } = objectIn(request.body) ?? {};
      if (isSubmit(request) && answer.status === 404 && typeof parent === 'string') gone.add(parent);
      return answer;
    },
  };
}
