import { expect, it } from 'vitest';
import { pricing } from '../profile/money.ts';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { WireClient } from '../wire/client.ts';
import { type BudgetInput, RunBudget } from './run-budget.ts';

const prices = pricing.parse({
  models: { 'delta-3': { input: '1', output: '10' }, vidB2: { per_second: '0.05' } },
  markup_bp: { K1: 10_000, K5: 0 },
});

const budgetWith = (bounds: Partial<BudgetInput>): RunBudget =>
  new RunBudget({ pricing: prices, before: { exchanges: 2 }, ...bounds });

const chat = {
  model: 'delta-3',
  tokens: {
    prompt_tokens: 1_000,
    completion_tokens: 100,
    cached_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
  },
};

it('allows its number of exchanges, including those before the first check, then ends the run', () => {
  const budget = budgetWith({ exchanges: 4 });
  budget.spend();
  budget.spend();
  expect([budget.spent, budget.signal.aborted]).toEqual([null, false]);
  expect(() => budget.spend()).toThrow('the budget of 4 exchanges is spent');
  expect([budget.spent, budget.signal.aborted]).toEqual(['the budget of 4 exchanges is spent', true]);
  expect(budget.total.exchanges).toBe(4);
});

it('ends the run after too many endless answers; without a limit it only counts them', () => {
  const bounded = budgetWith({ tooLong: 2 });
  bounded.countTooLong();
  expect(bounded.spent).toBeNull();
  bounded.countTooLong();
  expect(bounded.spent).toMatch(/its answers do not end: 2 were longer/);
  expect(bounded.isGone).toBe(true);
  const free = budgetWith({});
  for (let count = 0; count < 100; count += 1) free.countTooLong();
  expect(free.spent).toBeNull();
});

it('ends the run with the answer that reaches its tokens', () => {
  const budget = budgetWith({ tokens: 2_200 });
  budget.pay(chat);
  expect(budget.spent).toBeNull();
  budget.pay(chat);
  expect(() => budget.spend()).toThrow('the budget of 2200 tokens is spent');
});

it('counts dollars to the last digit, with the markup, and ends the run at the limit', () => {
  const budget = budgetWith({ usd: '0.504' });
  budget.pay(chat);
  expect(budget.total).toEqual({ exchanges: 2, paid: 1, tokens: 1_100, usd: '0.004' });
  budget.pay({ model: 'vidB2', made: { images: 0, seconds: 5 } });
  expect(budget.total.usd).toBe('0.504');
  expect(budget.spent).toBe('the budget of 0.504 dollars is spent');
});

it('counts the run’s own calls, and sends them even when it is spent', async () => {
  const budget = budgetWith({ exchanges: 2 });
  expect(() => budget.spend()).toThrow();
  const client = budget.counted({ send: () => Promise.resolve(answeredWith()) } as unknown as WireClient);
  await client.send({ method: 'POST', path: '/api/v1/tasks', body: { model: 'vidB2' } });
  expect(budget.total).toMatchObject({ exchanges: 3, paid: 1, usd: '0.5' });
});

it('has no total in dollars without prices', () => {
  expect(budgetWith({ pricing: pricing.parse({}) }).total.usd).toBeNull();
});
