import { isCountingCall } from '../../../suites/oracle/native/dialects.ts';
import type { Dialect } from '../../../suites/profile/dialects.ts';
import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import { editAnswer, type Mutation, type ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { pardons } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { counting, countOf, eventsOf, fromUpstream, usageIn } from '../../edits/native-edits.ts';

/**
 * Gateways that charge for something other than the counts. Simulated by changed counts for a gateway that charges correctly.
 */

const dialects: readonly Dialect[] = ['chat-completions', 'messages', 'generate-content'];
const inputOf = {
  'chat-completions': 'prompt_tokens',
  messages: 'input_tokens',
  'generate-content': 'promptTokenCount',
} as const;
const outputOf = {
  'chat-completions': 'completion_tokens',
  messages: 'output_tokens',
  'generate-content': 'candidatesTokenCount',
} as const;

/** Combines mutations of one dialect each. */
function each(make: (dialect: Dialect) => Mutation): Mutation {
  const all = dialects.map(make);
  return {
    answer: (answer, request) =>
      all.reduce((made, { answer: edit }) => edit?.(made, request) ?? made, answer),
    events: (request) => {
      const edits = all.flatMap(({ events }) => (events === undefined ? [] : [events(request)]));
      return (event) =>
        event === null
          ? []
          : edits.reduce<readonly string[]>((made, edit) => made.flatMap((one) => edit(one)), [event]);
    },
  };
}

/** Changes the input tokens in every dialect. */
function input(change: (count: number) => number): Mutation {
  return each((dialect) =>
    counting(dialect, (usage) => {
      const name = inputOf[dialect];
      if (name in usage) usage[name] = change(countOf(usage, name));
    }),
  );
}

/** Changes the usage of plain answers, given the request and the answer. */
function knowing(edit: (usage: Body, answer: Body, request: ProxyRequest) => void): Mutation {
  return {
    answer: (answer, request) =>
      isCountingCall(request.path)
        ? answer
        : editAnswer((body) => {
            const usage = usageIn(body);
            if (usage !== undefined) edit(usage, body, request);
          })(answer, request),
  };
}

/** Sets the count of one side, by the dialect's name for it. */
function setCount(usage: Body, names: Readonly<Record<string, string>>, count: number): void {
  for (const name of Object.values(names)) if (name in usage) usage[name] = count;
}

/** Number of times each prompt was sent, by its text. */
const attempts = new Map<string, number>();

/** A repeated attempt also counts the tokens of the failed one. */
const countsAttempts: Mutation = {
  request: (request) => {
    if (!isCountingCall(request.path)) {
      const words = longestText(objectIn(request.body));
      attempts.set(words, (attempts.get(words) ?? 0) + 1);
    }
    return request;
  },
  ...each((dialect) => {
    const doubled = counting(dialect, (usage) => {
      for (const name of [inputOf[dialect], outputOf[dialect]])
        if (name in usage) usage[name] = 2 * countOf(usage, name);
    });
    const isSecond = (request: ProxyRequest): boolean =>
      (attempts.get(longestText(objectIn(request.body))) ?? 0) > 1;
    return {
      answer: (answer, request) =>
        isSecond(request) ? (doubled.answer?.(answer, request) ?? answer) : answer,
      events: (request) =>
        (isSecond(request) ? doubled.events?.(request) : undefined) ??
        ((event) => (event === null ? [] : [event])),
    };
  }),
};

function longestText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object') return '';
  return Object.values(value)
    .map(longestText)
    .reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}

