import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways whose compat paths have their own cap, retries, breakers or records. */

const compat = "exchange.path.startsWith('/compat-')";

export const caps: readonly Mutant[] = [
  source(
    ['faces.answers-uncounted', 'earlier answers do not count on compat path A', 'LIM-018', 'window-full'],
    'requests/compat/messages/conversation.ts',
    "if (turn.role === 'assistant') builder.assistant(turn.content, at);",
    "if (turn.role === 'assistant') continue;",
  ),
  source(
    ['faces.no-cap', 'calls of the compat paths take no slot', 'LIM-003', 'counts-together'],
    'endpoints/enter.ts',
    '  await takeSlot(exchange, caller, access.slots);',
    `  if (!${compat}) await takeSlot(exchange, caller, access.slots);`,
  ),
  ...(
    [
      ['a', 'COMPA-015'],
      ['b', 'COMPB-014'],
    ] as const
  ).map(([protocol, rule]) =>
    source(
      [
        `faces.${protocol}-own-cap`,
        `compat path ${protocol} has a cap of its own`,
        rule,
        `compat-${protocol}-holds`,
      ],
      'endpoints/enter.ts',
      '  await takeSlot(exchange, caller, access.slots);',
      `  const own = exchange.path.startsWith('/compat-${protocol}/') ? ':own' : '';
  await takeSlot(exchange, { ...caller, userId: caller.userId + own }, access.slots);`,
    ),
  ),
  ...(
    [
      ['success', "exchange.facts.code === 'ok' && !isStream"],
      ['stream-end', "exchange.facts.code === 'ok' && isStream"],
      // The gateway refuses and fails in more than one place: these two are met by one kind of call alone.
      [
        'refusal',
        "exchange.incoming.headers['compat-a-version'] === undefined && exchange.path.startsWith('/compat-a/')",
      ],
      ['upstream-failure', "exchange.facts.code === 'content_filter'"],
      ['stream-break', "exchange.facts.code === 'upstream_error' && isStream"],
      ['abort-waiting', 'exchange.gone.aborted && !isStream'],
      ['abort-streaming', 'exchange.gone.aborted && isStream'],
    ] as const
  ).map(([ending, when]) =>
    source(
      [
        `faces.leak-at-${ending}`,
        `a slot of the compat paths is lost at ${ending.replace('-', ' ')}`,
        'LIM-003',
        `freed-after-${ending}`,
      ],
      'access/take-slot.ts',
      'exchange.whenOver(slot.release)',
      `exchange.whenOver(() => {
    const isStream = String(exchange.outgoing._header).includes('text/event-stream');
    if (!(${compat} && ${when})) slot.release();
  })`,
    ),
  ),
  // Beside a missing version: only a stream that is refused for its length takes this way out.
  source(
    [
      'faces.leak-at-long-stream',
      'a stream of compat path A that is refused for its length keeps its slot',
      'LIM-003',
      'freed-after-refusal',
    ],
    'endpoints/chat/chat.ts',
    '  await inTurn(body, () => checkContext(request, counter));',
    `  try {
    await inTurn(body, () => checkContext(request, counter));
  } catch (error) {
    if (request.stream && request.native?.dialect === 'messages') await access.slots.take(caller.userId, caller.cap + 1);
    throw error;
  }`,
  ),
  // Beside that of a stream that has begun: nothing of this answer has been sent.
  source(
    [
      'faces.unbegun-slot-kept',
      'a stream of compat path B that is left before it begins keeps its slot',
      'LIM-003',
      'freed-after-abort-streaming',
    ],
    'access/take-slot.ts',
    'exchange.whenOver(slot.release)',
    `exchange.whenOver(() => {
    const isUnbegun = exchange.gone.aborted && !exchange.outgoing.headersSent;
    if (!(isUnbegun && exchange.path.includes('streamGenerateContent'))) slot.release();
  })`,
  ),
];

const dispatch = 'services/chat/dispatch.ts';
const channels = '    channels,\n    preferred,';
const call = 'call: (channel, isFresh) => complete(service, { channel, isFresh }, request, gone),';
const outcome = 'await complete(service, { channel, isFresh }, request, gone)';

/** Changes members of the call for a native request. */
const changed = (when: string, members: string): string => `call: async (channel, isFresh) => {
      const outcome = ${outcome};
      return request.native !== null && ${when} ? { ...outcome, ${members} } : outcome;
    },`;

