import { editAnswer, type Mutation, type ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { headerOf } from '../../suites/rewrite/proxy-headers.ts';
import { inErrors, pathOf, refusal, says } from '../../suites/rewrite/refusal-edits.ts';
import { type PreconditionFault, preconditionFaults } from './precondition-faults.ts';

/** A fault that affects all checks of these areas. */
export interface AreaFault extends PreconditionFault {
  readonly areas: readonly string[];
}

const core = ['auth', 'cat', 'chat', 'ep', 'err', 'lim', 'msg', 'resp', 'sse', 'tool', 'ver'];
const media = ['aud', 'auth', 'cat', 'ep', 'err', 'img', 'imgm', 'jrny', 'song', 'task', 'vid'];
const compat = ['auth', 'compa', 'compb', 'ep', 'faces', 'ver'];

const isSubmit = (request: ProxyRequest): boolean =>
  request.method === 'POST' && pathOf(request) === '/api/v1/tasks';
const isPoll = (request: ProxyRequest): boolean =>
  request.method === 'GET' && pathOf(request).startsWith('/api/v1/tasks/');
const isImage = (request: ProxyRequest): boolean => pathOf(request) === '/api/v1/images/generations';
const isChat = (request: ProxyRequest): boolean => pathOf(request) === '/api/v1/chat/completions';
const isList = (request: ProxyRequest): boolean => pathOf(request) === '/api/v1/models';
const isMessages = (request: ProxyRequest): boolean => pathOf(request) === '/compat-a/v1/messages';
const isCompatB = (request: ProxyRequest): boolean => request.path.startsWith('/compat-b/');

/** Complete answers to some requests with another status, content type or body. */
function answersOf(
  when: (request: ProxyRequest) => boolean,
  answer: NonNullable<Mutation['answer']>,
): Mutation {
  return { answer: (given, request) => (when(request) ? answer(given, request) : given) };
}

const asText: NonNullable<Mutation['answer']> = (answer) =>
  answer.status === 200 ? { ...answer, headers: [['content-type', 'text/plain']] } : answer;

/** A fault of the shorter list, applied to whole areas. */
function known(id: string, more: readonly string[] = []): AreaFault {
  const fault = preconditionFaults.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`there is no fault ${id}`);
  return { ...fault, areas: core, rules: [...fault.rules, ...more] };
}

/** Successful answers with another success status. */
const created: NonNullable<Mutation['answer']> = (answer) =>
  answer.status === 200 ? { ...answer, status: 201 } : answer;

/** Equal submissions are answered with the task of the first one. */
function sharingTasks(): Mutation {
  const first = new Map<string, Buffer>();
  return answersOf(isSubmit, (answer, { body }) => {
    if (answer.status !== 200) return answer;
    const known = first.get(body.toString());
    if (known === undefined) {
      first.set(body.toString(), answer.body);
      return answer;
    }
    // The time is that of this submission: an older one would be a separate fault.
    const { submit_time: time } = JSON.parse(answer.body.toString());
    const shared = { ...JSON.parse(known.toString()), ...(time !== undefined && { submit_time: time }) };
    return { ...answer, body: Buffer.from(JSON.stringify(shared)) };
  });
}

