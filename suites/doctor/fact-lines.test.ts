import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Fact } from '../engine/facts.ts';
import { missingFacts } from '../engine/has-fact.ts';
import { profileSchema } from '../profile/profile.ts';
import { factLines } from './fact-lines.ts';
import { linesOf, mergeLines, ownModel } from './profile-text.ts';

const bare = { base_url: 'http://127.0.0.1:1', keys: { K1: 'k' } };
const isDeclared = Object.entries(factLines).filter((entry): entry is [Fact, string] => entry[1] !== null);

/** Parts of `upstream` need upstream control, and a clock hook moves together with the upstreams' clocks. */
const upstream = parse(factLines['upstream.control'] ?? '');

test.each(isDeclared)('the lines of %s declare it', (fact, lines) => {
  const added =
    fact.startsWith('upstream.') || lines.includes('clock:') ? [upstream, parse(lines)] : [parse(lines)];
  const profile = profileSchema.parse(mergeLines([bare, ...added]));
  expect(missingFacts([fact], profile)).toEqual([]);
});

test('lines that name a model name one of the deployment', () => {
  const model = ownModel({ extends: 'openai', models: { 'vendor/large: 1': { like: 'delta-3' } } });
  expect(parse(linesOf('pricing.models', 2, model)).pricing.models).toHaveProperty(['vendor/large: 1']);
  expect(ownModel('openai')).toBeNull();
});
