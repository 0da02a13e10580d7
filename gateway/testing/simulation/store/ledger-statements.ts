import { byText, jsonAt, type Statement, selected, textAt, written } from './statement.ts';
import type { EntryRow, HoldRow, Tables } from './tables.ts';

interface HoldAsked {
  readonly n: number;
  readonly request_id: string;
  readonly account_id: string;
  readonly amount: string;
  readonly overshoots: boolean;
  readonly is_block: boolean;
  readonly month: string;
}

interface SettleAsked {
  readonly n: number;
  readonly request_id: string;
  readonly account_id: string;
  readonly outcome: string;
  readonly model_served: string;
  readonly task_id: string | null;
  readonly charge_pico: string;
  readonly prompt_tokens: string;
  readonly completion_tokens: string;
  readonly ended_at: string;
}

interface PostingAsked {
  readonly n: number;
  readonly transfer_id: string;
  readonly kind: string;
  readonly account_id: string;
  readonly amount: string;
  readonly against: string;
  readonly request_id: string | null;
}

/** A block is held only where so many times its amount is free. */
const blockShare = 8n;
const maxTokens = 2n ** 63n - 1n;

/** Writes an entry unless its transfer has one for this book already. */
function write(tables: Tables, entry: EntryRow): boolean {
  const key = `${entry.transferId} ${entry.book}`;
  if (tables.entries.has(key)) return false;
  tables.entries.set(key, entry);
  const { posted, held } = tables.balances.get(entry.accountId) ?? { posted: 0n, held: 0n };
  const counts = entry.book === 'credits' || entry.book === 'held';
  tables.balances.set(entry.accountId, {
    posted: posted + (counts ? entry.amount : 0n),
    held: held + (entry.book === 'held' ? entry.amount : 0n),
  });
  return true;
}