/** One per fault. */
export const areaFaults: readonly AreaFault[] = [
  known('missing-key-is-unknown-model'),
  known('every-refusal-is-404'),
  known('no-list-of-models'),
  {
    id: 'bad-requests-are-500',
    areas: core,
    mutation: inErrors((_, { status }) => (status === 400 ? 500 : undefined)),
    rules: ['CHAT-053', 'ERR-008'],
  },
  known('answers-are-text'),
  known('streams-are-down'),
  known('no-usage'),
  known('native-model-name'),
  { ...known('every-refusal-is-404'), id: 'every-refusal-of-media-is-404', areas: media },
  {
    id: 'no-task-id',
    areas: media,
    mutation: answersOf(
      isSubmit,
      editAnswer((answer) => {
        if (answer.task_id !== undefined) answer.id = answer.task_id;
        delete answer.task_id;
      }),
    ),
    rules: ['TASK-009'],
  },
  {
    id: 'submit-is-202',
    areas: media,
    mutation: answersOf(isSubmit, (answer) => (answer.status === 200 ? { ...answer, status: 202 } : answer)),
    rules: [],
  },
  {
    id: 'poll-is-404',
    areas: media,
    mutation: says(isPoll, refusal('model_not_found')),
    rules: ['EP-009', 'ERR-028', 'TASK-009', 'TASK-014'],
  },
  {
    id: 'images-are-down',
    areas: media,
    mutation: answersOf(isImage, (answer) => (answer.status === 200 ? refusal('channel_outage') : answer)),
    rules: ['EP-007', 'IMG-001'],
  },
  {
    id: 'tasks-are-text',
    areas: media,
    mutation: answersOf((one) => isSubmit(one) || isPoll(one), asText),
    rules: ['EP-003'],
  },
  {
    id: 'no-data-of-images',
    areas: media,
    mutation: answersOf(
      isImage,
      editAnswer((answer) => {
        delete answer.data;
      }),
    ),
    rules: ['IMG-001'],
  },
  {
    id: 'messages-take-no-key',
    areas: compat,
    mutation: says(isMessages, refusal('invalid_api_key')),
    rules: ['AUTH-007', 'COMPA-008'],
  },
  {
    id: 'refusals-of-messages-are-pages',
    areas: compat,
    mutation: answersOf(isMessages, (answer) =>
      answer.status < 400
        ? answer
        : { ...answer, body: Buffer.from('<h1>No</h1>'), headers: [['content-type', 'text/html']] },
    ),
    rules: ['COMPA-011', 'ERR-002'],
  },
  {
    id: 'no-compat-b',
    areas: compat,
    mutation: says(isCompatB, refusal('model_not_found')),
    rules: ['COMPB-001', 'EP-006'],
  },
  {
    id: 'bad-messages-are-500',
    areas: compat,
    mutation: answersOf(isMessages, (answer) =>
      answer.status === 400 ? { ...answer, status: 500 } : answer,
    ),
    rules: ['COMPA-011', 'ERR-008'],
  },
  { id: 'compat-b-is-text', areas: compat, mutation: answersOf(isCompatB, asText), rules: ['COMPB-010'] },
  { id: 'chats-are-201', areas: core, mutation: answersOf(isChat, created), rules: ['RESP-023'] },
  { id: 'messages-are-201', areas: compat, mutation: answersOf(isMessages, created), rules: ['COMPA-010'] },
  { id: 'images-are-201', areas: media, mutation: answersOf(isImage, created), rules: ['IMG-001'] },
  { id: 'refusals-are-200', areas: core, mutation: inErrors(() => 200), rules: ['ERR-001'] },
  {
    id: 'one-id-for-all',
    areas: core,
    mutation: answersOf(
      isChat,
      editAnswer((answer) => {
        if (answer.object === 'chat.completion') answer.id = 'chatcmpl-1';
      }),
    ),
    rules: ['RESP-001'],
  },
  {
    id: 'list-is-cut',
    areas: core,
    mutation: answersOf(
      isList,
      editAnswer((answer) => {
        if (Array.isArray(answer.data)) answer.data = answer.data.slice(0, 6);
      }),
    ),
    rules: ['EP-010', 'EP-011'],
  },
  {
    id: 'no-type-of-404',
    areas: core,
    mutation: inErrors((error, { status }) => {
      if (status === 404) delete error.type;
    }),
    rules: ['ERR-003'],
  },
  { id: 'equal-submits-share', areas: media, mutation: sharingTasks(), rules: ['SONG-023', 'TASK-010'] },
  {
    id: 'new-versions-only',
    areas: compat,
    mutation: says(
      (request) => isMessages(request) && headerOf(request.headers, 'compat-a-version') < '2025',
      refusal('invalid_param', 'compat-a-version'),
    ),
    rules: ['COMPA-009', 'VER-004'],
  },
];
