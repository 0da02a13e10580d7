import { type Kysely, type RawBuilder, sql } from 'kysely';
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

/** Everything that can happen to the money of an account, in a form that passes through JSON without loss. */
export type Command = ReturnType<
  typeof postingCommand | typeof holdCommand | typeof settleCommand | typeof releaseCommand
>;

/** The result of a command; null for commands without one. */
export type Outcome = Admission | Posting | null;

/** A grant, or a correction if it has a request id (null for a correction without a request). */
export function postingCommand(grant: Grant | Correction) {
  const isCorrection = 'requestId' in grant;
  return {
    to: 'postings',
    transfer_id: isCorrection ? `correction:${grant.id}` : `grant:${grant.accountId}:${grant.id}`,
    kind: isCorrection ? 'correction' : 'grant',
    account_id: grant.accountId,
    amount: grant.amount.toString(),
    against: isCorrection ? 'revenue' : 'grants',
    request_id: isCorrection && grant.requestId !== null ? encodeText(grant.requestId) : null,
    note: grant.note === null ? null : encodeText(grant.note),
    at: isoTime(grant.atMs),
  } as const;
}

/** A block covers calls to come. It is held only of an account that can easily spare it. */
export function holdCommand({ requestId, accountId, amount, overshoots, atMs }: Hold, isBlock = false) {
  return {
    to: 'holds',
    request_id: encodeText(requestId),
    account_id: accountId,
    amount: amount.toString(),
    overshoots,
    is_block: isBlock,
    month: monthOf(atMs),
    at: isoTime(atMs),
  } as const;
}

/** `block` is what the request was covered by, if it has no hold of its own. */
export function settleCommand(record: UsageRecord, block: string | null = null) {
  const { started_at_ms, ended_at_ms, ...rest } = record;
  return {
    ...rest,
    to: 'settles',
    block,
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
  } as const;
}

export function releaseCommand(requestId: string, atMs: number) {
  return { to: 'voids', request_id: encodeText(requestId), at: isoTime(atMs) } as const;
}

/** Posts all commands of a batch durably: the commands of one kind all or none. Returns the result of each. */
export async function postCommands(
  db: Kysely<Database>,
  commands: readonly Command[],
  holder: string,
): Promise<readonly Outcome[]> {
  const numbered = commands.map((command, n) => ({ ...command, n }));
  const listed = (to: Command['to']): string | null => {
    const rows = numbered.filter((command) => command.to === to).map(({ to: _, ...row }) => row);
    return rows.length === 0 ? null : JSON.stringify(rows);
  };
  const outcomes: Outcome[] = commands.map(() => null);
  const post = async (statement: RawBuilder<Result>): Promise<void> => {
    const { rows } = await statement.execute(db).catch((error: unknown) => {
      // Its `where` holds the whole text of the stored function that failed.
      if (error instanceof pg.DatabaseError) error.where = undefined;
      throw error;
    });
    for (const { n, result } of rows) if (n !== null) outcomes[n] = outcomeOf(result);
  };
  const postings = listed('postings');
  if (postings !== null) await post(sql`select n, result from post_credits(${postings}::json)`);
  const [settles, voids] = [listed('settles'), listed('voids')];
  if (settles !== null || voids !== null) {
    const touched = [...new Set(commands.flatMap(holdsOf))];
    await post(
      commands.every(isCovered)
        ? sql`select null as n, null as result from post_covered(${settles}::json, ${touched}::text[])`
        : sql`select null as n, null as result
            from post_ends(${settles ?? '[]'}::json, ${voids ?? '[]'}::json, ${touched}::text[])`,
    );
  }
  const holds = listed('holds');
  if (holds !== null) await post(sql`select n, result from post_holds(${holds}::json, ${holder}::text)`);
  return outcomes;
}

/** The holds that a command ends or shrinks. */
function holdsOf(command: Command): string[] {
  if (command.to === 'voids') return [command.request_id];
  return command.to === 'settles' ? [command.block ?? command.request_id] : [];
}

/** Whether a command ends no hold of its own. */
function isCovered(command: Command): boolean {
  if (command.to === 'voids') return false;
  return command.to !== 'settles' || command.block !== null;
}

/** The result of the command at position `n` of the batch. Ends of requests have no result. */
type Result = { n: number; result: string } | { n: null; result: null };

const allOutcomes = [...admissions, ...allPostings] as const;

function outcomeOf(result: string): Outcome {
  const outcome = allOutcomes.find((known) => known === result);
  if (outcome === undefined) throw new Error(`the database answered ${result}`);
  return outcome;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
