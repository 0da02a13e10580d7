import type { ErrorCode } from '../../../suites/oracle/error-table.ts';
import { objectIn } from '../../../suites/rewrite/json.ts';
import type { Mutation, ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { codeOf, completion, inErrors, miscalls, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import {
  deltaOf,
  inBoth,
  inChunks,
  inEvents,
  isErrorEvent,
  recount,
  retext,
} from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that mishandle an upstream's fault, visible in a single answer. */

/** Each code that an upstream failure can cause, with its requirement. */
const rows: readonly (readonly [code: ErrorCode, requirement: string])[] = [
  ['channel_queue_full', 'ERR-022'],
  ['invalid_param', 'ERR-024'],
  ['context_too_long', 'ERR-025'],
  ['content_filter', 'ERR-027'],
  ['upstream_error', 'ERR-029'],
  ['channel_outage', 'ERR-030'],
  ['upstream_timeout', 'ERR-031'],
];

export const codes: readonly Mutant[] = rows.map(([code, requirement]) =>
  front(
    [
      `faults.${dashed(code)}-as-500`,
      `${code} is reported as a failure of the gateway`,
      requirement,
      'fault-code',
    ],
    miscalls(code, 'internal_error'),
  ),
);

/** Changes errors that blame the upstream; the caller's own errors stay. */
export const pardoned: readonly Mutant[] = rows
  .filter(([code]) => code !== 'invalid_param' && code !== 'channel_outage')
  .map(([code, requirement]) =>
    front(
      [
        `faults.${dashed(code)}-as-success`,
        `${code} is covered up with an answer of its own`,
        requirement,
        'false-success',
      ],
      {
        answer: (answer, request) =>
          codeOf(answer) === code && !wantsStream(request) ? completion(request) : answer,
      },
    ),
  );

export const texts: readonly Mutant[] = [
  front(
    ['faults.text-short', 'plain answers lack their last character', 'RESP-024', 'fault-text'],
    retext((text) => [...text].slice(0, -1).join('')),
  ),
  front(
    [
      'faults.fragment-short',
      'the first fragment of a stream lacks its first character',
      'SSE-020',
      'fault-text',
    ],
    { events: () => changeFirstText((text) => [...text].slice(1).join('')) },
  ),
  front(
    ['faults.usage-doubled', 'usage is counted twice', 'RESP-022', 'fault-usage'],
    inBoth((part) =>
      recount(part, ({ prompt_tokens = 0, completion_tokens = 0 }) => ({
        prompt_tokens: 2 * prompt_tokens,
        completion_tokens: 2 * completion_tokens,
      })),
    ),
  ),
  front(['faults.calls-lost', 'streams hold no more than their first tool call', 'SSE-020', 'fault-calls'], {
    ...inChunks((chunk) => {
      const calls = deltaOf(chunk).tool_calls;
      if (Array.isArray(calls))
        deltaOf(chunk).tool_calls = calls.filter((call: { index?: number }) => (call.index ?? 0) === 0);
      return undefined;
    }),
  }),
];

export const endings: readonly Mutant[] = [
  front(
    ['faults.broken-as-stop', 'a stream that broke ends with stop', 'SSE-016', 'false-success'],
    inEvents((event) => (isErrorEvent(event) ? [stop] : [event])),
  ),
  front(
    ['faults.broken-as-500', 'a stream that broke says that the gateway failed', 'SSE-016', 'fault-code'],
    inEvents((event) => [
      isErrorEvent(event) ? event.replace(/"code":"\w+"/, '"code":"internal_error"') : event,
    ]),
  ),
  front(
    [
      'faults.channel-of-another',
      'a failing channel is called by the name of another',
      'ROUTE-015',
      'fault-channel',
    ],
    inErrors((error) => {
      if (typeof error.channel === 'string') error.channel = otherChannel(error.channel);
    }),
  ),
  front(
    ['faults.never-again', 'a model that failed once is refused for ever', 'ERR-029', 'recovers'],
    neverAgain(),
  ),
];

const stop =
  'data: {"id":"chatcmpl-x","object":"chat.completion.chunk","created":1,"model":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';

function dashed(code: string): string {
  return code.replaceAll('_', '-');
}

function wantsStream({ body }: ProxyRequest): boolean {
  return objectIn(body)?.stream === true;
}

/** Another channel of the reference, whose name ends in the model family. */
function otherChannel(channel: string): string {
  return channel.endsWith('-alpha')
    ? channel.replace(/-alpha$/, '-beta')
    : channel.replace(/-[a-z]+$/, '-alpha');
}

function changeFirstText(change: (text: string) => string): (event: string | null) => readonly string[] {
  let changed = false;
  return (event) => {
    if (event === null) return [];
    if (changed || !/"content":"(?:[^"\\]|\\.)/.test(event)) return [event];
    changed = true;
    return [
      event.replace(/"content":("(?:[^"\\]|\\.)+")/, (_, text: string) => {
        return `"content":${JSON.stringify(change(JSON.parse(text) as string))}`;
      }),
    ];
  };
}

/** Models are tracked per account, like their channels. */
function neverAgain(): Mutation {
  const failed = new Set<string>();
  const key = ({ headers, body }: ProxyRequest): string =>
    `${headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]} ${String(objectIn(body)?.model)}`;
  return {
    request: (request) => request,
    answer: (answer, request) => {
      if (codeOf(answer) === 'upstream_error') failed.add(key(request));
      return failed.has(key(request)) && codeOf(answer) === null && answer.status === 200
        ? refusal('internal_error')
        : answer;
    },
  };
}
