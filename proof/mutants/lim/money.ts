import type { ProxyRequest } from '../../../suites/rewrite/mutation.ts';
import {
  authorizationOf,
  codeOf,
  completion,
  isReading,
  miscalls,
  pardons,
  refusal,
} from '../../../suites/rewrite/refusal-edits.ts';
import { clamped, isSubmit, lenient, strict } from '../../edits/media-edits.ts';
import { front, type Mutant, source } from '../../edits/mutant.ts';

const reading = 'await readBody(exchange)';

const breaking = `await (async () => readBody(exchange))().catch(() => {
      throw new Error('too much');
    })`;
const lengths: readonly Mutant[] = [
  lenient(
    ['lim.figures-clamped', 'what is beyond a limit is the limit', 'LIM-020', 'outside-refused'],
    'journey-v7',
    (body) => clamped(body, 'chaos', 0, 100),
  ),
  strict(
    ['lim.figures-exclusive', 'a limit itself is out of bounds', 'LIM-020', 'inside-accepted'],
    (body) => body.model === 'voice-v3' && body.style === 1,
    'style',
  ),
];

/** Gateways that are wrong about the sizes and lengths of media. */
export const limMediaMutants: readonly Mutant[] = [
  source(
    ['lim.media.chat-breaks', 'a large image in chat causes a failure of the gateway', 'ERR-001', 'in-chat'],
    'endpoints/chat/chat.ts',
    reading,
    breaking,
  ),
  source(
    ['lim.media.task-breaks', 'a large starting image is a fault of the gateway', 'ERR-001', 'in-a-task'],
    'endpoints/tasks/submit.ts',
    reading,
    breaking,
  ),
  ...lengths,
];

/** Gateways that forget what an account has spent, or reject one that has credit left. */

const allowance = 'billing/hold-allowance.ts';
const refused = "if (admission !== 'held')";
const hold = 'live.add(hold.requestId);';
const admitted =
  'const allowance = await inTurn(body, () => takeAllowance(service, requestId, caller, request));';

/** Admits every request that meets the condition, whatever credit the account has left. */
const unguarded = (when: string): string =>
  `const letIn = { ...service.ledger, hold: async (one) => (await service.ledger.hold(one), 'held') };
  const allowance = await takeAllowance(${when} ? { ...service, ledger: letIn } : service, requestId, caller, request);`;

/** Rejects by a condition on the account's remaining credit. */
const refusedEarly = (when: string): string =>
  `const { createLedgerReader } = await import('./ledger-reader.ts');
      const balances = await createLedgerReader(db).balances(hold.accountId, hold.atMs);
      if (${when}) return 'no_credits';
      ${hold}`;

export const submitted: readonly Mutant[] = [
  source(
    ['lim.tasks-overshoot', 'a task is accepted while any credit is left', 'LIM-015', 'bounded'],
    'endpoints/tasks/submit.ts',
    'amount, overshoots: false',
    'amount, overshoots: true',
  ),
  front(['lim.cover-miscalled', 'a task that is not covered is too many', 'LIM-015', 'refused-as-spent'], {
    answer: (answer, request) =>
      isSubmit(request) && codeOf(answer) === 'quota_exceeded' ? refusal('concurrency_exceeded') : answer,
  }),
];

export const spent: readonly Mutant[] = [
  source(
    ['lim.spent-first-key', 'only the first key of an account is stopped', 'LIM-011', 'every-key'],
    'endpoints/chat/chat.ts',
    admitted,
    `globalThis.firstKeys ??= new Map();
  if (!globalThis.firstKeys.has(caller.accountId)) globalThis.firstKeys.set(caller.accountId, caller.keyId);
  ${unguarded('globalThis.firstKeys.get(caller.accountId) !== caller.keyId')}`,
  ),
  source(
    ['lim.spent-steps-free', 'a spent account may continue a chain', 'LIM-011', 'every-step'],
    'endpoints/tasks/submit.ts',
    'await holdAllowance(service,',
    `await holdAllowance(ancestry.parents.length === 0 ? service :
    { ...service, ledger: { ...service.ledger, hold: async (one) => (await service.ledger.hold(one), 'held') } },`,
  ),
  source(
    ['lim.spent-for-ever', 'an account that was spent once stays refused', 'LIM-011', 'open-again'],
    allowance,
    refused,
    `globalThis.spentOnce ??= new Set();
  if (globalThis.spentOnce.has(accountId)) throw new GatewayError('quota_exceeded', { message: 'Refused.' });
  if (admission !== 'held') globalThis.spentOnce.add(accountId);
  ${refused}`,
  ),
];

/** Keys that were rejected for lack of credit so far. */
const spentKeys = (): { note(request: ProxyRequest): void; has(request: ProxyRequest): boolean } => {
  const keys = new Set<string>();
  return {
    note: (request) => void keys.add(authorizationOf(request)),
    has: (request) => keys.has(authorizationOf(request)),
  };
};
const readers = spentKeys();
const neighbours = spentKeys();
let wasSpent = false;
let wasPardoned = false;

