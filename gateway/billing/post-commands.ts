import { CompiledQuery, type Kysely } from 'kysely';
import pg from 'pg';
import type { Database } from '../store/database.ts';
import { writePrice } from './applied-price.ts';
import {
  type Admission,
  admissions,
  allPostings,
  type Correction,
  type Grant,
  type Hold,
  type Posting,
} from './ledger.ts';
import { monthOf } from './month.ts';
import { encodeEntries, encodeText } from './stored-text.ts';
import type { UsageRecord } from './usage-record.ts';

/**
 * A change to the money of an account. `row` passes through JSON without loss; the other fields are added up over a batch.
 */
export type Command = ReturnType<
  typeof postingCommand | typeof holdCommand | typeof settleCommand | typeof releaseCommand
>;

/** The result of a command; null for commands without one. */
export type Outcome = Admission | Posting | null;

/** A grant, or a correction if it has a request id (null for a correction without a request). */
export function postingCommand(grant: Grant | Correction) {
  const isCorrection = 'requestId' in grant;
  const row = {
    transfer_id: isCorrection ? `correction:${grant.id}` : `grant:${grant.accountId}:${grant.id}`,
    kind: isCorrection ? 'correction' : 'grant',
    account_id: grant.accountId,
    amount: grant.amount.toString(),
    against: isCorrection ? 'revenue' : 'grants',
    request_id: isCorrection && grant.requestId !== null ? encodeText(grant.requestId) : null,
    note: grant.note === null ? null : encodeText(grant.note),
    at: isoTime(grant.atMs),
  };
  return { to: 'postings', row } as const;
}

/** `isBlock`: the hold covers later calls. Only an account with ample credit gets one. */
export function holdCommand(
  { requestId, accountId, amount, overshoots, atMs, ofTask }: Hold,
  isBlock = false,
) {
  const row = {
    request_id: encodeText(requestId),
    account_id: accountId,
    amount: amount.toString(),
    overshoots,
    is_block: isBlock,
    month: ofTask === undefined ? monthOf(atMs) : null,
    of_task: ofTask === undefined ? null : encodeText(ofTask),
    at: isoTime(atMs),
  };
  return { to: 'holds', row } as const;
}

/** A covered request has no hold of its own: a block of its process covers it. */
export function settleCommand(record: UsageRecord, isCovered = false) {
  const { started_at_ms, ended_at_ms, ...rest } = record;
  const row = {
    ...rest,
    request_id: encodeText(record.request_id),
    model_requested: encodeText(record.model_requested),
    model_served: encodeText(record.model_served),
    outcome: encodeText(record.outcome),
    prompt_tokens: record.prompt_tokens.toString(),
    completion_tokens: record.completion_tokens.toString(),
    cached_tokens: record.cached_tokens.toString(),
    cache_write_5m_tokens: record.cache_write_5m_tokens.toString(),
    cache_write_1h_tokens: record.cache_write_1h_tokens.toString(),
    task_id: record.task_id === null ? null : encodeText(record.task_id),
    charge_pico: record.charge_pico.toString(),
    price: writePrice(record.price),
    parents: record.parents.map(encodeText),
    end_user: record.end_user === null ? null : encodeText(record.end_user),
    metadata: record.metadata === null ? null : encodeEntries(record.metadata),
    started_at: isoTime(started_at_ms),
    ended_at: isoTime(ended_at_ms),
  };
  const tokens = record.prompt_tokens + record.completion_tokens;
  const added = { charge: record.charge_pico, tokens, month: row.ended_at.slice(0, monthLength) };
  return { to: 'settles', row, isCovered, ...added } as const;
}

export function releaseCommand(requestId: string, atMs: number) {
  return { to: 'voids', row: { request_id: encodeText(requestId), at: isoTime(atMs) } } as const;
}

/** Length of the month at the start of an ISO time, in UTC: `2026-11`. */
const monthLength = 7;

type Settle = ReturnType<typeof settleCommand>;

