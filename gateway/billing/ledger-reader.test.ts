import { beforeAll, describe, expect, it } from 'vitest';
import { storeOf } from '../testing/store/store-of.ts';
import { storeKinds } from '../testing/store/test-stores.ts';
import { createLedgerReader, type LedgerReader } from './ledger-reader.ts';

const T = Date.UTC(2026, 10, 30, 23, 59, 59, 999);

describe.each(storeKinds)('the ledger reader on a store of kind $name', ({ fresh }) => {
  const store = storeOf(fresh);
  let reader: LedgerReader;

  beforeAll(async () => {
    reader = createLedgerReader(store.db);
    await store.db
      .insertInto('accounts')
      .values([
        { id: 'acc', models: null, prepaid: true, monthly_tokens: 1000n, channels_of: null },
        { id: 'new', models: null, monthly_tokens: null, channels_of: null },
      ])
      .execute();
    const common = { account_id: 'acc', note: null, posted_at: new Date(T) };
    const hold = {
      ...common,
      transfer_id: 'hold:r \x1ad800',
      kind: 'hold',
      request_id: 'r \x1ad800',
    } as const;
    await store.db
      .insertInto('ledger_entries')
      .values([
        {
          ...common,
          transfer_id: 'grant:acc:g',
          kind: 'grant',
          book: 'grants',
          amount_pico: -(10n ** 30n),
          request_id: null,
        },
        {
          ...common,
          transfer_id: 'grant:acc:g',
          kind: 'grant',
          book: 'credits',
          amount_pico: 10n ** 30n,
          request_id: null,
          note: 'hi',
        },
        { ...hold, book: 'credits', amount_pico: -7n },
        { ...hold, book: 'held', amount_pico: 7n },
        {
          ...hold,
          transfer_id: 'hold:x',
          request_id: 'x',
          account_id: 'other',
          book: 'held',
          amount_pico: 1n,
        },
      ])
      .execute();
    await store.db
      .insertInto('account_balances')
      .values({ account_id: 'acc', posted_pico: 10n ** 30n, held_pico: 7n })
      .execute();
    await store.db
      .insertInto('token_usage')
      .values([
        { account_id: 'acc', month: '2026-11', tokens: 12n },
        { account_id: 'acc', month: '2026-10', tokens: 99n },
      ])
      .execute();
  });

  it('shows the entries of one request in their order', async () => {
    expect(await reader.ofRequest('r \ud800')).toMatchObject([
      {
        transferId: 'hold:r \ud800',
        kind: 'hold',
        accountId: 'acc',
        book: 'credits',
        amount: -7n,
        note: null,
      },
      { book: 'held', amount: 7n, requestId: 'r \ud800', postedAtMs: T },
    ]);
    expect(await reader.ofRequest('unknown')).toEqual([]);
  });

  it('shows the entries of an account, newest first, a page at a time', async () => {
    const page = { requestId: null, before: null, limit: 3 };
    const newest = await reader.ofAccount('acc', page);
    expect(newest.map(({ book, amount }) => [book, amount])).toEqual([
      ['held', 7n],
      ['credits', -7n],
      ['credits', 10n ** 30n],
    ]);
    const rest = await reader.ofAccount('acc', { ...page, before: newest.at(-1)?.id ?? null });
    expect(rest.map(({ book, amount }) => [book, amount])).toEqual([['grants', -(10n ** 30n)]]);
    expect(await reader.ofAccount('acc', { ...page, requestId: 'r \ud800' })).toHaveLength(2);
    expect(await reader.ofAccount('acc', { ...page, requestId: 'x' })).toEqual([]);
  });

  it('reports the balance of an account, with the tokens of the given month', async () => {
    const balances = { posted: 10n ** 30n, held: 7n, prepaid: true, monthlyTokens: 1000n };
    expect(await reader.balances('acc', T)).toEqual({ ...balances, month: '2026-11', tokensUsed: 12n });
    expect(await reader.balances('acc', T + 1)).toEqual({ ...balances, month: '2026-12', tokensUsed: 0n });
  });

  it('reports zeros for a new account, and null for an unknown one', async () => {
    expect(await reader.balances('new', T)).toMatchObject({
      posted: 0n,
      held: 0n,
      prepaid: false,
      tokensUsed: 0n,
      monthlyTokens: null,
    });
    expect(await reader.balances('none', T)).toBeNull();
  });
});
