import { inBoth, jsonAnswer, recount } from '../../../mutation/edits.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import type { ProxyRequest } from '../../../mutation/mutation.ts';

export const routeAttemptMutants: readonly Mutant[] = [
  {
    id: 'route.no-retry',
    title: 'a timeout is not retried',
    requirement: 'ROUTE-004',
    aspect: 'two-attempts',
    kind: 'source',
    file: 'gateway/routing/attempt.ts',
    find: 'const maxAttempts = 2;',
    replace: 'const maxAttempts = 1;',
  },
  {
    id: 'route.three-attempts',
    title: 'a timeout is retried twice',
    requirement: 'ROUTE-004',
    aspect: 'two-attempts',
    kind: 'source',
    file: 'gateway/routing/attempt.ts',
    find: 'const maxAttempts = 2;',
    replace: 'const maxAttempts = 3;',
  },
  {
    id: 'route.timeout-as-error',
    title: 'a timeout is reported as upstream_error',
    requirement: 'ROUTE-004',
    aspect: 'timeout-code',
    kind: 'front',
    mutation: {
      answer: (answer) =>
        answer.status === 504 ? jsonAnswer(502, { error: apiError('upstream_error') }) : answer,
    },
  },
  {
    id: 'route.retry-lost',
    title: 'the second attempt fails, whatever the upstream would have said',
    requirement: 'ROUTE-005',
    aspect: 'retry-answers',
    kind: 'upstream',
    mutation: { request: failSecond() },
  },
  {
    id: 'route.attempts-added-up',
    title: 'the usage of both attempts is added up',
    requirement: 'ROUTE-005',
    aspect: 'second-attempt-alone',
    kind: 'front',
    mutation: inBoth((part) =>
      recount(part, ({ prompt_tokens = 0 }) => ({ prompt_tokens: 2 * prompt_tokens })),
    ),
  },
  {
    id: 'route.junk-as-internal',
    title: 'an upstream error that cannot be classified is reported as an error of the gateway',
    requirement: 'ROUTE-008',
    aspect: 'unclassifiable-code',
    kind: 'front',
    mutation: {
      answer: (answer) =>
        answer.status === 502 ? jsonAnswer(500, { error: apiError('internal_error') }) : answer,
    },
  },
  {
    id: 'route.junk-as-param',
    title: 'an upstream error that cannot be classified is blamed on a parameter',
    requirement: 'ROUTE-008',
    aspect: 'unclassifiable-code',
    kind: 'front',
    mutation: {
      answer: (answer) =>
        answer.status === 502
          ? jsonAnswer(400, {
              error: { ...apiError('invalid_param'), type: 'invalid_request_error', param: 'messages' },
            })
          : answer,
    },
  },
  {
    id: 'route.junk-retried',
    title: 'every upstream error is taken for one that passes, and retried',
    requirement: 'ROUTE-008',
    aspect: 'one-attempt',
    kind: 'upstream',
    mutation: {
      answer: (answer) => (answer.status >= 400 && answer.status < 500 ? { ...answer, status: 500 } : answer),
    },
  },
];

function apiError(code: string): Record<string, unknown> {
  return { type: 'api_error', code, message: 'It did not work.', channel: null, param: null };
}

/** The same request a second time means the attempt after a timeout. */
function failSecond(): (request: ProxyRequest) => ProxyRequest | ReturnType<typeof jsonAnswer> {
  const seen = new Set<string>();
  return (request) => {
    const text = request.body.toString('utf8');
    if (seen.has(text)) return jsonAnswer(500, {});
    seen.add(text);
    return request;
  };
}
