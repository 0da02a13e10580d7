import { isJsonObject } from '../values/json.ts';
import { excerpt, jsonOf } from '../wire/exchange.ts';
import { isErrorInSuccess } from './error-answers.ts';
import type { Seen } from './look-at-interface.ts';

/** Where the keys of an API go and how they begin, as `dialect.keys` has it, with the reasons; empty if as specified. */
export function foundKeys({ keyPlace, keyPrefix, spoken, sharesKeyHeader, refusals }: Seen): {
  readonly keys: Readonly<Record<string, unknown>>;
  readonly why: readonly string[];
} {
  const place = keyPlace === 'query' ? { query: 'key' } : { header: keyPlace };
  const isElsewhere = keyPlace !== 'authorization';
  const { key: wrong } = refusals;
  const isAccepted = wrong?.response?.status === 200;
  const isServed = isAccepted && isAnswer(jsonOf(wrong));
  return {
    keys: {
      ...(isElsewhere && { core: place, ...(spoken !== 'core' && { [spoken]: { ...place } }) }),
      ...(sharesKeyHeader && { 'compat-a': { header: 'authorization', form: 'Bearer {key}' } }),
      ...(keyPrefix !== undefined && { prefix: keyPrefix }),
    },
    why: [
      ...(isElsewhere
        ? [`keys: it accepts ${keyPlace === 'query' ? 'key in the query' : keyPlace}, not Authorization`]
        : []),
      ...(sharesKeyHeader ? ['keys: the messages protocol accepts Authorization, not x-api-key'] : []),
      ...(isServed ? ['keys: an unknown key is served, so keys are not checked'] : []),
      ...(isAccepted && !isServed && !isErrorInSuccess(wrong)
        ? [
            `errors: an unknown key gets HTTP 200 (${excerpt(wrong, 80)}), so each refusal fails for its status`,
          ]
        : []),
      ...(keyPrefix === undefined
        ? []
        : [
            keyPrefix === null
              ? 'keys: this one has no usual prefix. If all begin alike, write it into dialect.keys.prefix'
              : `keys: this one begins with ${keyPrefix}, not with sk-app-`,
          ]),
    ],
  };
}

/** Whether a body is the answer of a model, in any of the protocols. */
function isAnswer(body: unknown): boolean {
  return isJsonObject(body) && ['choices', 'content', 'candidates'].some((name) => Array.isArray(body[name]));
}