const postHolds: Statement = {
  name: 'hold',
  matches: /^select n, result from post_holds\(/,
  run: (call) => {
    const { tables } = call;
    const asked = jsonAt<HoldAsked>(call, 0);
    const free = new Map<string, bigint>();
    const judged = asked
      .toSorted((one, other) => byText(one.account_id, other.account_id) || one.n - other.n)
      .map((one) => ({ ...one, result: admissionOf(tables, one, free) }));
    for (const one of judged.toSorted((a, b) => byText(a.request_id, b.request_id) || a.n - b.n))
      if (one.result === 'held') open(tables, one, textAt(call, 1));
    return selected(judged.map(({ n, result }) => ({ n, result })));
  },
};

function admissionOf(tables: Tables, asked: HoldAsked, free: Map<string, bigint>): string {
  const account = tables.accounts.get(asked.account_id);
  const { posted, held } = tables.balances.get(asked.account_id) ?? { posted: 0n, held: 0n };
  const bound = posted + (account?.overdraft ?? 0n);
  const left = free.get(asked.account_id) ?? bound - held;
  const amount = BigInt(asked.amount);
  const isOpen = tables.holds.has(asked.request_id);
  const used = tables.tokens.get(`${asked.account_id} ${asked.month}`) ?? 0n;
  const limit = account?.monthlyTokens ?? null;
  free.set(asked.account_id, left);
  if (asked.is_block && (account === undefined || limit !== null)) return 'no_cover';
  if (asked.is_block && account?.prepaid === true && left < amount * blockShare) return 'no_cover';
  if (account?.prepaid === true && bound <= 0n) return 'no_credits';
  if (limit !== null && used >= limit) return 'no_quota';
  if (account?.prepaid === true && !isOpen && (asked.overshoots ? left <= 0n : left < amount))
    return 'no_cover';
  if (!isOpen) free.set(asked.account_id, left - amount);
  return 'held';
}

function open(tables: Tables, asked: HoldAsked, holder: string): void {
  const { request_id: requestId, account_id: accountId } = asked;
  const amount = BigInt(asked.amount);
  const entry = { transferId: `hold:${requestId}`, kind: 'hold', accountId, requestId };
  write(tables, { ...entry, book: 'credits', amount: -amount });
  if (write(tables, { ...entry, book: 'held', amount }))
    tables.holds.set(requestId, { requestId, accountId, amount, holder });
}

const postEnds: Statement = {
  name: 'end',
  matches: /^select null as n, null as result from post_ends\(/,
  run: (call) => {
    const voids = jsonAt<{ request_id: string }>(call, 1);
    return endAll(call.tables, jsonAt<SettleAsked>(call, 0), voids, call.params[2]);
  },
};

/** All of whose requests are covered by blocks, so that none has a hold to end, and none of which was settled before. */
const settleCovered: Statement = {
  name: 'end covered',
  matches: /^select settle_covered\(/,
  run: (call) => {
    const asked = jsonAt<SettleAsked>(call, 0);
    const ids = new Set(asked.map((one) => one.request_id));
    if (ids.size < asked.length || [...ids].some((id) => call.tables.records.has(id)))
      throw new Error('a request was settled before');
    endAll(call.tables, asked, [], []);
    return selected([{ settle_covered: '' }]);
  },
};

function endAll(
  tables: Tables,
  asked: readonly SettleAsked[],
  voids: readonly { readonly request_id: string }[],
  touched: unknown,
): ReturnType<Statement['run']> {
  const settles = asked.toSorted((one, other) => byText(one.request_id, other.request_id) || one.n - other.n);
  const recorded = settles.filter((one) => record(tables, one));
  for (const one of recorded) {
    const isOwn = Array.isArray(touched) && touched.includes(one.request_id);
    const hold = isOwn ? tables.holds.get(one.request_id) : undefined;
    const charge = BigInt(one.charge_pico);
    if (hold !== undefined) end(tables, hold, 'settle', charge);
    else chargeLate(tables, one, charge);
  }
  const settled = new Set(recorded.map((one) => one.request_id));
  for (const { request_id: requestId } of voids) {
    const hold = settled.has(requestId) ? undefined : tables.holds.get(requestId);
    if (hold !== undefined) end(tables, hold, 'void', 0n);
  }
  return selected([{ n: null, result: null }]);
}

/** False if the request has a record already. */
function record(tables: Tables, one: SettleAsked): boolean {
  if (tables.records.has(one.request_id)) return false;
  const tokens = BigInt(one.prompt_tokens) + BigInt(one.completion_tokens);
  tables.records.set(one.request_id, {
    requestId: one.request_id,
    accountId: one.account_id,
    outcome: one.outcome,
    modelServed: one.model_served,
    taskId: one.task_id,
    charge: BigInt(one.charge_pico),
    tokens,
  });
  const month = `${one.account_id} ${one.ended_at.slice(0, 7)}`;
  const sum = (tables.tokens.get(month) ?? 0n) + tokens;
  if (tokens > 0n) tables.tokens.set(month, sum > maxTokens ? maxTokens : sum);
  return true;
}

function end(tables: Tables, hold: HoldRow, kind: 'settle' | 'void', charge: bigint): void {
  const { requestId, accountId, amount } = hold;
  tables.holds.delete(requestId);
  const entry = { transferId: `end:${requestId}`, kind, accountId, requestId };
  write(tables, { ...entry, book: 'held', amount: -amount });
  write(tables, { ...entry, book: 'credits', amount: amount - charge });
  if (kind === 'settle') write(tables, { ...entry, book: 'revenue', amount: charge });
}

function chargeLate(
  tables: Tables,
  { request_id: requestId, account_id: accountId }: SettleAsked,
  charge: bigint,
): void {
  const entry = { transferId: `late:${requestId}`, kind: 'settle', accountId, requestId };
  write(tables, { ...entry, book: 'credits', amount: -charge });
  write(tables, { ...entry, book: 'revenue', amount: charge });
}

const postCredits: Statement = {
  name: 'credit',
  matches: /^select n, result from post_credits\(/,
  run: (call) => {
    const { tables } = call;
    const rows = jsonAt<PostingAsked>(call, 0).map((one) => {
      const amount = BigInt(one.amount);
      const { transfer_id: transferId, kind, account_id: accountId, request_id: requestId } = one;
      const known = tables.entries.get(`${transferId} credits`);
      if (known !== undefined) {
        const isSame = known.accountId === accountId && known.amount === amount;
        return { n: one.n, result: isSame ? 'known' : 'different' };
      }
      const entry = { transferId, kind, accountId, requestId };
      write(tables, { ...entry, book: 'credits', amount });
      write(tables, { ...entry, book: one.against, amount: -amount });
      return { n: one.n, result: 'posted' };
    });
    return selected(rows);
  },
};

const holdersOfHolds: Statement = {
  name: 'holders of holds',
  matches: /^select distinct "holder" from "open_holds" where "holder" <> \$1$/,
  run: (call) => {
    const holders = new Set(call.tables.holds.all().map(({ holder }) => holder));
    holders.delete(textAt(call, 0));
    return selected([...holders].sort(byText).map((holder) => ({ holder })));
  },
};

const holdsOfHolder: Statement = {
  name: 'holds of a holder',
  matches: /^select "request_id" from "open_holds" where "holder" = \$1$/,
  run: (call) => {
    const own = call.tables.holds.all().filter(({ holder }) => holder === textAt(call, 0));
    return selected(own.map(({ requestId }) => ({ request_id: requestId })));
  },
};

const entrustHolds: Statement = {
  name: 'entrust holds',
  matches: /^update "open_holds" set "holder" = \$1 where "request_id" in \(/,
  run: (call) => {
    const known = call.params
      .slice(1)
      .map(String)
      .filter((id) => call.tables.holds.has(id));
    for (const id of known) call.tables.holds.change(id, { holder: textAt(call, 0) });
    return written(known.length);
  },
};

/** The statements of billing/, and the one by which a task takes its hold over. */
export const ledgerStatements: readonly Statement[] = [
  postHolds,
  postEnds,
  settleCovered,
  postCredits,
  holdersOfHolds,
  holdsOfHolder,
  entrustHolds,
];

/** Adds an account, as the configuration would. */
export function addAccount(tables: Tables, account: Parameters<Tables['accounts']['set']>[1]): void {
  tables.accounts.set(account.id, account);
}
