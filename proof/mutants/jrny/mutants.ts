import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import { jsonAnswer, type Mutation } from '../../../suites/rewrite/mutation.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import {
  inParams,
  inRecords,
  inSubmitted,
  isModel,
  isSubmit,
  toMedia,
  without,
} from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';
import {
  inJourneys,
  isLater,
  ofParent,
  ownKeyAlone,
  refusesTask,
  remembering,
  revealsForeign,
  takesForeign,
  takesParent,
} from '../../edits/task-chain-edits.ts';
import { chainMutants } from './chain-mutants.ts';

/** Gateways that are wrong about the steps of journey-v7, and about images named by their task. */

const fields: readonly Mutant[] = [
  front(
    ['jrny.index-clamped', 'an index beyond the grid is its last image', 'JRNY-011', 'outside'],
    inJourneys((body) => {
      if (typeof body.index === 'number') body.index = Math.min(4, Math.max(1, body.index));
    }),
  ),
  front(
    ['jrny.index-text', 'an index may be a text', 'JRNY-011', 'type'],
    inJourneys((body) => {
      if (body.index === '1') body.index = 1;
    }),
  ),
  front(
    ['jrny.first-image', 'without an index it is the first image', 'JRNY-012', 'required'],
    inJourneys((body) => {
      if (body.action === 'upscale' || body.action === 'variation') body.index ??= 1;
    }),
  ),
  front(
    ['jrny.step-unknown', 'later steps ignore unknown fields', 'TASK-004', 'unknown-refused'],
    inJourneys((body) => {
      if (isLater(body)) delete body.no_such_field;
    }),
  ),
  front(
    ['jrny.step-foreign', 'later steps ignore the address of an image', 'TASK-005', 'foreign-refused'],
    inJourneys((body) => {
      if (isLater(body)) delete body.image_url;
    }),
  ),
  front(
    ['jrny.step-webhook-http', 'a later step may have an http webhook_url', 'TASK-008', 'webhook-refused'],
    inJourneys((body) => {
      if (isLater(body) && String(body.webhook_url).startsWith('http:')) delete body.webhook_url;
    }),
  ),
  front(
    ['jrny.parentless', 'a step without a parent begins anew', 'JRNY-014', 'required'],
    inJourneys((body) => {
      if (!isLater(body) || (body.parent_task_id ?? null) !== null) return;
      for (const name of Object.keys(body)) if (name !== 'model') delete body[name];
      body.prompt = 'Something.';
    }),
  ),
  front(['jrny.any-parent', 'any parent will do', 'JRNY-015', 'unknown-refused'], {
    answer: (answer, request) => {
      const body = objectIn(request.body) ?? {};
      const { parent_task_id: parent, action, index } = body;
      const isUnknown = isLater(body) && typeof parent === 'string' && parent.startsWith('task_');
      return isSubmit(request) && answer.status === 400 && isUnknown && (action === 'reroll' || index === 1)
        ? jsonAnswer(200, { task_id: 'task_mutant', status: 'QUEUED', submit_time: new Date().toISOString() })
        : answer;
    },
  }),
  front(
    ['jrny.case-folded', 'the case of action does not matter', 'JRNY-018', 'outside'],
    inJourneys((body) => {
      if (typeof body.action === 'string') body.action = body.action.trim().toLowerCase();
    }),
  ),
  front(
    ['jrny.prompt-needed', 'every step needs a prompt', 'JRNY-019', 'step-accepted'],
    refusesTask((body) => isLater(body) && body.prompt === undefined && body.index === 3, 'prompt'),
  ),
  front(
    ['jrny.url-needed', 'a variation needs the address of its image', 'JRNY-017', 'step-accepted'],
    refusesTask((body) => body.action === 'variation' && body.index === 4, 'image_url'),
  ),
  front(['jrny.reroll-index-fails', 'an index on reroll ends in a failure', 'JRNY-010', 'clean-either-way'], {
    request: (request) => {
      const body = isSubmit(request) ? objectIn(request.body) : null;
      return body?.action === 'reroll' && body.index !== undefined ? refusal('internal_error') : request;
    },
  }),
  front(['jrny.imagine-fails', 'imagine by its name ends in a failure', 'JRNY-002', 'clean-either-way'], {
    request: (request) =>
      isSubmit(request) && objectIn(request.body)?.action === 'imagine' ? refusal('internal_error') : request,
  }),
];

