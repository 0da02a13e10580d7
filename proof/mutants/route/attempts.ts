import type { ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { jsonAnswer } from '../../../suites/rewrite/mutation.ts';
import { inBoth, recount } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';

/**
 * The patch for a client that uses its kept connections in turn. `isFresh` is the condition under which it opens a new one.
 */
function inTurn(isFresh: string): [file: string, find: string, replace: string] {
  return [
    'upstreams/client.ts',
    'post: (request) => new Call(deps, request).send(request, request.body),',
    `post: async (request) => {
      const { RoundRobinPool } = await import('undici');
      const all = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: maxHeaderBytes, allowH2: false };
      const own = { ...all, connect: timedConnector(connect, limits.connect_timeout_ms, clock) };
      const factory = (origin) => new RoundRobinPool(origin, { ...all, factory: (line) => new TracedClient(line, own) });
      globalThis.inTurn ??= new Agent({ ...all, factory });
      const isFresh = ${isFresh};
      return await new Call({ ...deps, kept: globalThis.inTurn }, request).send({ ...request, isFresh }, request.body);
    },`,
  ];
}

export const routeAttemptMutants: readonly Mutant[] = [
  source(
    [
      'route.kept-connections-in-turn',
      'a second attempt takes the next of the connections that were kept',
      'ROUTE-002',
      'new-connection',
    ],
    ...inTurn('false'),
  ),
  source(
    [
      'route.counts-on-kept-connections',
      'a second count of tokens takes the next of the connections that were kept',
      'LIM-018',
      'counted-anew',
    ],
    ...inTurn("request.isFresh === true && !request.url.includes('count')"),
  ),
  source(
    ['route.no-retry', 'a timeout is not retried', 'ROUTE-004', 'two-attempts'],
    'routing/attempt.ts',
    'const maxAttempts = 2;',
    'const maxAttempts = 1;',
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
