import { objectsIn } from '../../../suites/rewrite/json.ts';
import { editRequest } from '../../../suites/rewrite/mutation.ts';
import { codeOf } from '../../../suites/rewrite/refusal-edits.ts';
import { frontB, generated, keyOf, pathsB, refusesB, turnsOf } from '../../edits/compat-b-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';

/** Gateways that leak a key in an address of compat path B, or ignore the windows of its models. */

export const keys: readonly Mutant[] = [
  frontB(['compb.any-key', 'any key will do', 'COMPB-007', 'key-refused'], {
    answer: (got, sent) => (codeOf(got) === 'invalid_api_key' && keyOf(sent) !== '' ? generated(sent) : got),
  }),
  frontB(['compb.no-key-needed', 'no key is needed', 'COMPB-007', 'no-key-refused'], {
    answer: (got, sent) => (codeOf(got) === 'invalid_api_key' && keyOf(sent) === '' ? generated(sent) : got),
  }),
  frontB(
    ['compb.key-first-only', 'the key has to come first in the query', 'COMPB-007', 'key-accepted'],
    pathsB((path) => path.replace(/&key=[^&]*/, '')),
  ),
  frontB(
    ['compb.two-keys-fail', 'two keys are a failure of the gateway', 'COMPB-007', 'two-keys-clean'],
    refusesB((_, { path }) => (path.match(/[?&]key=/g) ?? []).length > 1, 'internal_error'),
  ),
  frontB(
    [
      'compb.bearer-fails',
      'a bearer header alone is a failure of the gateway',
      'COMPB-008',
      'elsewhere-clean',
    ],
    refusesB(
      (_, sent) =>
        keyOf(sent) === '' && sent.headers.some(([name]) => name.toLowerCase() === 'authorization'),
      'internal_error',
    ),
  ),
  frontB(['compb.key-in-body', 'the key reaches the upstream in the body', 'COMPB-009', 'not-forwarded'], {
    request: (sent) =>
      editRequest((body) => {
        if (keyOf(sent) !== '' && 'contents' in body) body.labels = { caller: keyOf(sent) };
      })(sent),
  }),
  frontB(
    [
      'compb.key-in-header',
      'answers repeat the address of the request in a header',
      'COMPB-009',
      'not-echoed',
    ],
    {
      answer: (got, sent) => ({ ...got, headers: [...got.headers, ['x-request-url', sent.path]] }),
      events: () => (event) => (event === null ? [] : [event]),
    },
  ),
];

export const windows: readonly Mutant[] = [
  frontB(['compb.tokens-clamped', 'maxOutputTokens beyond the window is cut', 'COMPB-013', 'above-refused'], {
    request: editRequest((body) => {
      const config = body.generationConfig as { maxOutputTokens?: unknown } | undefined;
      if (Number(config?.maxOutputTokens) > 8_192 && config !== undefined) config.maxOutputTokens = 8_192;
    }),
  }),
  frontB(
    [
      'compb.sum-unseen',
      'a prompt and maxOutputTokens are judged each for itself',
      'COMPB-013',
      'sum-refused',
    ],
    {
      request: (sent) =>
        sent.body.length < 2_000_000
          ? sent
          : editRequest((body) => {
              if (body.generationConfig !== undefined) body.generationConfig = { maxOutputTokens: 16 };
            })(sent),
    },
  ),
  // A second mutant for this aspect: the check of long conversations sends no maxOutputTokens.
  frontB(['compb.answer-cut', 'earlier answers beyond the window are cut', 'COMPB-013', 'above-refused'], {
    request: (sent) =>
      sent.body.length < 2_000_000
        ? sent
        : editRequest((body) => {
            const answers = turnsOf(body).filter(({ role }) => role === 'model');
            for (const part of answers.flatMap((turn) => objectsIn(turn.parts)))
              if (typeof part.text === 'string') part.text = part.text.slice(0, 1_000);
          })(sent),
  }),
];
