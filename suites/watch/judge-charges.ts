import { mustBeFree } from '../checks/bill/made.ts';
import { postedWithinMs } from '../engine/served-calls.ts';
import type { UsageRecord } from '../engine/usage-record.ts';
import { dollarText, type Pico, picoIn } from '../oracle/money.ts';
import type { UsageCounts } from '../oracle/price.ts';
import type { Profile } from '../profile/profile.ts';
import { flag, must } from '../rules/violation.ts';
import { parseJson } from '../values/json.ts';
import type { Exchange } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';
import { type Books, type ChargeCase, priceCases, type Read } from './charge-due.ts';
import type { PassedCall } from './passed-calls.ts';

/** The hook of the profile that an exchange reads; null for any other exchange. */
export function hookRead({ request }: Exchange, profile: Profile | null): 'usage' | 'ledger' | null {
  if (profile === null || request.method !== 'GET') return null;
  const { pathname } = new URL(request.url);
  const isAt = (hook: { readonly url: string } | undefined): boolean =>
    hook !== undefined && pathname.endsWith(new URL(hook.url).pathname);
  if (isAt(profile.hooks.usage)) return 'usage';
  return isAt(profile.hooks.ledger) ? 'ledger' : null;
}

/** The judgements that a read of the usage log or the ledger permits about passed calls; empty when the call is unknown. */
export function chargeCases(exchange: Exchange, hook: 'usage' | 'ledger', books: Books): ChargeCase[] {
  const body = parseJson(exchange.response?.body.toString('utf8') ?? '');
  if (exchange.response?.status !== 200 || shapeFault(`hooks/${hook}`, body) !== null) return [];
  if (hook === 'ledger') return ledgerCases(exchange, body as Ledger, books);
  const { records } = body as { readonly records: readonly UsageRecord[] };
  const ids = new Set(records.map(({ request_id: id }) => id));
  return [...ids].flatMap((id) => {
    const call = books.calls.of(id);
    const own = records.filter(({ request_id: other }) => other === id);
    return call === undefined ? [] : recordCases(exchange, own, { call, books });
  });
}

interface Ledger {
  readonly entries: readonly { readonly kind: string }[];
  readonly charge: string;
}

function ledgerCases(exchange: Exchange, { entries, charge }: Ledger, books: Books): ChargeCase[] {
  const call = books.calls.of(new URL(exchange.request.url).searchParams.get('request_id') ?? '');
  const seen = picoIn(charge);
  if (call === undefined || seen === null) return [];
  const kinds = entries.map(({ kind }) => kind);
  const isFinal = kinds.includes('settle') || kinds.includes('void');
  // A later correction means that this was not the charge; an amount on hold is not a charge.
  if (kinds.includes('correction')) return [];
  const isUntouched = call.outcome === 'refused' && entries.length === 0;
  if (!isFinal && !isUntouched && exchange.sentAt < call.endedAt + postedWithinMs) return [];
  const read = { call, books };
  const free = freeCase(exchange, seen, read);
  if (free !== null) return [free];
  if (call.outcome !== 'served' || !isFinal) return [];
  call.charge = seen;
  return [...priceCases(exchange, seen, read), ...recordedCharge(exchange, call)];
}

function recordCases(
  exchange: Exchange,
  records: readonly UsageRecord[],
  { call, books }: Read,
): ChargeCase[] {
  const [record] = records;
  if (record === undefined) return [];
  const charge = picoIn(record.charge ?? '');
  const free = charge === null ? null : freeCase(exchange, charge, { call, books });
  if (free !== null) return [free];
  if (call.outcome !== 'served') return [];
  if (records.length === 1) call.record = record;
  const once: ChargeCase = { check: 'usageLog', judge: () => judgeRecord(exchange, records, call) };
  if (charge === null || records.length > 1) return [once];
  return [once, ...priceCases(exchange, charge, { call, books }), ...recordedCharge(exchange, call)];
}

/** Judges that refused calls and failed tasks cost nothing; null for calls that may cost something. */
function freeCase(exchange: Exchange, charge: Pico, { call, books }: Read): ChargeCase | null {
  const rule = { requirement: 'BILL-008', aspect: 'failed-is-free' };
  if (call.outcome === 'refused')
    return {
      check: 'free',
      judge: () => mustBeFree({ charge, exchange }, rule, `the call of ${call.asked} was refused`),
    };
  const end = call.taskId === null ? null : books.traces.endOf(call.taskId);
  if (end === null || end.status === 'SUCCESS') return null;
  // The hold may be released a while after the end.
  if (exchange.sentAt < end.exchange.endedAt + postedWithinMs) return null;
  const media = { ...rule, aspect: 'failed-media-free' };
  return {
    check: 'free',
    judge: () => mustBeFree({ charge, exchange }, media, `task ${call.taskId} ended as ${end.status}`),
  };
}

/** Judges that one call has one record, with the counts of its answer. */
function judgeRecord(exchange: Exchange, records: readonly UsageRecord[], call: PassedCall): void {
  const [record] = records;
  must(records.length === 1 && record !== undefined, {
    requirement: 'BILL-009',
    aspect: 'one-record-of-the-call',
    expected: 'one usage record',
    actual: `${records.length}`,
    exchange,
  });
  const { counts, asked } = call;
  // Not every protocol states whether the prompt includes cache writes.
  const isPlain = record.cache_write_5m_tokens === 0 && record.cache_write_1h_tokens === 0;
  const due = {
    model_requested: asked,
    ...(call.what === 'chat' ? { stream: call.stream } : {}),
    ...(counts === null || !record.usage_known || !(isPlain || call.statesWrites) ? {} : shown(counts, call)),
  };
  const wrong = Object.entries(due).filter(([name, value]) => record[name as keyof UsageRecord] !== value);
  flag(wrong.length === 0, {
    requirement: 'BILL-001',
    aspect: 'record-of-the-call',
    expected: `a record with ${JSON.stringify(due)}, as the answer says`,
    actual: wrong.map(([name]) => `${name} ${record[name as keyof UsageRecord]}`).join(', '),
    exchange,
  });
}

function shown(counts: UsageCounts, { statesWrites }: PassedCall): Partial<UsageCounts> {
  const { cache_write_5m_tokens: _, cache_write_1h_tokens: __, ...plain } = counts;
  return statesWrites ? counts : plain;
}

function recordedCharge(exchange: Exchange, { record, charge }: PassedCall): ChargeCase[] {
  const recorded = picoIn(record?.charge ?? '');
  if (recorded === null || charge === null) return [];
  const finding = {
    requirement: 'BILL-006',
    aspect: 'record-shows-the-charge',
    expected: `a record of ${dollarText(charge)}, as charged`,
    actual: dollarText(recorded),
    exchange,
  };
  return [{ check: 'usageLog', judge: () => flag(recorded === charge, finding) }];
}