export const retries: readonly Mutant[] = [
  source(
    ['faces.never-retried', 'calls of the compat paths have one attempt', 'ROUTE-006', 'two-attempts'],
    dispatch,
    channels,
    '    channels: request.native === null ? channels : [],\n    preferred,',
  ),
  source(
    ['faces.timeout-as-error', 'a timeout is a failure on the compat paths', 'ROUTE-006', 'timeout-code'],
    'endpoints/chat/answer.ts',
    '{ channelId: result.channelId, waitMs: result.waitMs },\n        request,\n      );',
    `{ channelId: result.channelId, waitMs: result.waitMs },
        request,
      );
      if (request.native !== null && refusal.code === 'upstream_timeout')
        Object.assign(refusal, { code: 'upstream_error', status: 502 });`,
  ),
  source(
    [
      'faces.second-uncounted',
      'what a second attempt used is not reported on the compat paths',
      'ROUTE-006',
      'second-attempt-alone',
    ],
    dispatch,
    call,
    changed("isFresh && outcome.kind === 'completion'", 'usage: null, native: undefined'),
  ),
  source(
    [
      'faces.errors-not-retried',
      'a failing upstream is asked once by the compat paths',
      'ROUTE-006',
      'same-attempts',
    ],
    dispatch,
    call,
    changed("outcome.kind === 'failure' && outcome.reason === 'server'", "reason: 'unusable'"),
  ),
  source(
    [
      'faces.same-channel-again',
      'a second attempt of the compat paths goes to the channel that has failed',
      'ROUTE-002',
      'takes-over-on-compat',
    ],
    dispatch,
    channels,
    '    channels: request.native === null || preferred === null ? channels : [preferred],\n    preferred,',
  ),
  source(
    [
      'faces.second-request-other',
      'a second attempt of the compat paths asks with a temperature of its own',
      'ROUTE-002',
      'same-request-on-compat',
    ],
    dispatch,
    call,
    `call: (channel, isFresh) => {
      const { native } = request;
      const other = native === null ? request : { ...request, native: { ...native, body: { ...native.body, temperature: 0.5 } } };
      return complete(service, { channel, isFresh }, isFresh ? other : request, gone);
    },`,
  ),
];

export const breakers: readonly Mutant[] = [
  source(
    [
      'faces.failures-uncounted',
      'failures of the compat paths do not move the breaker',
      'ROUTE-009',
      'opens-on-every-path',
    ],
    dispatch,
    call,
    changed("outcome.kind === 'failure'", 'isStale: true'),
  ),
  source(
    ['faces.own-breakers', 'the compat paths have breakers of their own', 'ROUTE-009', 'every-path'],
    'services/chat/route.ts',
    'channels.serving(request.model.id, caller.channelsOf)',
    `channels.serving(request.model.id, caller.channelsOf).map((live) =>
    request.native === null ? live : (live.own ??= new live.constructor(live.facts, {
      maxCallMs: 605_000,
      breaker: { consecutive_failures: 5, window_ms: 30_000, window_least: 10, window_failure_percent: 50, cool_down_ms: [30_000, 60_000], account_out_ms: 300_000 },
      clock: arguments[0].clock,
      log: { warn: () => {} },
    })))`,
  ),
];

export const fallbacks: readonly Mutant[] = [
  source(
    ['faces.no-fallback', 'no fallback serves the compat paths', 'RESP-005', 'falls-back-on-compat'],
    dispatch,
    'isSpent(own) && !gone.aborted',
    'isSpent(own) && !gone.aborted && request.native === null',
  ),
];

export const records: readonly Mutant[] = [
  source(
    [
      'faces.a-writes-unbilled',
      'writes to the longer cache slot are not put on record on compat path A',
      'COMPA-017',
      'same-counts',
    ],
    'services/chat/record.ts',
    'BigInt(usage?.cacheWrite1hTokens ?? 0)',
    'request.native === null ? BigInt(usage?.cacheWrite1hTokens ?? 0) : 0n',
  ),
  source(
    [
      'faces.reads-unbilled',
      'cache reads are not put on record on the compat paths',
      'COMPB-015',
      'same-counts',
    ],
    'services/chat/record.ts',
    'BigInt(usage?.cachedTokens ?? 0)',
    'request.native === null ? BigInt(usage?.cachedTokens ?? 0) : 0n',
  ),
  source(
    ['faces.unrecorded', 'calls of compat path A are not put on record', 'COMPA-017', 'one-record'],
    'services/chat/record.ts',
    '  return allowance.settle(record);',
    "  return request.native?.dialect === 'messages' ? Promise.resolve() : allowance.settle(record);",
  ),
  source(
    ['faces.b-other-outcome', 'calls of compat path B are on record as failures', 'COMPB-015', 'same-entry'],
    'services/chat/record.ts',
    '    outcome,\n    stream:',
    "    outcome: request.native?.dialect === 'generate-content' ? 'upstream_error' : outcome,\n    stream:",
  ),
];

const again = '  const { native } = request;\n  if (native?.dialect === dialect)';

export const translated: readonly Mutant[] = [
  source(
    [
      'faces.retries-in-our-words',
      'the second attempt of a compat path is a translation',
      'ROUTE-006',
      'same-request-again',
    ],
    'services/chat/dialects.ts',
    again,
    `  const native = request.native;
  const seen = ((globalThis as { retriedNatives?: WeakSet<object> }).retriedNatives ??= new WeakSet());
  const isAgain = native !== null && seen.has(native);
  if (native !== null) seen.add(native);
  if (native?.dialect === dialect && !isAgain)`,
  ),
];
