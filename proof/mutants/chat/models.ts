import { chatCatalogue } from '../../../suites/oracle/chat-catalogue.ts';
import { chatFields } from '../../../suites/oracle/chat-fields.ts';
import type { Body } from '../../../suites/rewrite/json.ts';
import { inPlain, inRequests, messageOf, refuses, refusesTooLate } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that are wrong about the model id or about required fields. */

const ids = new Set(chatCatalogue.map((model) => model.id));

export const models: readonly Mutant[] = [
  front(
    ['chat.one-model-missing', 'one model of the catalogue is not served', 'CHAT-001', 'minimal-works'],
    refuses((body) => body.model === 'delta-3', 'model_not_found'),
  ),
  front(
    ['chat.empty-answer', 'answers hold no text', 'CHAT-001', 'answers-with-text'],
    inPlain((answer) => {
      messageOf(answer).content = '';
    }),
  ),
  front(
    ['chat.model-fallback', 'an unknown model id is served by a default model', 'CHAT-005', 'unknown-id'],
    inRequests((body) => {
      if (typeof body.model === 'string' && !ids.has(body.model)) body.model = 'alpha-5-2';
    }),
  ),
  front(
    ['chat.model-any-case', 'model ids match in any case', 'CHAT-006', 'exact-spelling'],
    inRequests((body) => {
      body.model = String(body.model).toLowerCase();
    }),
  ),
  front(
    [
      'chat.model-image-served',
      'the id of an image model is served as a chat model',
      'CHAT-007',
      'chat-models-only',
    ],
    inRequests((body) => {
      if (body.model === 'kontext-pro') body.model = 'alpha-5-2';
    }),
  ),
  front(
    [
      'chat.model-refused-late',
      'an unknown model id is refused only after an upstream was asked',
      'CHAT-007',
      'no-upstream-call',
    ],
    refusesTooLate(
      (body) => !ids.has(String(body.model)),
      (body) => {
        body.model = 'alpha-5-2';
      },
      'model_not_found',
    ),
  ),
];

export const options: readonly Mutant[] = [
  front(
    ['chat.user-or-metadata', 'user and metadata together are refused', 'CHAT-002', 'subset-accepted'],
    refuses((body) => 'user' in body && 'metadata' in body, 'invalid_param', 'metadata'),
  ),
  front(
    [
      'chat.both-samplings-fail',
      'temperature and top_p together end as a failure of the upstream',
      'CHAT-018',
      'clean-either-way',
    ],
    refuses((body) => 'temperature' in body && 'top_p' in body, 'upstream_error'),
  ),
  front(
    ['chat.streams-by-default', 'a request without stream is streamed', 'CHAT-024', 'plain-by-default'],
    inRequests((body) => {
      body.stream ??= true;
    }),
  ),
  front(
    ['chat.stream-demanded', 'a request without stream is refused', 'CHAT-024', 'plain-accepted'],
    refuses((body) => !('stream' in body), 'invalid_param', 'stream'),
  ),
  front(
    ['chat.stream-refused', 'streams are refused', 'CHAT-024', 'stream-accepted'],
    refuses((body) => body.stream === true, 'unsupported_capability'),
  ),
  front(
    [
      'chat.unknown-field-dropped',
      'unknown fields are dropped, though declared as refused',
      'CHAT-048',
      'unknown-as-declared',
    ],
    inRequests(dropUnknown),
  ),
  front(
    [
      'chat.extras-fail',
      'the common field n ends as a failure of the upstream',
      'CHAT-048',
      'clean-either-way',
    ],
    refuses((body) => 'n' in body, 'upstream_error'),
  ),
];
export const enabled: readonly Mutant[] = [
  front(
    ['chat.user-dropped', 'the value of user is dropped', 'CHAT-042', 'in-the-log'],
    inRequests((body) => {
      delete body.user;
    }),
  ),
  front(
    ['chat.metadata-dropped', 'metadata is dropped', 'CHAT-047', 'found'],
    inRequests((body) => {
      delete body.metadata;
    }),
  ),
  front(
    ['chat.metadata-empty-dropped', 'an empty value of metadata is dropped', 'CHAT-047', 'whole-in-log'],
    inRequests((body) => {
      const metadata = Object.entries(Object(body.metadata) as Body).filter(([, value]) => value !== '');
      if (body.metadata != null) body.metadata = Object.fromEntries(metadata);
    }),
  ),
  front(
    [
      'chat.metadata-of-streams-dropped',
      'streams of gamma models lose metadata',
      'CHAT-047',
      'found-every-way',
    ],
    inRequests((body) => {
      if (body.stream === true && String(body.model).startsWith('gamma')) delete body.metadata;
    }),
  ),
  source(
    ['chat.user-of-retry-lost', 'after a second attempt user is not logged', 'CHAT-042', 'in-every-log'],
    'services/chat/record.ts',
    'end_user: request.fields.user?.slice',
    'end_user: result.attempts > 1 ? null : request.fields.user?.slice',
  ),
  source(
    ['chat.metadata-first-pair', 'a search looks at one pair of metadata alone', 'CHAT-047', 'only-those'],
    'billing/usage-reader.ts',
    '[hasPairs(metadata)]',
    '[hasPairs(Object.fromEntries(Object.entries(metadata).slice(0, 1)))]',
  ),
];

function dropUnknown(body: Body): void {
  const known = new Set(chatFields.map((field) => field.name));
  for (const name of Object.keys(body)) if (!known.has(name)) delete body[name];
}
