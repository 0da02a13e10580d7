import { objectIn } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { inErrors, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { inRecords, isSubmit, refusedLate, toMedia } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';
import { idIn, inJourneys, isLater, oneJob, remembering } from '../../edits/task-chain-edits.ts';

/** Gateways that confuse which task a step, or an image, belongs to. */
export const chainMutants: readonly Mutant[] = [
  source(
    ['jrny.any-reroll', 'a reroll succeeds with one image', 'JRNY-008', 'whole-or-none'],
    'services/tasks/check.ts',
    "  if (model === 'journey-v7') return action === 'upscale' ? 1 : 4;",
    "  if (model === 'journey-v7') return action === 'upscale' || action === 'reroll' ? 1 : 4;",
  ),
  keepsTheRest('imagine', 'JRNY-003'),
  keepsTheRest('variation', 'JRNY-007'),
  keepsTheRest('stem', 'SONG-016'),
  // A second mutant: parts are also lost where all can be fetched.
  source(
    ['jrny.two-stems', 'of more than two stems the others are left out', 'SONG-016', 'whole-or-none'],
    'services/tasks/check.ts',
    'await succeeded(service, task, state.outputs)',
    "await succeeded(service, task, task.action === 'stem' ? state.outputs.slice(0, 2) : state.outputs)",
  ),
  // One mutant per kind of step: each looks up its parent separately.
  upstream(
    [
      'jrny.upscale-of-the-first',
      'an upscale of a variation is one of its parent',
      'JRNY-022',
      'exact-parent',
    ],
    ofGrandparent('upscale'),
  ),
  front(
    ['jrny.one-cell-four-times', 'a grid has the same image four times', 'JRNY-003', 'own-cells'],
    inGrids(
      (action) => action === undefined,
      (urls) => urls.map(() => urls[0]),
    ),
  ),
  front(
    ['jrny.one-variation', 'a variation has the same image four times', 'JRNY-007', 'own-cells'],
    inGrids(
      (action) => action === 'variation',
      (urls) => urls.map(() => urls[0]),
    ),
  ),
  front(
    ['jrny.imagine-of-parent', 'a first step ignores a parent', 'JRNY-002', 'no-parent'],
    inJourneys((body) => {
      if (body.action === undefined) delete body.parent_task_id;
    }),
  ),
  front(
    [
      'jrny.imagine-blames-prompt',
      'a parent of a first step is put down to its prompt',
      'JRNY-002',
      'no-parent-param',
    ],
    inErrors((error, _, request) => {
      const { model, action } = objectIn(request.body) ?? {};
      if (isSubmit(request) && model === 'journey-v7' && action === undefined) error.param = 'prompt';
    }),
  ),
  upstream(
    ['jrny.equal-one-job', 'equal steps are one job', 'JRNY-020', 'own-job'],
    oneJob((body) => body.task === 'upscale' || body.task === 'reroll'),
  ),
  front(
    ['jrny.refused-too-late', 'a wrong index is refused when the job is there', 'JRNY-011', 'nothing-made'],
    refusedLate(
      (request) => {
        const body = isSubmit(request) ? objectIn(request.body) : null;
        return body !== null && isLater(body) && body.index === 5 ? { ...body, index: 4 } : null;
      },
      refusal('invalid_param', 'index'),
    ),
  ),
];

/** The upstream gets the grandparent instead of the named parent. */
function ofGrandparent(task: string): Mutation {
  const parents = new Map<string, unknown>();
  const { request = (same) => same } = toMedia('callback-jobs', (body) => {
    if (body.task === task) body.parent = parents.get(String(body.parent)) ?? body.parent;
  });
  return {
    request,
    answer: (answer, { body }) => {
      const { data } = (objectIn(answer.body) ?? {}) as { data?: { taskId?: unknown } };
      const { parent } = objectIn(body) ?? {};
      if (data?.taskId !== undefined && parent !== undefined) parents.set(String(data.taskId), parent);
      return answer;
    },
  };
}

function inGrids(isSuch: (action: unknown) => boolean, choose: (urls: unknown[]) => unknown[]): Mutation {
  return remembering((tasks) =>
    inRecords((record, request) => {
      const own = tasks.get(idIn(request))?.body;
      if (own?.model === 'journey-v7' && isSuch(own.action) && Array.isArray(record.result_urls))
        record.result_urls = choose(record.result_urls);
    }),
  );
}

/** Omits outputs that cannot be fetched if others can. */
function keepsTheRest(action: string, requirement: string): Mutant {
  return source(
    [`jrny.rest-of-${action}`, `${action}: what cannot be fetched is left out`, requirement, 'whole-or-none'],
    'services/tasks/keep-outputs.ts',
    '    return removed(kept);',
    `    if (action === '${action}' && outputs.length > 1) {
      least -= 1;
      continue;
    }
    return removed(kept);`,
  );
}
