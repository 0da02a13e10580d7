import { expect, it } from 'vitest';
import { z } from 'zod';
import { describeIssues } from './describe-issues.ts';
import { profileSchema } from './profile.ts';

const least = { base_url: 'http://127.0.0.1:1', keys: { K1: 'k' } };

/** The faults of a profile, as lines of place and text. */
function faultsOf(more: object, schema: z.ZodType = profileSchema): string[] {
  const { error } = schema.safeParse({ ...least, ...more }, { reportInput: true });
  return describeIssues(schema, error?.issues ?? []).map(({ path, text }) => `${path.join('.')}: ${text}`);
}

it.each([
  ['at the top', { capp: { value: 3 } }, 'capp', 'cap'],
  ['in a member', { http: { heders: {} } }, 'http.heders', 'headers'],
  ['in an optional member', { hooks: { clok: {} } }, 'hooks.clok', 'clock'],
  ['among the keys', { keys: { K1: 'k', forein: 'k' } }, 'keys.forein', null],
  [
    'in an element of a list',
    { tenants: [{ name: 'a', keys: { K1: 'k' }, chanels: {} }] },
    'tenants.0.chanels',
    'channels',
  ],
  [
    'in an element of a map',
    { pricing: { models: { 'delta-3': { input: '1', output: '1', imput: '2' } } } },
    'pricing.models.delta-3.imput',
    'input',
  ],
])('names a misspelt member %s, with the nearest known member', (_, more, place, meant) => {
  const fault = faultsOf(more).find((line) => line.startsWith(`${place}: `));
  expect(fault).toMatch(
    meant === null ? /: unknown member(?: \(known: .*\))?$/ : `: unknown member (did you mean ${meant}?)`,
  );
});

it('reports each misspelt member separately', () => {
  expect(faultsOf({ capp: 1, keyes: 2 })).toHaveLength(2);
});

it('reports the faults of the closest of several forms', () => {
  const either = z.strictObject({
    one: z.union([
      z.strictObject({ url: z.string(), token: z.string(), name: z.string() }),
      z.strictObject({ file: z.string() }),
    ]),
  });
  const faults = describeIssues(either, either.safeParse({ one: { fille: 'x' } }).error?.issues ?? []);
  expect(faults.map(({ path }) => path.join('.'))).toContain('one.fille');
});

it.each([
  ['a missing member', { waivers: [{ id: 'AUTH-001' }] }, 'waivers.0.reason: is missing (text)'],
  ['another kind of value', { cap: { value: 'three' } }, 'cap.value: must be a number'],
  ['no list', { deviations: { 'usage-on-request': true } }, 'deviations: must be a list'],
  [
    'a misspelt word',
    { billing: { abandoned_stream: 'reportd' } },
    'billing.abandoned_stream: must be one of reported, nothing, whole (did you mean reported?)',
  ],
  [
    'a word that is none',
    { billing: { abandoned_stream: 7 } },
    'billing.abandoned_stream: must be one of reported, nothing, whole',
  ],
  [
    'a misspelt name of a map',
    { minimum: { 'core-caht': 80 } },
    'minimum.core-caht: unknown member (did you mean core-chat?)',
  ],
  [
    'a header of the checks',
    { http: { headers: { Authorization: 'x' } } },
    'http.headers.Authorization: is a header that the checks send themselves',
  ],
  [
    'no date',
    { waivers: [{ id: 'A', reason: 'b', until: '2027-02-30' }] },
    'waivers.0.until: must be a date, such as 2027-03-31',
  ],
  ['no address', { http: { proxy: 'localhost:80' } }, 'http.proxy: must be a URL, such as http://host:port'],
  [
    'a value with words of its own',
    { pricing: { models: { 'delta-3': { input: 5, output: '1' } } } },
    'pricing.models.delta-3.input: must be a text such as "2.50"',
  ],
])('%s is told in our own words', (_, more, said) => {
  expect(faultsOf(more)).toEqual([said]);
});

it('states the limits for a number outside of them', () => {
  expect(faultsOf({ cap: { value: 0 } })).toEqual(['cap.value: must be at least 1']);
});