/** Defects with a spent account also show in a proxy in front. */
export const pardoned: readonly Mutant[] = [
  ...(
    [
      ['lim.no-credits-served', 'LIM-012', 'credits-alone'],
      ['lim.no-quota-served', 'LIM-012', 'quota-alone'],
      ['lim.crossed-served', 'LIM-011', 'quota-crossed'],
      ['lim.zero-served', 'LIM-011', 'zero-refused'],
    ] as const
  ).map(([id, requirement, aspect]) =>
    front([id, 'a spent account is served', requirement, aspect], pardons('quota_exceeded')),
  ),
  front(
    ['lim.spent-served-on-compat', 'a spent account is served on the compat paths', 'LIM-011', 'every-path'],
    pardons('quota_exceeded', (request) => request.path.startsWith('/compat-')),
  ),
];

export const answers: readonly Mutant[] = [
  front(
    ['lim.spent-miscalled', 'a spent account is refused for too many calls', 'ERR-021', 'provoked'],
    miscalls('quota_exceeded', 'concurrency_exceeded'),
  ),
  front(['lim.spent-reads-forbidden', 'a spent account may not read', 'ERR-021', 'reads-clean'], {
    request: (request) => (isReading(request) && readers.has(request) ? refusal('ip_not_allowed') : request),
    answer: (answer, request) => {
      if (codeOf(answer) === 'quota_exceeded') readers.note(request);
      return answer;
    },
  }),
  front(['lim.spent-neighbour', 'a spent account takes the others along', 'LIM-013', 'credits-of-another'], {
    request: (request) => (wasSpent && !neighbours.has(request) ? refusal('quota_exceeded') : request),
    answer: (answer, request) => {
      neighbours.note(request);
      wasSpent ||= codeOf(answer) === 'quota_exceeded';
      return answer;
    },
  }),
  front(
    ['lim.spent-second-chance', 'a spent account is refused only now and then', 'LIM-015', 'stays-refused'],
    {
      answer: (answer, request) => {
        if (codeOf(answer) !== 'quota_exceeded') return answer;
        wasPardoned = !wasPardoned;
        return wasPardoned ? answer : completion(request);
      },
    },
  ),
];

export const amounts: readonly Mutant[] = [
  source(
    ['lim.credits-unspent', 'calls cost nothing', 'LIM-015', 'balance-falls'],
    'services/chat/record.ts',
    'charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp)',
    'charge_pico: 0n',
  ),
  source(
    [
      'lim.credits-by-hold',
      'a call is refused that may cost more than there is',
      'LIM-015',
      'above-zero-served',
    ],
    'billing/create-ledger.ts',
    hold,
    refusedEarly('balances.prepaid && balances.posted < hold.amount'),
  ),
  source(
    ['lim.quota-one-less', 'a quota ends before the call that would cross it', 'LIM-011', 'quota-left'],
    'billing/create-ledger.ts',
    hold,
    refusedEarly('balances.monthlyTokens !== null && balances.tokensUsed + 8n > balances.monthlyTokens'),
  ),
];

export const months: readonly Mutant[] = [
  source(
    ['lim.month-local', 'the month begins two hours early, by a local time', 'LIM-024', 'before-month-end'],
    'billing/month.ts',
    'new Date(atMs)',
    'new Date(atMs + 7_200_000)',
  ),
  source(
    ['lim.month-endless', 'a quota is never there anew', 'LIM-024', 'new-month'],
    'billing/month.ts',
    'new Date(atMs)',
    'new Date((globalThis.begunMs ??= atMs))',
  ),
  source(
    [
      'lim.media-month-once',
      'only the first month that begins brings a quota for media',
      'LIM-024',
      'media-month-after-month',
    ],
    'billing/post-commands.ts',
    'month: ofTask === undefined ? monthOf(atMs) : null,',
    `month: overshoots
      ? monthOf(atMs)
      : ((months) => [...months.add(monthOf(atMs))].slice(0, 2).at(-1) ?? monthOf(atMs))(
          ((globalThis.monthsOfMedia ??= {})[accountId] ??= new Set<string>()),
        ),`,
  ),
  source(
    ['lim.month-once', 'only the first month that begins brings a quota', 'LIM-024', 'month-after-month'],
    'billing/month.ts',
    '  return new Date(atMs).toISOString().slice(0, 7);',
    `  const month = new Date(atMs).toISOString().slice(0, 7);
  const world = globalThis as { months?: string[] };
  world.months ??= [];
  if (world.months.length < 2 && !world.months.includes(month)) world.months.push(month);
  return world.months.includes(month) ? month : (world.months.at(-1) ?? month);`,
  ),
  source(
    ['lim.month-of-chat', 'a new month brings a quota for chats alone', 'LIM-024', 'new-month-for-media'],
    'billing/hold-allowance.ts',
    "    if (admission !== 'held')",
    `    const world = globalThis as { spent?: Set<string> };
    world.spent ??= new Set();
    if (admission === 'no_quota') world.spent.add(accountId);
    if (admission === 'held' && !overshoots && world.spent.has(accountId)) admission = 'no_quota';
    if (admission !== 'held')`,
  ),
];