export const charged: readonly Mutant[] = [
  upstream(
    ['bill.input-estimated', 'input is counted by the length of the request', 'BILL-001', 'text-length'],
    knowing((usage, _, { body }) => setCount(usage, inputOf, Math.ceil(body.length / 4))),
  ),
  upstream(
    [
      'bill.tools-cost',
      'a tool that is called costs a thousand tokens',
      'BILL-001',
      'equal-counts-cost-the-same',
    ],
    knowing((usage, answer) => {
      if (/"(?:tool_calls|tool_use|functionCall)"/.test(JSON.stringify(answer)))
        for (const name of Object.values(outputOf))
          if (name in usage) usage[name] = countOf(usage, name) + 1_000;
    }),
  ),
  upstream(
    [
      'bill.uncounted-estimated',
      'what no upstream has counted is estimated',
      'BILL-001',
      'uncounted-is-free',
    ],
    fromUpstream('chat-completions', (part) => {
      if (part.choices !== undefined && part.usage === undefined)
        part.usage = { prompt_tokens: 512, completion_tokens: 7, total_tokens: 519 };
    }),
  ),
  upstream(
    [
      'bill.abandoned-with-margin',
      'a stream that is left costs a thousand tokens more than were counted',
      'BILL-001',
      'abandoned-as-declared',
    ],
    eventsOf('messages', (part) => {
      const usage = part.type === 'message_start' ? usageIn(part) : undefined;
      if (usage !== undefined) usage.input_tokens = countOf(usage, 'input_tokens') + 1_000;
      return [part];
    }),
  ),
  upstream(
    ['bill.input-overhead', 'each call is charged for five hundred tokens more', 'BILL-002', 'doubled'],
    input((count) => count + 500),
  ),
  upstream(
    ['bill.input-in-thousands', 'input is charged in whole thousands', 'BILL-002', 'exact-charge'],
    input((count) => Math.ceil(count / 1_000) * 1_000),
  ),
  upstream(
    ['bill.output-lost', 'output is not charged', 'BILL-002', 'output-costs'],
    each((dialect) =>
      counting(dialect, (usage) => {
        const name = outputOf[dialect];
        if (name in usage) usage[name] = Math.min(1, countOf(usage, name));
      }),
    ),
  ),
  upstream(
    ['bill.thoughts-free', 'thoughts are not charged', 'BILL-002', 'thoughts-are-output'],
    counting('generate-content', (usage) => {
      delete usage.thoughtsTokenCount;
    }),
  ),
];

export const cached: readonly Mutant[] = [
  upstream(
    ['bill.reads-in-full', 'what was read from a cache is charged in full', 'BILL-004', 'cheaper'],
    counting('chat-completions', (usage) => {
      delete usage.prompt_tokens_details;
    }),
  ),
  upstream(
    [
      'bill.reads-in-full-twice',
      'what was read is charged in full and as read',
      'BILL-005',
      'not-in-full-as-well',
    ],
    counting('messages', (usage) => {
      if ('input_tokens' in usage)
        usage.input_tokens = countOf(usage, 'input_tokens') + countOf(usage, 'cache_read_input_tokens');
    }),
  ),
  upstream(
    ['bill.half-of-reads', 'of what a beta model read half is charged in full', 'BILL-004', 'a-tenth'],
    counting('messages', (usage) => {
      const read = countOf(usage, 'cache_read_input_tokens');
      if (!('input_tokens' in usage) || read === 0) return;
      usage.cache_read_input_tokens = read - Math.floor(read / 2);
      usage.input_tokens = countOf(usage, 'input_tokens') + Math.floor(read / 2);
    }),
  ),
  upstream(
    [
      'bill.first-reads-cheap',
      'only the first 100,000 tokens read are charged as read',
      'BILL-004',
      'by-the-token',
    ],
    counting('chat-completions', (usage) => {
      const details = usage.prompt_tokens_details as Body | null | undefined;
      if (details) details.cached_tokens = Math.min(countOf(details, 'cached_tokens'), 100_000);
    }),
  ),
];

export const others: readonly Mutant[] = [
  upstream(
    ['bill.attempts-added', 'a second attempt is charged with the first', 'BILL-009', 'charged-once'],
    countsAttempts,
  ),
  upstream(
    ['bill.streams-dearer', 'streams cost half as much again', 'BILL-010', 'stream-costs-the-same'],
    eventsOf('chat-completions', (part) => {
      const usage = usageIn(part);
      if (usage !== undefined) usage.prompt_tokens = Math.floor(countOf(usage, 'prompt_tokens') * 1.5);
      return [part];
    }),
  ),
  front(
    ['bill.quota-pardoned', 'calls go on when the quota is used up', 'BILL-007', 'used-up'],
    pardons('quota_exceeded'),
  ),
];
