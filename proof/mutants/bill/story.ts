import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways where record, charge, quota or balance of a call contradict each other. */

const record = 'services/chat/record.ts';
const posting = 'billing/post-commands.ts';
const images = 'services/images/charge.ts';
const posted = 'const outcomes: Outcome[] = commands.map(() => null);';

export const storyMutants: readonly Mutant[] = [
  source(
    [
      'bill.story.no-record',
      'a stream of a second attempt has no record',
      'BILL-009',
      'one-record-of-the-call',
    ],
    'hooks/usage-hook.ts',
    'return { records: records.map(viewOf) };',
    'return { records: records.filter((one) => !one.stream || one.attempts < 2).map(viewOf) };',
  ),
  source(
    [
      'bill.story.asked-for',
      'the record of a fallback names the model that was asked for as the one that served',
      'BILL-001',
      'record-of-the-call',
    ],
    record,
    'model_served: served,',
    'model_served: request.model.id,',
  ),
  source(
    [
      'bill.story.other-markup',
      'a fallback is marked up like the model that was asked for',
      'BILL-001',
      'charge-of-the-call',
    ],
    record,
    'markupOf(caller.pricing, served)',
    'markupOf(caller.pricing, request.model.id)',
  ),
  // Beside the one before: only a client that leaves a fallback shows it.
  source(
    [
      'bill.story.left-after-fallback',
      'a stream that its client leaves after a fallback is charged at the price of the model that was asked for',
      'BILL-001',
      'charge-of-the-call',
    ],
    record,
    'const price = service.prices.of(served);',
    "const price = service.prices.of(outcome === 'client_gone' ? request.model.id : served);",
  ),
  // Beside both: only an app with a discount shows it.
  // A second mutant of its aspect: a record that something else writes than that of a whole answer.
  source(
    [
      'bill.story.left-unnamed',
      'the log of a call that its client left lacks its user',
      'CHAT-042',
      'in-every-log',
    ],
    'services/chat/record.ts',
    'end_user: request.fields.user?.slice',
    "end_user: outcome === 'client_gone' ? null : request.fields.user?.slice",
  ),
  source(
    [
      'bill.story.no-discount',
      'an app with a discount pays the list price',
      'BILL-001',
      'charge-of-the-call',
    ],
    record,
    'const markupBp = markupOf(caller.pricing, served);',
    'const markupBp = Math.max(0, markupOf(caller.pricing, served));',
  ),
  // Beside all three: only a client that leaves, and pays another markup for this model, shows it.
  source(
    [
      'bill.story.left-at-app-markup',
      'a call that its client leaves is charged at the markup of the app, not of the model',
      'BILL-001',
      'charge-of-the-call',
    ],
    record,
    'const markupBp = markupOf(caller.pricing, served);',
    "const markupBp = outcome === 'client_gone' ? caller.pricing.markupBp : markupOf(caller.pricing, served);",
  ),
  source(
    [
      'bill.story.record-without-charge',
      'the record of a call that was retried shows no charge',
      'BILL-006',
      'record-shows-the-charge',
    ],
    'hooks/usage-hook.ts',
    'charge: formatUsd(record.charge_pico),',
    'charge: formatUsd(record.attempts > 1 ? 0n : record.charge_pico),',
  ),
  source(
    [
      'bill.story.attempts-counted',
      'each attempt of a stream counts its prompt against the quota',
      'BILL-007',
      'tokens-of-the-call',
    ],
    posting,
    'prompt_tokens: record.prompt_tokens.toString()',
    'prompt_tokens: (record.prompt_tokens * BigInt(record.stream && record.attempts > 1 ? 2 : 1)).toString()',
  ),
  source(
    [
      'bill.story.balance-of-streams',
      'the balance falls by a little more than the charge of a stream',
      'BILL-006',
      'balance-of-the-call',
    ],
    posting,
    posted,
    `for (const settled of commands.filter((command) => command.to === 'settles' && command.stream))
    await sql\`update account_balances set posted_pico = posted_pico - 1 where account_id = \${settled.account_id}\`.execute(db);
  ${posted}`,
  ),
  source(
    [
      'bill.story.failed-images',
      'a failed image request has an image in its record',
      'BILL-008',
      'nothing-is-kept',
    ],
    images,
    'units: images,',
    "units: outcome === 'success' ? images : 1,",
  ),
];
