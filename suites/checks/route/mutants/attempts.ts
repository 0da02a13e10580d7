import { inBoth, recount } from '../../../mutation/chat-edits.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { front, source, upstream } from '../../../mutation/mutant.ts';
import type { ProxyRequest } from '../../../mutation/mutation.ts';
import { jsonAnswer } from '../../../mutation/mutation.ts';

export const routeAttemptMutants: readonly Mutant[] = [
  source(
    [
      'route.picture-on-kept-connection',
      'a second attempt at pictures may take any connection that was kept',
      'ROUTE-002',
      'new-connection',
    ],
    'upstreams/media/ask-json.ts',
    '    ...(isFresh !== undefined && { isFresh }),\n',
    '',
  ),
  source(
    [
      'route.chat-on-kept-connection',
      'a second attempt at a chat may take any connection that was kept',
      'ROUTE-002',
      'new-connection',
    ],
    'services/chat/dispatch.ts',
    'call: (channel, isFresh) => complete(service, { channel, isFresh }, request, gone),',
    'call: (channel) => complete(service, { channel, isFresh: false }, request, gone),',
  ),
  source(
    [
      'route.count-on-kept-connection',
      'a second count of tokens may take any connection that was kept',
      'LIM-018',
      'counted-anew',
    ],
    'upstreams/count-prompt.ts',
    'await client.post({ ...asked, isFresh: true }) : first;',
    'await client.post({ ...asked }) : first;',
  ),
  source(
    ['route.no-retry', 'a timeout is not retried', 'ROUTE-004', 'two-attempts'],
    'routing/attempt.ts',
    'const maxAttempts = 2;',
    'const maxAttempts = 1;',
  ),
  source(
    ['route.three-attempts', 'a timeout is retried twice', 'ROUTE-004', 'two-attempts'],
    'routing/attempt.ts',
    'const maxAttempts = 2;',
    'const maxAttempts = 3;',
  ),
  source(
    ['route.tools-tried-once', 'a call with tools is not retried', 'ROUTE-005', 'any-chat-retried'],
    'services/chat/dispatch.ts',
    'call: (channel, isFresh) => complete(service, { channel, isFresh }, request, gone),',
    `call: async (channel, isFresh) => {
      const outcome = await complete(service, { channel, isFresh }, request, gone);
      const isDear = JSON.stringify(request).includes('"parameters":');
      return isDear && outcome.kind === 'failure' ? { ...outcome, reason: 'unusable' } : outcome;
    },`,
  ),
  front(['route.timeout-as-error', 'a timeout is reported as upstream_error', 'ROUTE-004', 'timeout-code'], {
    answer: (answer) =>
      answer.status === 504 ? jsonAnswer(502, { error: apiError('upstream_error') }) : answer,
  }),
  upstream(
    [
      'route.retry-lost',
      'the second attempt fails, whatever the upstream would have said',
      'ROUTE-005',
      'retry-answers',
    ],
    { request: failSecond() },
  ),
  front(
    [
      'route.attempts-added-up',
      'the usage of both attempts is added up',
      'ROUTE-005',
      'second-attempt-alone',
    ],
    inBoth((part) => recount(part, ({ prompt_tokens = 0 }) => ({ prompt_tokens: 2 * prompt_tokens }))),
  ),
  front(
    [
      'route.junk-as-internal',
      'an upstream error that cannot be classified is reported as an error of the gateway',
      'ROUTE-008',
      'unclassifiable-code',
    ],
    {
      answer: (answer) =>
        answer.status === 502 ? jsonAnswer(500, { error: apiError('internal_error') }) : answer,
    },
  ),
  front(
    [
      'route.junk-as-param',
      'an upstream error that cannot be classified is blamed on a parameter',
      'ROUTE-008',
      'unclassifiable-code',
    ],
    {
      answer: (answer) =>
        answer.status === 502
          ? jsonAnswer(400, {
              error: { ...apiError('invalid_param'), type: 'invalid_request_error', param: 'messages' },
            })
          : answer,
    },
  ),
  upstream(
    [
      'route.junk-retried',
      'every upstream error is taken for one that passes, and retried',
      'ROUTE-008',
      'one-attempt',
    ],
    {
      answer: (answer) => (answer.status >= 400 && answer.status < 500 ? { ...answer, status: 500 } : answer),
    },
  ),
];

function apiError(code: string): Record<string, unknown> {
  return { type: 'api_error', code, message: 'It did not work.', channel: null, param: null };
}

/** A repeated request is the attempt after a timeout. */
function failSecond(): (request: ProxyRequest) => ProxyRequest | ReturnType<typeof jsonAnswer> {
  const seen = new Set<string>();
  return (request) => {
    const text = request.body.toString('utf8');
    if (seen.has(text)) return jsonAnswer(500, {});
    seen.add(text);
    return request;
  };
}
