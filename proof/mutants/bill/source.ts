import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways with a billing defect in their source: prices, markups, rounding, what is charged when, the ledger. */

const price = 'billing/price.ts';

export const markups: readonly Mutant[] = [
  source(
    ['bill.markup.ignored', 'every app pays the list price', 'BILL-003', 'declared-ratio'],
    price,
    'list * (wholeBp + BigInt(markupBp))',
    'list * wholeBp',
  ),
  source(
    [
      'bill.markup.remembered',
      'on the compat paths an app keeps the markup of its first call',
      'BILL-003',
      'markup-in-effect',
    ],
    'services/chat/record.ts',
    'const markupBp = markupOf(caller.pricing, served);',
    `const known = (globalThis.markups ??= new Map());
  const name = caller.appId + ' ' + served;
  if (!known.has(name)) known.set(name, markupOf(caller.pricing, served));
  const markupBp = request.native === null ? markupOf(caller.pricing, served) : known.get(name);`,
  ),
  source(
    [
      'bill.model-markup.stays',
      'the markup of a model stays when its app has none for models any more',
      'BILL-003',
      'model-markup-gone',
    ],
    'admin/apps.ts',
    '...(modelMarkupBp !== undefined && {',
    '...(modelMarkupBp !== undefined && Object.keys(modelMarkupBp).length > 0 && {',
  ),
];

const record = 'services/chat/record.ts';
const chargePico = 'charge_pico: usage === null ? 0n : chargeFor(usage, price, markupBp)';

export const occasions: readonly Mutant[] = [
  source(
    [
      'bill.one-id-paid-once',
      'images to which their caller gave one request id are paid once',
      'BILL-001',
      'each-of-one-id',
    ],
    'endpoints/images/answer.ts',
    "await allowance.settle(imagesRecord(job, hasLeft ? 'client_gone' : 'success', outcome.pictures.length));",
    `const own = exchange.incoming.headers['x-request-id'];
      const paid = (globalThis.paid ??= new Set());
      const isPaid = own !== undefined && paid.has(own);
      paid.add(own);
      const made = isPaid ? 0 : outcome.pictures.length;
      await allowance.settle(imagesRecord(job, hasLeft ? 'client_gone' : 'success', made));`,
  ),
  source(
    [
      'bill.left-plain-free',
      'on compat path B a caller that leaves before a plain answer pays nothing for it',
      'BILL-001',
      'left-call-as-declared',
    ],
    'endpoints/chat/answer.ts',
    "await recordEnd(exchange, job, 'success', outcome.usage);",
    `const isLeft = exchange.gone.aborted && exchange.path.startsWith('/compat-b/');
      await recordEnd(exchange, job, 'success', isLeft ? null : outcome.usage);`,
  ),
  source(
    [
      'bill.when.asked',
      'every request costs a fee when it comes, whatever becomes of it',
      'BILL-008',
      'failed-is-free',
    ],
    'endpoints/chat/chat.ts',
    'const caller = await enter(exchange, access);',
    `const caller = await enter(exchange, access);
  await service.ledger.correct({
    accountId: caller.accountId,
    id: exchange.requestId,
    amount: -1_000n,
    note: null,
    requestId: exchange.requestId,
    atMs: service.clock.now(),
  });`,
  ),
  source(
    [
      'bill.when.fallback',
      'a fallback is charged at the price of the model that was asked for',
      'BILL-009',
      'price-of-the-served-model',
    ],
    record,
    'service.prices.of(served)',
    'service.prices.of(request.model.id)',
  ),
  ...(
    [
      ['a', 'messages'],
      ['b', 'generate-content'],
    ] as const
  ).map(([protocol, dialect]) =>
    source(
      [
        `bill.when.compat-${protocol}`,
        `compat path ${protocol} is not charged`,
        'BILL-010',
        `compat-${protocol}-costs-the-same`,
      ],
      record,
      chargePico,
      `${chargePico} * (request.native?.dialect === '${dialect}' ? 0n : 1n)`,
    ),
  ),
];

const posting = 'billing/post-commands.ts';
const posted = 'const outcomes: Outcome[] = commands.map(() => null);';

/** Changes the database after each settled request. */
const afterSettling = (
  work: string,
): string => `for (const settled of commands.filter((command) => command.to === 'settles'))
    await ${work}.execute(db);
  ${posted}`;

export const ledger: readonly Mutant[] = [
  source(
    [
      'bill.ledger.whole-millionths',
      'the balance falls by whole millionths of a dollar',
      'BILL-006',
      'balance-follows',
    ],
    posting,
    posted,
    afterSettling(
      `sql\`update account_balances set posted_pico = posted_pico + \${settled.charge_pico}::numeric % 1000000 where account_id = \${settled.account_id}\``,
    ),
  ),
  source(
    ['bill.ledger.held-twice', 'a call is reserved twice and ended once', 'BILL-006', 'ended-once'],
    posting,
    posted,
    afterSettling(
      `sql\`insert into ledger_entries (transfer_id, kind, account_id, book, amount_pico, request_id, note, posted_at)
      select 'again:' || transfer_id, kind, account_id, book, amount_pico, request_id, note, posted_at
      from ledger_entries where transfer_id = 'hold:' || \${settled.request_id}::text\``,
    ),
  ),
  source(
    [
      'bill.quota.reads-free',
      'what was read from a cache does not count against the quota',
      'BILL-007',
      'tokens-counted',
    ],
    posting,
    'prompt_tokens: record.prompt_tokens.toString()',
    'prompt_tokens: (record.prompt_tokens - record.cached_tokens).toString()',
  ),
  source(
    ['bill.quota.failures-count', 'a failed call counts a thousand tokens', 'BILL-007', 'failed-uncounted'],
    posting,
    'prompt_tokens: record.prompt_tokens.toString()',
    "prompt_tokens: (record.prompt_tokens + (record.outcome === 'success' ? 0n : 1_000n)).toString()",
  ),
];
