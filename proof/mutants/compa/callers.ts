import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { refusesTooLate } from '../../edits/chat-edits.ts';
import {
  frontA,
  headerIn,
  headersA,
  messageFor,
  miscalledA,
  refusesA,
  takesA,
} from '../../edits/compat-a-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';

/** Gateways that accept the wrong keys on compat path A, or serve other models. */

export const keys: readonly Mutant[] = [
  frontA(
    ['compa.bearer-in-key', 'a key may stand behind the word Bearer', 'COMPA-008', 'unauthenticated'],
    headersA((name, value) => (name.toLowerCase() === 'x-api-key' ? value.replace(/^Bearer /, '') : value)),
  ),
  frontA(
    [
      'compa.key-name-case',
      'the name of the key header is compared by its case',
      'COMPA-008',
      'key-accepted',
    ],
    headersA((name, value) => (name === 'X-Api-Key' ? null : value)),
  ),
  frontA(
    ['compa.body-before-key', 'a body is read before the caller is known', 'COMPA-008', 'comes-first'],
    refusesA(({ messages }) => messages === undefined, 'invalid_param', 'messages'),
  ),
  frontA(
    ['compa.keys-cut', 'of a key only the first 31 characters count', 'COMPA-008', 'wrong-key'],
    pardonsWrongKeys(),
  ),
  // Three mutants for one aspect: each state of a key has its own check.
  ...(['sk_disabled', 'sk_expired', 'ip_not_allowed'] as const).map((code) =>
    frontA(
      [
        `compa.${code.replaceAll('_', '-')}-unsaid`,
        `${code} is reported as invalid_api_key`,
        'COMPA-008',
        'key-state',
      ],
      miscalledA(code, 'invalid_api_key'),
    ),
  ),
];

/** Accepts every key that is well-formed. */
function pardonsWrongKeys(): Mutation {
  return {
    answer: (answer, request) =>
      answer.status === 401 && /^sk-app-[A-Za-z0-9]{20,}$/.test(headerIn(request, 'x-api-key') ?? '')
        ? messageFor(request)
        : answer,
  };
}

export const models: readonly Mutant[] = [
  takesA(
    'any-model',
    'a model of another path is served by a beta model',
    'COMPA-012',
    (body) => {
      if (typeof body.model === 'string' && /^(?:alpha|gamma|delta)-/.test(body.model))
        body.model = 'beta-mid-4-5';
    },
    'other-model',
  ),
  takesA(
    'model-spelling',
    'the case of a model id does not count',
    'COMPA-012',
    (body) => {
      if (typeof body.model === 'string') body.model = body.model.toLowerCase();
    },
    'unknown-model',
  ),
  frontA(
    [
      'compa.other-model-late',
      'a model of another path is refused after an upstream was asked',
      'COMPA-012',
      'no-upstream-call',
    ],
    refusesTooLate(
      ({ model }) => String(model).startsWith('gamma-'),
      (body) => {
        body.model = 'beta-mid-4-5';
      },
      'model_not_found',
    ),
  ),
];
