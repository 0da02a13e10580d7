import type { UsageRecord } from '../../../engine/usage-record.ts';
import { dollarText, type Pico, picoIn } from '../../../oracle/money.ts';
import type { UsageCounts } from '../../../oracle/price.ts';
import { flag } from '../../../rules/violation.ts';
import type { Exchange } from '../../../wire/exchange.ts';
import type { Booked } from './books.ts';

/** The expected records of a served request. */
export interface Due {
  readonly model: string;
  /** The model that answered; its price holds. */
  readonly served: string;
  readonly stream: boolean;
  /** What the answering upstream counted; null for media. */
  readonly counts: UsageCounts | null;
  /** How many images a request made; null where the text leaves the unit open. */
  readonly pictures: number | null;
  /** The number of upstream requests; undefined where another check judges it. */
  readonly attempts?: number;
  readonly charge: Pico;
}

interface Evidence {
  readonly exchange: Exchange;
  readonly actual: string;
}

const noCounts: UsageCounts = {
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_5m_tokens: 0,
  cache_write_1h_tokens: 0,
};

/** Judges that the record, the charge, the quota and the balance of a served request agree. */
export function judgeServedStory({ exchange, books }: Booked, due: Due): void {
  const { records, charge, paid } = books;
  const [record] = records;
  const seen: Evidence = { exchange, actual: shownRecords(records) };
  flag(records.length === 1, {
    requirement: 'BILL-009',
    aspect: 'one-record-of-the-call',
    ...seen,
    expected: 'one usage record',
  });
  const wanted = recordDue(due);
  flag(
    record === undefined ||
      Object.entries(wanted).every(([name, value]) => record[name as 'stream'] === value),
    {
      requirement: 'BILL-001',
      aspect: 'record-of-the-call',
      ...seen,
      expected: `a record with ${JSON.stringify(wanted)}`,
    },
  );
  flag(charge === due.charge, {
    requirement: 'BILL-001',
    aspect: 'charge-of-the-call',
    exchange,
    expected: `${dollarText(due.charge)}: ${JSON.stringify(wanted)}`,
    actual: dollarText(charge),
  });
  const recorded = record?.charge === undefined ? charge : picoIn(record.charge);
  flag(recorded === charge, {
    requirement: 'BILL-006',
    aspect: 'record-shows-the-charge',
    exchange,
    expected: `a record of ${dollarText(charge)}, as charged`,
    actual: record?.charge ?? '',
  });
  judgeQuota({ exchange, books }, tokensOf(due.counts ?? noCounts));
  flag(paid === null || paid === charge, {
    requirement: 'BILL-006',
    aspect: 'balance-of-the-call',
    exchange,
    expected: `a balance that falls by ${dollarText(charge)}`,
    actual: dollarText(paid ?? 0n),
  });
}

/** Judges that a failed request costs nothing and leaves no record, or a record with zero usage. */
export function judgeFreeStory({ exchange, books }: Booked): void {
  const { records, charge, paid } = books;
  const isNothing = (record: UsageRecord): boolean =>
    tokensOf(record) === 0 && (record.units ?? 0) === 0 && (picoIn(record.charge ?? '0') ?? 0n) === 0n;
  flag(charge === 0n && (paid ?? 0n) === 0n && records.every(isNothing), {
    requirement: 'BILL-008',
    aspect: 'nothing-is-kept',
    exchange,
    expected: 'no charge, and no record of any tokens or units',
    actual: `${dollarText(charge)}, a balance that fell by ${dollarText(paid ?? 0n)}, ${shownRecords(records)}`,
  });
  judgeQuota({ exchange, books }, 0);
}

/** Judges that an abandoned call is charged by its record. The declared rule gives the price. */
export function judgeLeftStory(
  { exchange, books }: Booked,
  due: Omit<Due, 'counts' | 'charge'>,
  chargeFor: (counts: UsageCounts) => Pico,
): void {
  const [record] = books.records;
  const counts = record === undefined ? noCounts : countsOf(record);
  if (record === undefined) judgeFreeStory({ exchange, books });
  else judgeServedStory({ exchange, books }, { ...due, counts, charge: chargeFor(counts) });
}

function judgeQuota({ exchange, books }: Booked, tokens: number): void {
  flag(books.tokens === null || books.tokens === tokens, {
    requirement: 'BILL-007',
    aspect: 'tokens-of-the-call',
    exchange,
    expected: `${tokens} tokens of the monthly quota`,
    actual: `${books.tokens}`,
  });
}

/** The members that the record of a served request must have. */
function recordDue({ model, served, stream, counts, pictures, attempts }: Due): Partial<UsageRecord> {
  return {
    ...{ model_requested: model, model_served: served, stream, ...(counts ?? noCounts) },
    ...(pictures === null ? {} : { units: pictures }),
    ...(attempts === undefined ? {} : { attempts }),
  };
}

function countsOf(record: UsageRecord): UsageCounts {
  const { prompt_tokens, completion_tokens, cached_tokens } = record;
  const { cache_write_5m_tokens, cache_write_1h_tokens } = record;
  return { prompt_tokens, completion_tokens, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens };
}

function tokensOf({ prompt_tokens, completion_tokens }: UsageCounts): number {
  return prompt_tokens + completion_tokens;
}

function shownRecords(records: readonly UsageRecord[]): string {
  return records.length === 0 ? 'no record' : JSON.stringify(records);
}
