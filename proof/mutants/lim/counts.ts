import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import { editRequest, type ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import { headerOf } from '../../../suites/rewrite/proxy-headers.ts';
import {
  authorizationOf,
  codeOf,
  isReading,
  pardons,
  refusal,
} from '../../../suites/rewrite/refusal-edits.ts';
import { messagesIn, refuses } from '../../edits/chat-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that count requests, rates or tokens wrongly. */

const takeSlot = 'access/take-slot.ts';
const taking = 'slots.take(caller.userId, caller.cap)';
const hasUser = (request: ProxyRequest): boolean => objectIn(request.body)?.user !== undefined;

/** The key that first used each `user` value. */
const owners = new Map<string, string>();

export const cap: readonly Mutant[] = [
  source(
    ['lim.cap-less', 'the cap is one less', 'LIM-001', 'cap-available'],
    takeSlot,
    taking,
    'slots.take(caller.userId, caller.cap - 1)',
  ),
  front(
    ['lim.cap-reads-free', 'reading routes do not count', 'LIM-001', 'reads-as-declared'],
    pardons('concurrency_exceeded', isReading),
  ),
  source(
    ['lim.cap-per-key', 'the cap is for each key', 'LIM-002', 'keys-together'],
    takeSlot,
    taking,
    'slots.take(caller.keyId, caller.cap)',
  ),
  source(
    ['lim.cap-per-account', 'the cap is for each account', 'LIM-002', 'other-user'],
    takeSlot,
    taking,
    'slots.take(caller.accountId, caller.cap)',
  ),
  source(
    ['lim.cap-shared', 'two accounts share a cap', 'LIM-002', 'other-account'],
    takeSlot,
    taking,
    "slots.take(caller.userId.replace(/-b-u$/, '-u1'), caller.cap)",
  ),
  source(
    ['lim.cap-second-key', 'a second key has no share in the cap', 'LIM-002', 'cap-available'],
    takeSlot,
    taking,
    "slots.take(caller.userId, caller.keyId.endsWith('K2') ? 0 : caller.cap)",
  ),
  front(
    ['lim.cap-by-field', 'the cap counts the field user', 'LIM-009', 'user-field-splits'],
    pardons('concurrency_exceeded', hasUser),
  ),
  front(['lim.cap-joined-by-field', 'the field user joins two users', 'LIM-009', 'user-field-joins'], {
    request: (request) => {
      const { user } = objectIn(request.body) ?? {};
      if (typeof user !== 'string') return request;
      const key = authorizationOf(request);
      const owner = owners.get(user) ?? key;
      owners.set(user, owner);
      return owner === key ? request : refusal('concurrency_exceeded');
    },
  }),
  front(['lim.cap-queues', 'what is above the cap waits before it is refused', 'LIM-006', 'immediate'], {
    delayMs: 2_300,
  }),
  source(
    ['lim.streams-hold-nothing', 'a stream gives its slot back when it begins', 'LIM-005', 'stream-holds'],
    takeSlot,
    'exchange.whenOver(slot.release)',
    'exchange.whenOver(slot.release);\n  const { outgoing } = exchange;\n  const { writeHead } = outgoing;\n  outgoing.writeHead = ((...head: unknown[]) => { slot.release(); return Reflect.apply(writeHead, outgoing, head); }) as typeof writeHead',
  ),
  source(
    ['lim.streams-hold-for-ever', 'a stream never gives its slot back', 'LIM-005', 'stream-frees'],
    takeSlot,
    'exchange.whenOver(slot.release)',
    leakWhen('isStream'),
  ),
  source(
    ['lim.cap-never-freed', 'held calls never give their slots back', 'LIM-001', 'freed'],
    takeSlot,
    'exchange.whenOver(slot.release)',
    leakWhen('status === 200'),
  ),
];

/** How a proxy recognizes each ending: by what was sent, and whether the client is still connected. */
const leaks: readonly (readonly [name: string, when: string])[] = [
  ['success', '!left && !isStream && status === 200 && exchange.outgoing.headersSent'],
  ['stream-end', '!left && isStream && !failed'],
  ['refusal', '!left && status === 400'],
  ['upstream-failure', '!left && status >= 500'],
  ['upstream-cut', '!left && isStream && failed'],
  ['abort-waiting', 'left && !exchange.outgoing.headersSent'],
  ['abort-streaming', 'left && isStream'],
];

export const slots: readonly Mutant[] = [
  ...leaks.map(([name, when]) =>
    source(
      [`lim.slot-leaks-after-${name}`, `a slot is lost after ${name}`, 'LIM-004', `freed-after-${name}`],
      takeSlot,
      'exchange.whenOver(slot.release)',
      leakWhen(when),
    ),
  ),
  source(
    [
      'lim.slot-leaks-after-cap-refusal',
      'a call refused by the cap takes a slot',
      'LIM-004',
      'freed-after-cap-refusal',
    ],
    'access/slots.ts',
    'if (prune(userId) >= cap) return null;',
    'if (prune(userId) >= cap) {\n        users.get(userId)?.set(newId(), clock.now() + ttlMs);\n        return null;\n      }',
  ),
];

/** Does not release a slot under a condition. */
function leakWhen(condition: string): string {
  return `exchange.whenOver(() => {
    const left = exchange.gone.aborted;
    const status = exchange.outgoing.statusCode;
    const isStream = String(exchange.outgoing.getHeader('content-type') ?? Reflect.get(exchange.outgoing, '_header') ?? '').includes('text/event-stream');
    const failed = exchange.facts.code !== 'ok';
    if (!(${condition})) slot.release();
  })`;
}

let refusals = 0;

export const rate: readonly Mutant[] = [
  front(['lim.rate-limited', 'more than fifty refusals are a rate limit', 'LIM-023', 'no-rate-limit'], {
    answer: (answer) => {
      if (codeOf(answer) === 'invalid_param') refusals += 1;
      return refusals > 50 ? refusal('rate_limit_exceeded') : answer;
    },
  }),
];

const isLong = (body: Body): boolean => JSON.stringify(body.messages ?? '').length > 100_000;
const asksFor = (body: Body): number => (typeof body.max_tokens === 'number' ? body.max_tokens : 0);
const shorten = (body: Body): void => {
  for (const message of messagesIn(body))
    if (typeof message.content === 'string') message.content = message.content.slice(0, 1_000);
};

export const context: readonly Mutant[] = [
  front(
    ['lim.max-tokens-clamped', 'a max_tokens beyond the window is cut down', 'LIM-016', 'above-refused'],
    {
      request: editRequest((body) => {
        if (asksFor(body) > 100_000) body.max_tokens = 1_000;
      }),
    },
  ),
  front(
    ['lim.half-window', 'only half of the window may be asked for', 'LIM-016', 'below-accepted'],
    refuses((body) => asksFor(body) > 64_000, 'context_too_long', 'max_tokens'),
  ),
  front(['lim.window-one-less', 'the window is one token less', 'LIM-016', 'exact-accepted'], {
    request: editRequest((body) => {
      if (asksFor(body) > 10_000) body.max_tokens = asksFor(body) + 1;
    }),
  }),
  front(['lim.prompt-cut', 'a prompt beyond the window is cut', 'LIM-017', 'above-refused'], {
    request: editRequest(shorten),
  }),
  front(
    ['lim.prompt-small', 'half of the window is refused', 'LIM-017', 'below-accepted'],
    refuses((body) => isLong(body) && asksFor(body) > 0, 'context_too_long', 'messages'),
  ),
  front(
    ['lim.too-long-served', 'what is too long is served', 'LIM-019', 'refused'],
    pardons('context_too_long'),
  ),
  front(
    [
      'lim.too-long-completed',
      'what is too long is completed first and refused then',
      'LIM-019',
      'no-completion',
    ],
    {
      request: (request) => {
        const body = objectIn(request.body);
        if (body === null || asksFor(body) <= 100_000) return request;
        const small = { ...request, body: Buffer.from(JSON.stringify({ ...body, max_tokens: 8 })) };
        return { ...small, headers: [...request.headers, ['x-too-long', 'yes']] };
      },
      answer: (answer, request) =>
        headerOf(request.headers, 'x-too-long') === '' ? answer : refusal('context_too_long', 'max_tokens'),
    },
  ),
];
