import { describe, expect, it } from 'vitest';
import { useLedger } from '../testing/billing/ledger-bench.ts';
import { sampleUsage } from '../testing/billing/sample-usage.ts';
import { storeKinds } from '../testing/store/test-stores.ts';

const december = Date.UTC(2026, 11, 1);

describe.each(storeKinds)('admission by the ledger on a store of kind $name', (kind) => {
  const harness = useLedger(kind);
  let next = 0;

  /** Holds the maximum cost of a chat call. */
  async function hold(accountId: string, atMs = december, amount = 1_000_000n): Promise<string> {
    next += 1;
    return harness.ledger.hold({ requestId: `r${next}`, accountId, amount, overshoots: true, atMs });
  }

  /** Holds the fixed cost of a task or an image. */
  async function submit(accountId: string, amount: bigint): Promise<string> {
    next += 1;
    return harness.ledger.hold({
      requestId: `r${next}`,
      accountId,
      amount,
      overshoots: false,
      atMs: december,
    });
  }

  /** Settles a request that has no hold. */
  async function use(accountId: string, charge: bigint, tokens: bigint, atMs = december): Promise<void> {
    next += 1;
    await harness.ledger.settle(
      sampleUsage(`r${next}`, {
        account_id: accountId,
        charge_pico: charge,
        prompt_tokens: tokens - 1n,
        completion_tokens: 1n,
        cached_tokens: tokens - 1n,
        started_at_ms: atMs - 60_000,
        ended_at_ms: atMs,
      }),
    );
  }

  function grant(accountId: string, amount: bigint): Promise<string> {
    next += 1;
    return harness.ledger.grant({ accountId, id: `g${next}`, amount, note: null, atMs: december });
  }

  it('admits as many tasks as the credits cover, in turn or at once', async () => {
    for (const account of ['in turns', 'at once']) {
      await harness.account(account, { prepaid: true });
      await grant(account, 100n);
    }
    const turns: string[] = [];
    for (let one = 0; one < 20; one += 1) turns.push(await submit('in turns', 30n));
    const together = await Promise.all(Array.from({ length: 20 }, () => submit('at once', 30n)));
    for (const answers of [turns, together]) {
      expect(answers.filter((answer) => answer === 'held')).toHaveLength(3);
      expect(answers.filter((answer) => answer === 'no_cover')).toHaveLength(17);
    }
    expect(await submit('in turns', 10n)).toBe('held');
    expect(await submit('in turns', 1n)).toBe('no_cover');
    expect(await submit('in turns', 0n)).toBe('held');
    expect(await hold('in turns')).toBe('no_cover');
  });

  it('begins a new month with its first millisecond in UTC', async () => {
    await harness.account('monthly', { monthlyTokens: 10n });
    await use('monthly', 0n, 10n, december - 1);
    expect(await hold('monthly', december - 1)).toBe('no_quota');
    expect(await hold('monthly', december)).toBe('held');
    await use('monthly', 0n, 10n, december);
    expect(await hold('monthly', december)).toBe('no_quota');
    expect(await hold('monthly', Date.UTC(2027, 0, 1) - 1)).toBe('no_quota');
    expect(await hold('monthly', Date.UTC(2027, 0, 1))).toBe('held');
    expect((await harness.totalsOf('monthly', december - 1)).tokens).toBe(10n);
  });

  it('counts a request in the month of its end, not of its hold', async () => {
    await harness.account('over', { monthlyTokens: 10n });
    expect(await hold('over', december - 1)).toBe('held');
    await harness.ledger.settle(
      sampleUsage(`r${next}`, {
        account_id: 'over',
        prompt_tokens: 10n,
        started_at_ms: december - 1,
        ended_at_ms: december,
      }),
    );
    expect(await hold('over', december - 1)).toBe('held');
    expect(await hold('over', december)).toBe('no_quota');
  });

  it('counts beyond 64 bits', async () => {
    await harness.account('endless', { monthlyTokens: 2n ** 63n - 1n });
    await use('endless', 10n ** 30n, 2n ** 63n - 1n);
    await use('endless', 10n ** 30n, 2n ** 63n - 1n);
    expect(await hold('endless')).toBe('no_quota');
    expect((await harness.totalsOf('endless', december)).posted).toBe(-2n * 10n ** 30n);
  });
});
