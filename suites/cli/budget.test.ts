import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { inDialect } from '../dialects/in-dialect.ts';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import { budgetOf } from './budget.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-budget-'));
afterAll(() => rmSync(folder, { recursive: true }));
const prices = join(folder, 'prices.yaml');
writeFileSync(prices, 'delta-3: { input: "0.3", output: "0.5" }\n');

const called = { models: ['delta-3'], mediaModels: [] };
const profileWith = (more: Partial<ProfileInput> = {}): ReturnType<typeof profileSchema.parse> =>
  profileSchema.parse({ base_url: 'http://127.0.0.1:1', keys: { K1: 'k' }, ...more });

it('prefers each bound in the options to that in the profile', () => {
  const profile = profileWith({ budget: { exchanges: 9, tokens: 8, minutes: 7 } });
  expect(budgetOf({ budget: 'exchanges=3, minutes=2.5' }, profile, called)).toMatchObject({
    exchanges: 3,
    tokens: 8,
    minutes: 2.5,
  });
  expect(budgetOf({ budget: 'minutes=2.5', minutes: 1 }, profile, called).minutes).toBe(1);
});

it('bounds dollars by a file of list prices', () => {
  const budget = budgetOf({ budget: 'usd=2.50', prices }, profileWith(), called);
  expect(budget.usd).toBe('2.50');
  expect(budget.pricing.models).toEqual({ 'delta-3': { input: '0.3', output: '0.5' } });
});

it('takes prices by the own names of models, and names those that lack one', () => {
  const dialect = { extends: 'openai', models: { 'acme-large': 'delta-3', 'acme-small': 'alpha-codex' } };
  const profile = inDialect(profileWith({ dialect }));
  const own = join(folder, 'own.yaml');
  const price = '{ input: "0.3", output: "0.5" }';
  const both = { models: ['delta-3', 'alpha-codex'], mediaModels: [] };
  writeFileSync(own, `acme-large: ${price}\n`);
  expect(() => budgetOf({ budget: 'usd=1', prices: own }, profile, both)).toThrow('missing: acme-small');
  writeFileSync(own, `acme-large: ${price}\nacme-small: ${price}\n`);
  const { pricing } = budgetOf({ budget: 'usd=1', prices: own }, profile, both);
  expect(Object.keys(pricing.models ?? {})).toEqual(['delta-3', 'alpha-codex']);
  inDialect(profileWith());
});

it.each([
  ['usd=1', 'the price of each enabled model, in pricing.models or a file of --prices; missing: delta-3'],
  ['usd', '--budget usd: give bounds as usd=5,exchanges=2000'],
  ['exchange=5', '--budget: exchange: unknown member (did you mean exchanges?)'],
  ['ussd=5', '--budget: ussd: unknown member (did you mean usd?)'],
  ['exchanges=0', 'exchanges'],
])('rejects %s', (budget, sentence) => {
  expect(() => budgetOf({ budget }, profileWith(), called)).toThrow(sentence);
});