/** Posts all commands of a batch durably. Commands of one kind succeed or fail together. Returns the result of each. */
export async function postCommands(
  db: Kysely<Database>,
  commands: readonly Command[],
  holder: string,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = commands.map(() => null);
  const keep = (results: readonly Result[]): void => {
    for (const { n, result } of results) outcomes[n] = outcomeOf(result);
  };
  const postings = listed(commands, 'postings');
  if (postings !== null)
    keep(await post<Result>(db, 'select n, result from post_credits($1::json)', postings));
  await postEnds(db, commands);
  const holds = listed(commands, 'holds');
  if (holds !== null)
    keep(await post<Result>(db, 'select n, result from post_holds($1::json, $2::text)', holds, holder));
  return outcomes;
}

async function postEnds(db: Kysely<Database>, commands: readonly Command[]): Promise<void> {
  const settles = commands.filter((command) => command.to === 'settles');
  const voids = listed(commands, 'voids');
  if (voids === null && settles.every(({ isCovered }) => isCovered)) {
    if (settles.length === 0 || (await settleCovered(db, settles))) return;
  }
  const own = commands.flatMap((command) => {
    const hasHold = command.to === 'voids' || (command.to === 'settles' && !command.isCovered);
    return hasHold ? [command.row.request_id] : [];
  });
  const texts = [listed(commands, 'settles') ?? '[]', voids ?? '[]'];
  const statement = 'select null as n, null as result from post_ends($1::json, $2::json, $3::text[])';
  await post(db, statement, ...texts, [...new Set(own)]);
}

/** Settles requests without holds of their own. False if nothing was written because one of them was already settled. */
async function settleCovered(db: Kysely<Database>, settles: readonly Settle[]): Promise<boolean> {
  const rows = JSON.stringify(settles.map(({ row }) => row));
  try {
    await post(db, 'select settle_covered($1::json, $2::json)', rows, JSON.stringify(totalsOf(settles)));
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return false;
    throw error;
  }
}

const uniqueViolation = '23505';

/** The sums that requests add to balances and token counts, by account and month. */
function totalsOf(settles: readonly Settle[]): object[] {
  const totals = new Map<string, { account_id: string; month: string; charge: bigint; tokens: bigint }>();
  for (const { row, charge, tokens, month } of settles) {
    const key = `${month} ${row.account_id}`;
    const known = totals.get(key);
    if (known === undefined) totals.set(key, { account_id: row.account_id, month, charge, tokens });
    else {
      known.charge += charge;
      known.tokens += tokens;
    }
  }
  return [...totals.values()].map(({ charge, tokens, ...rest }) => ({
    ...rest,
    charge: String(charge),
    tokens: String(tokens),
  }));
}

/** The rows of one kind as JSON, each with its place in the batch; null if there are none. */
function listed(commands: readonly Command[], to: Command['to']): string | null {
  const rows = commands.flatMap((command, n) => (command.to === to ? [{ ...command.row, n }] : []));
  return rows.length === 0 ? null : JSON.stringify(rows);
}

async function post<Row>(
  db: Kysely<Database>,
  statement: string,
  ...values: readonly unknown[]
): Promise<readonly Row[]> {
  try {
    return (await db.executeQuery<Row>(CompiledQuery.raw(statement, [...values]))).rows;
  } catch (error) {
    // Its `where` holds the whole text of the stored function that failed.
    if (error instanceof pg.DatabaseError) error.where = undefined;
    throw error;
  }
}

/** The result of the command at position `n` of the batch. Ends of requests have no result. */
interface Result {
  readonly n: number;
  readonly result: string;
}

const allOutcomes = [...admissions, ...allPostings] as const;

function outcomeOf(result: string): Outcome {
  const outcome = allOutcomes.find((known) => known === result);
  if (outcome === undefined) throw new Error(`the database answered ${result}`);
  return outcome;
}

/** The last formatted second and the start of its text. */
let last = { second: -1, iso: '' };

/** Cached, because most times in a batch are of the same second. */
function isoTime(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (last.second !== second) last = { second, iso: new Date(second * 1_000).toISOString().slice(0, -4) };
  return `${last.iso}${String(Math.floor(ms) - second * 1_000).padStart(3, '0')}Z`;
}
