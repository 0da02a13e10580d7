import { objectIn } from '../../../suites/rewrite/json.ts';
import { editAnswer, jsonAnswer, type Mutation } from '../../../suites/rewrite/mutation.ts';
import { headerOf } from '../../../suites/rewrite/proxy-headers.ts';
import { isReading, pathOf, refusal, says, serves } from '../../../suites/rewrite/refusal-edits.ts';
import { refuses } from '../../edits/chat-edits.ts';
import { front, type Mutant, source } from '../../edits/mutant.ts';

/** Gateways that accept only some legal forms of a request. */
export const requestFormMutants: readonly Mutant[] = [
  front(
    ['ep.media-type-bare', 'tasks refuse a media type with parameters', 'EP-003', 'media-type-accepted'],
    {
      request: (request) =>
        pathOf(request) === '/api/v1/tasks' && headerOf(request.headers, 'content-type').includes(';')
          ? refusal('invalid_param')
          : request,
    },
  ),
  source(
    ['ep.chunks-first-only', 'of a body in chunks only the first is read', 'EP-003', 'chunked-accepted'],
    'http/read-body.ts',
    'else pieces.add(chunk);',
    "else if (pieces.length === 0 || incoming.headers['content-length'] !== undefined) pieces.add(chunk);",
  ),
];

/** Gateways with a defect in their routes, versions and names. */

const chatPath = '/api/v1/chat/completions';

/** The model that one account of the reference stack lacks. */
const disabled = 'alpha-codex';
const lacks = (entries: readonly Record<string, unknown>[]): boolean =>
  entries.every(({ id }) => id !== disabled);

/** Changes the entries of the list of models. */
function lists(edit: (entries: Record<string, unknown>[]) => unknown): Mutation {
  return {
    answer: editAnswer((body, answer, request) => {
      if (isReading(request) && answer.status === 200)
        body.data = edit(body.data as Record<string, unknown>[]);
    }),
  };
}

export const list: readonly Mutant[] = [
  front(
    ['ep.models-missing', 'there is no list of models', 'EP-010', 'answers-200'],
    says(isReading, refusal('task_not_found')),
  ),
  front(
    ['ep.models-shapeless', 'the list of models is a number', 'EP-010', 'list-shape'],
    lists((entries) => entries.length),
  ),
  front(
    ['ep.models-twice', 'a model is listed twice', 'EP-010', 'each-once'],
    lists((entries) => [...entries, entries[0]]),
  ),
  front(
    ['ep.models-incomplete', 'a model that works is not listed', 'EP-010', 'lists-usable'],
    lists((entries) => entries.slice(1)),
  ),
  front(
    ['ep.models-too-many', 'a model is listed that does not work', 'EP-011', 'listed-works'],
    refuses((body) => body.model === 'gamma-3-pro', 'model_not_found', 'model'),
  ),
  front(
    ['ep.models-disabled-listed', 'a disabled model is listed', 'EP-012', 'not-listed'],
    lists((entries) => (lacks(entries) ? [...entries, { id: disabled, object: 'model' }] : entries)),
  ),
  front(
    ['ep.models-none-listed', 'an account that lacks a model has an empty list', 'EP-012', 'others-listed'],
    lists((entries) => (lacks(entries) ? [] : entries)),
  ),
  front(
    [
      'ep.models-never-listed',
      'a model that is disabled somewhere is listed nowhere',
      'EP-012',
      'listed-elsewhere',
    ],
    lists((entries) => entries.filter(({ id }) => id !== disabled)),
  ),
  front(
    ['ep.models-only-listed', 'listed models do not work', 'EP-012', 'others-usable'],
    refuses((body) => body.model !== disabled, 'model_not_found', 'model'),
  ),
  front(
    ['ep.models-disabled-works', 'a disabled model works', 'EP-012', 'not-usable'],
    serves((request) => objectIn(request.body)?.model === disabled),
  ),
  front(
    ['ep.models-hidden', 'a model that is not listed works', 'EP-011', 'unlisted-unknown'],
    lists((entries) => entries.slice(1)),
  ),
];

export const paths: readonly Mutant[] = [
  front(
    ['ep.chat-moved', 'chat is at another path', 'EP-004', 'served'],
    says((request) => pathOf(request) === chatPath, refusal('task_not_found')),
  ),
  front(
    ['ep.models-moved', 'the list of models is at another path', 'EP-001', 'served'],
    says(isReading, refusal('task_not_found')),
  ),
  front(
    ['ep.get-chat', 'GET on the chat path is answered 200', 'EP-013', 'other-method'],
    says((request) => request.method === 'GET' && pathOf(request) === chatPath, jsonAnswer(200, {})),
  ),
  front(
    ['ep.unknown-200', 'unknown paths are answered 200', 'EP-014', 'unknown-path'],
    says((request) => pathOf(request).startsWith('/api/v1/zz'), jsonAnswer(200, {})),
  ),
];
export const text: readonly Mutant[] = [
  front(['ep.text-back-ascii', 'answers lose what is not ASCII', 'EP-003', 'text-back'], {
    answer: (answer) => ({
      ...answer,
      body: Buffer.from(answer.body.toString('utf8').replaceAll(/[^\x20-\x7e]/g, '?')),
    }),
  }),
  front(['ep.text-there-ascii', 'prompts lose what is not ASCII', 'EP-003', 'text-there'], {
    request: (request) => ({
      ...request,
      body: Buffer.from(request.body.toString('utf8').replaceAll(/[^\x20-\x7e]/g, '?')),
    }),
  }),
];
