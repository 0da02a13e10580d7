import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import { editAnswer, jsonAnswer, type Mutation, type ProxyAnswer } from '../../../suites/rewrite/mutation.ts';
import { withHeader } from '../../../suites/rewrite/proxy-headers.ts';
import { inErrors } from '../../../suites/rewrite/refusal-edits.ts';
import { inEvents, isErrorEvent } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that route correctly and report it wrongly. */
export const routeAnswerMutants: readonly Mutant[] = [
  front(
    [
      'route.answer.fallback-hidden',
      'what the fallback answers bears the name of the model that was asked for',
      'RESP-005',
      'model-tells',
    ],
    renamed((asked) => asked),
  ),
  front(
    [
      'route.answer.other-model',
      'an answer is named after the channel that served and not after its model',
      'ROUTE-003',
      'only-after-failure',
    ],
    renamed((asked, named) => (asked.startsWith('trio-') ? 'trio-beta' : named)),
  ),
  front(
    [
      'route.answer.other-channel',
      'an error names another channel of the model than the one that failed',
      'ROUTE-015',
      'failed-channel',
    ],
    inErrors((error) => {
      error.channel = otherChannel(error.channel);
    }),
  ),
  source(
    [
      'route.answer.first-blamed',
      'an error of the second channel names the first, which failed in another way',
      'ROUTE-015',
      'channel-at-fault',
    ],
    'routing/attempt.ts',
    'last = await run(attempting, admitted, attempts);',
    'const blamed = last?.channelId; last = await run(attempting, admitted, attempts); if (blamed && isFailure(last.outcome)) last = { ...last, channelId: blamed };',
  ),
  ...codes('full-as-error', 'a lack of room is reported as a failure', 'channel_queue_full', [
    ['ERR-022', 'provoked'],
    ['ROUTE-010', 'full-code'],
  ]),
  ...codes('outage-as-error', 'an outage is reported as a failure of one upstream', 'channel_outage', [
    ['ERR-030', 'provoked'],
    ['ROUTE-009', 'outage-code'],
  ]),
  ...codes('block-as-error', 'a block by policy is reported as a failure', 'content_filter', [
    ['ROUTE-013', 'code'],
  ]),
  ...codes('long-as-error', 'a prompt that is too long is reported as a failure', 'context_too_long', [
    ['ROUTE-014', 'code'],
  ]),
  hint('hour', 'Retry-After asks callers to come back in an hour', 'full-hint', 429, '3600'),
  hint('long-outage', 'Retry-After reports an outage of five minutes', 'outage-hint', 503, '300'),
  hint(
    'fixed',
    'Retry-After always asks callers to wait for the whole cool-down',
    'outage-remaining',
    503,
    '30',
  ),
  hint('short', 'Retry-After ends before the outage does', 'hint-holds', 503, '1'),
  front(
    [
      'route.answer.restarts',
      'a stream whose upstream fails continues with the answer of another attempt',
      'SSE-020',
      'no-restart',
    ],
    inEvents((event) => (isErrorEvent(event) ? [delta('Once again from the start.'), event] : [event])),
  ),
  front(
    [
      'route.answer.repeats',
      'what had arrived of a stream comes once more when its upstream fails',
      'SSE-020',
      'each-once',
    ],
    { events: () => repeatedAtFailure() },
  ),
];

/** Renames the model of every answer, given the requested name and the answer's. */
function renamed(rename: (asked: string, named: string) => string): Mutation {
  const edit = (part: Body, asked: unknown): void => {
    if (typeof part.model === 'string' && typeof asked === 'string') part.model = rename(asked, part.model);
  };
  return {
    answer: editAnswer((body, _, request) => edit(body, objectIn(request.body)?.model)),
    events: (request) => {
      const asked = objectIn(request.body)?.model;
      return (event) => {
        if (event === null) return [];
        const chunk = event.startsWith('data: {') ? objectIn(Buffer.from(event.slice(6))) : null;
        if (chunk === null) return [event];
        edit(chunk, asked);
        return [`data: ${JSON.stringify(chunk)}`];
      };
    },
  };
}

/** The channels of a pair are numbered. */
function otherChannel(channel: unknown): unknown {
  return typeof channel === 'string'
    ? channel.replace(/-([12])$/, (_, number: string) => `-${3 - Number(number)}`)
    : channel;
}

/** A mutant that reports errors of this code as upstream_error. */
function codes(
  id: string,
  title: string,
  code: string,
  rules: readonly (readonly [requirement: string, aspect: string])[],
): Mutant[] {
  const error = { type: 'api_error', code: 'upstream_error', message: 'No.', channel: null, param: null };
  return rules.map(([requirement, aspect]) =>
    front([`route.answer.${id}-${requirement.toLowerCase()}`, title, requirement, aspect], {
      answer: (answer: ProxyAnswer) =>
        (objectIn(answer.body)?.error as Body | undefined)?.code === code
          ? jsonAnswer(502, { error })
          : answer,
    }),
  );
}

function hint(id: string, title: string, aspect: string, status: number, value: string): Mutant {
  return front([`route.answer.hint-${id}`, title, 'ROUTE-017', aspect], {
    answer: (answer) =>
      answer.status === status
        ? { ...answer, headers: withHeader(answer.headers, 'retry-after', value) }
        : answer,
  });
}

function delta(content: string): string {
  return `data: ${JSON.stringify({
    id: 'x',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'x',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  })}`;
}

function repeatedAtFailure(): (event: string | null) => readonly string[] {
  const seen: string[] = [];
  return (event) => {
    if (event === null) return [];
    if (isErrorEvent(event)) return [...seen, event];
    if (event.includes('"content"')) seen.push(event);
    return [event];
  };
}