const chains: readonly Mutant[] = [
  front(
    [
      'jrny.foreign-told',
      'a foreign parent gets another refusal than an unknown one',
      'JRNY-015',
      'foreign-like-unknown',
    ],
    revealsForeign(),
  ),
  front(
    ['jrny.foreign-taken', "another account's grid may be a parent", 'JRNY-015', 'foreign-refused'],
    takesForeign(),
  ),
  front(
    ['jrny.three-pictures', 'a grid has three images', 'JRNY-003', 'pictures'],
    inRecords((record) => {
      if (record.action === 'imagine' || record.action === null || record.action === undefined)
        if (Array.isArray(record.result_urls) && record.result_urls.length === 4) record.result_urls.pop();
    }),
  ),
  front(
    ['jrny.upscaled-twice', 'an upscale ends in two images', 'JRNY-005', 'pictures'],
    inRecords((record) => {
      if (record.action === 'upscale' && Array.isArray(record.result_urls))
        record.result_urls.push(record.result_urls[0]);
    }),
  ),
  front(
    ['jrny.upscale-is-a-cell', 'an upscale is the cell itself', 'JRNY-005', 'larger-than-a-cell'],
    ofParent('upscale', (urls) => urls.slice(0, 1)),
  ),
  front(
    ['jrny.variation-is-parent', 'a variation is the grid that it varies', 'JRNY-007', 'differs-from-parent'],
    ofParent('variation', (urls) => urls),
  ),
  front(
    ['jrny.same-id', 'a step has the id of its parent', 'JRNY-020', 'own-id'],
    inSubmitted((answer, request) => {
      const { action, parent_task_id: parent } = objectIn(request.body) ?? {};
      if (action === 'reroll') answer.task_id = parent;
    }),
  ),
  front(
    ['jrny.any-kind-of-parent', 'an upscaled image may be a parent', 'JRNY-016', 'no-grid-refused'],
    remembering((tasks) => ({
      ...inJourneys((body) => {
        const known = tasks.get(String(body.parent_task_id));
        if (known?.body.action === 'upscale') body.parent_task_id = known.body.parent_task_id;
      }),
    })),
  ),
  front(
    ['jrny.own-key-alone', 'a step takes the key of its parent alone', 'JRNY-015', 'other-key-accepted'],
    ownKeyAlone('journey-v7', 'parent_task_id'),
  ),
  front(
    ['jrny.film-as-parent', 'a step may build on a video', 'JRNY-016', 'other-kind-refused'],
    takesParent(({ body: { model } }, step) => isLater(step) && model !== 'journey-v7'),
  ),
  front(
    ['jrny.failed-as-parent', 'a step may build on a failed one', 'JRNY-016', 'no-result-refused'],
    takesParent(({ status }, step) => isLater(step) && status === 'FAILED'),
  ),
  front(
    ['jrny.reroll-needs-index', 'a reroll needs an index', 'JRNY-008', 'step-accepted'],
    refusesTask((body) => body.action === 'reroll' && body.index === undefined, 'index'),
  ),
];

const upstreams: readonly Mutant[] = [
  source(
    ['jrny.grid-reversed', 'a grid is shown from its last image on', 'JRNY-013', 'shown-in-order'],
    'services/tasks/keep-outputs.ts',
    'kept.push(fetched);',
    'kept.unshift(fetched);',
  ),
  inParams(['jrny.zero-based', 'index counts from 0', 'JRNY-013', 'index-as-given'], isPicking, (params) => {
    params.index = Math.max(1, Number(params.index) - 1);
  }),
  front(
    ['jrny.counts-from-the-end', 'index counts the images from the last one', 'JRNY-013', 'picks-the-image'],
    inJourneys((body) => {
      if (isLegalIndex(body.index) && body.action === 'upscale') body.index = 5 - body.index;
    }),
  ),
  upstream(
    [
      'jrny.reroll-of-something',
      'a reroll is a first step with a prompt of its own',
      'JRNY-009',
      'prompt-repeated',
    ],
    toMedia('callback-jobs', (body) => {
      if (body.task === 'reroll') anew(body, { prompt: 'Something else.' });
    }),
  ),
  upstream(
    [
      'jrny.reroll-by-defaults',
      'a reroll has the prompt of its parent, and defaults for its options',
      'JRNY-009',
      'options-repeated',
    ],
    rerollsWith({ stylize: 100 }),
  ),
];
const journey = isModel('journey-7-native');

const values: readonly Mutant[] = [
  inParams(
    ['jrny.chaos-dropped', 'chaos is not passed on', 'JRNY-021', 'forwarded'],
    journey,
    without('chaos', (chaos) => chaos === 100),
  ),
  inParams(
    ['jrny.tile-left-out', 'an omitted tile is left to the upstream', 'JRNY-021', 'default-sent'],
    journey,
    without('tile', (tile) => tile === false),
  ),
];

export const jrnyMutants: readonly Mutant[] = [
  ...fields,
  ...chains,
  ...upstreams,
  ...values,
  ...chainMutants,
];

function isPicking({ task }: Body): boolean {
  return task === 'upscale' || task === 'variation';
}

function isLegalIndex(index: unknown): index is number {
  return typeof index === 'number' && Number.isInteger(index) && index >= 1 && index <= 4;
}

/** Turns a later step at the upstream into a first one. */
function anew(body: Body, params: Body): void {
  body.task = 'imagine';
  body.params = params;
  delete body.parent;
}

/** Repeats the prompt of the previous first step, with different options. */
function rerollsWith(options: Body): Mutation {
  let last: Body | null = null;
  return toMedia('callback-jobs', (body) => {
    if (body.task === 'imagine') last = { ...(body.params as Body) };
    if (body.task === 'reroll') anew(body, { ...last, ...options });
  });
}
