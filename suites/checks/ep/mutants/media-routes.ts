import { front, refusal } from '../../../mutation/defects.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { editAnswer, objectIn, type ProxyRequest } from '../../../mutation/mutation.ts';
import { authorizationOf, isReading, json, pathOf, says, source } from '../../../mutation/refusal-defects.ts';

/** Gateways with a defect in where pictures and tasks are, who may ask for them, and which models there are. */

const isImages = (request: ProxyRequest): boolean => pathOf(request) === '/api/v1/images/generations';
const isSubmit = (request: ProxyRequest): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/v1/tasks';
const isRead = (request: ProxyRequest): boolean => pathOf(request).startsWith('/api/v1/tasks/');
const hasNone = (request: ProxyRequest): boolean => authorizationOf(request).trim() === '';
const isUnbearable = (request: ProxyRequest): boolean =>
  !hasNone(request) && !/^bearer +\S+$/i.test(authorizationOf(request));
const modelOf = (request: ProxyRequest): unknown => objectIn(request.body)?.model;

const task = (): object => ({
  task_id: 'task_of_a_mutant',
  status: 'QUEUED',
  submit_time: new Date().toISOString(),
});
const taken = json(200, task());

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

const callers: readonly Mutant[] = [
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

const catalogue: readonly Mutant[] = [
  front(
    ['cat.media.forgotten', 'vector-v3 is no model', 'CAT-016', 'known-where-served'],
    says(
      (request) => isImages(request) && modelOf(request) === 'vector-v3',
      refusal('model_not_found', 'model'),
    ),
  ),
  front(
    ['cat.media.two-endpoints', 'kontext-pro is taken as a task as well', 'CAT-016', 'own-endpoint-only'],
    says((request) => isSubmit(request) && modelOf(request) === 'kontext-pro', taken),
  ),
  front(
    ['cat.media.any-case', 'vidb2 is a model', 'CAT-016', 'near-miss'],
    says((request) => isSubmit(request) && modelOf(request) === 'vidb2', refusal('invalid_param', 'prompt')),
  ),
  front(
    ['cat.media.chat-as-task', 'chat models are taken as tasks', 'CAT-016', 'chat-at-chat-only'],
    says((request) => isSubmit(request) && modelOf(request) === 'delta-3', taken),
  ),
  front(['cat.media.unlisted', 'motion-act-two is not listed', 'CAT-016', 'listed'], {
    answer: editAnswer((body, answer, request) => {
      if (!isReading(request) || answer.status !== 200 || !Array.isArray(body.data)) return;
      body.data = body.data.filter((entry: { id?: unknown }) => entry.id !== 'motion-act-two');
    }),
  }),
];

const reading = 'await readBody(exchange)';
const breaking = `await (async () => readBody(exchange))().catch(() => {
      throw new Error('too much');
    })`;

const sizes: readonly Mutant[] = [
  source(
    ['lim.media.chat-breaks', 'a large picture in chat is a fault of the gateway', 'ERR-001', 'in-chat'],
    'endpoints/chat/chat.ts',
    reading,
    breaking,
  ),
  source(
    ['lim.media.task-breaks', 'a large starting image is a fault of the gateway', 'ERR-001', 'in-a-task'],
    'endpoints/tasks/submit.ts',
    reading,
    breaking,
  ),
];

export const mediaRouteMutants: readonly Mutant[] = [...places, ...callers, ...catalogue, ...sizes];
