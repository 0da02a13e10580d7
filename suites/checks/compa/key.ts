import { type Check, defineCheck } from '../../engine/check.ts';
import type { CompatAOptions } from '../../engine/compat-request.ts';
import type { Fact } from '../../engine/facts.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { bearer } from '../../engine/requests.ts';
import { spoil, wrongKeyExamples, wrongKeys } from '../../generators/wrong-key.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import type { Keys } from '../../profile/profile.ts';
import { must } from '../../rules/violation.ts';
import { judgeNotForwarded } from '../../steps/chat/upstream-view.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { answered, betaModel, refused, refusesStream } from './message-calls.ts';

const rule = { requirement: 'COMPA-008', aspect: 'unauthenticated' };

/** Calls without a valid key in the right place. */
const keyless: readonly (readonly [label: string, options: (parts: CheckParts) => CompatAOptions])[] = [
  ['no x-api-key', () => ({ key: null })],
  ['an empty x-api-key', () => ({ key: '' })],
  ['the word Bearer before the key', ({ keys }) => ({ key: `Bearer ${keys.K1}` })],
  ['two keys in one header', ({ keys }) => ({ key: `${keys.K1}, ${keys.K1}` })],
  ['an unknown key', () => ({ key: 'sk-app-0000000000000000000000000000000000' })],
];

/** Keys that exist but may not be used, with their codes. */
const states: readonly (readonly [name: keyof Keys & string, fact: Fact, code: ErrorCode])[] = [
  ['disabled', 'keys.disabled', 'sk_disabled'],
  ['expired', 'keys.expired', 'sk_expired'],
  ['ip_restricted', 'keys.ip_restricted', 'ip_not_allowed'],
];

export const keyIsInItsHeader = defineCheck({
  id: 'compa.key.header',
  title: 'compat path A takes the key in x-api-key; without a valid one it answers 401',
  requirements: ['COMPA-008', 'COMPA-011'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (parts) => {
    const { keys, cases, newScene, http, target, judge } = parts;
    const twin = await servedTwin(parts);
    const { K1: k1 } = keys;
    await servedTwin(parts, { key: null, headers: { 'X-Api-Key': k1 }, label: 'the name in another case' });
    await servedTwin(parts, {
      headers: bearer('not-a-key'),
      label: 'a good key beside a useless Authorization',
    });
    for (const [label, options] of keyless) {
      for (const stream of [false, true]) {
        cases.count();
        const body = { ...newScene().minimalA(betaModel(target)), ...(stream ? { stream } : {}) };
        const exchange = await http.compatA(body, { ...options(parts), label });
        refused(judge, exchange, { ...rule, codes: ['invalid_api_key'], twin });
      }
    }
    // The key is judged before the body.
    for (const body of ['{', '{}', { model: 'no-such-model' }]) {
      cases.count();
      const exchange = await http.compatA(body, { key: null, label: 'no key, and a bad body' });
      refused(judge, exchange, { ...rule, aspect: 'comes-first', codes: ['invalid_api_key'], twin });
    }
    await judgeElsewhere(parts, twin);
  },
});

export const wrongKeyIsRefused = defineCheck({
  id: 'compa.key.wrong',
  title: 'an x-api-key that differs from a good key in any way is answered 401 invalid_api_key',
  requirements: ['COMPA-008'],
  kind: 'property',
  needs: ['compat.a'],
  run: async (parts) => {
    const { cases, accounts, keys, newScene, http, target, judge } = parts;
    const twin = await servedTwin(parts);
    await cases.forAll(
      wrongKeys,
      async (recipe) => {
        const key = accounts.altered(spoil(keys.K1, recipe));
        const body = newScene().minimalA(betaModel(target));
        const exchange = await http.compatA(body, { key, label: `key ${recipe.kind}` });
        refused(judge, exchange, { ...rule, aspect: 'wrong-key', codes: ['invalid_api_key'], twin });
      },
      { examples: wrongKeyExamples },
    );
  },
});

export const keyStateChecks: readonly Check[] = states.map(([name, fact, code]) =>
  defineCheck({
    id: `compa.key.${name.replaceAll('_', '-')}`,
    title: `on compat path A a key that is ${name.replaceAll('_', ' ')} is answered ${code}, streamed or not`,
    requirements: ['COMPA-008', 'COMPA-011'],
    kind: 'example',
    needs: ['compat.a', fact],
    run: async (parts) => {
      const { cases, newScene, http, accounts, target, judge } = parts;
      const twin = await servedTwin(parts);
      for (const stream of [false, true]) {
        cases.count();
        const body = { ...newScene().minimalA(betaModel(target)), ...(stream ? { stream } : {}) };
        const exchange = await http.compatA(body, { key: accounts.key(name), label: `key ${name}` });
        refused(judge, exchange, { ...rule, aspect: 'key-state', codes: [code], twin });
      }
    },
  }),
);

export const keyGoesNoFurther = defineCheck({
  id: 'compa.key.stays-inside',
  title: "the caller's key reaches no upstream, and refused requests reach none at all",
  requirements: ['COMPA-008'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async ({ newScene, http, keys, target, judge, cases }) => {
    for (const stream of [false, true]) {
      const scene = newScene();
      const body = { ...scene.minimalA(betaModel(target)), ...(stream ? { stream } : {}) };
      const exchange = await http.compatA(body, { label: stream ? 'streamed' : 'plain' });
      if (refusesStream(judge, exchange)) continue;
      answered(cases, exchange, body, { requirement: 'COMPA-008', aspect: 'key-accepted' });
      const carries = (await scene.requestsNow()).some(({ entry, text }) =>
        [text, entry.request.path, ...entry.request.headers.flat()].some((part) => part.includes(keys.K1)),
      );
      const expected = "an upstream request with the gateway's own credential";
      const actual = "it carries the caller's key";
      must(!carries, { requirement: 'COMPA-008', aspect: 'key-stays-inside', expected, actual, exchange });
    }
    const scene = newScene();
    const turnedAway = await http.compatA(scene.minimalA(betaModel(target)), { key: null, label: 'no key' });
    refused(judge, turnedAway, { ...rule, codes: ['invalid_api_key'] });
    await judgeNotForwarded(scene, 'COMPA-008', turnedAway);
  },
});

async function servedTwin(
  { newScene, http, target, cases }: CheckParts,
  options: CompatAOptions = {},
): Promise<Exchange> {
  const body = newScene().minimalA(betaModel(target));
  const exchange = await http.compatA(body, { label: 'positive twin', ...options });
  answered(cases, exchange, body, { requirement: 'COMPA-008', aspect: 'key-accepted' });
  return exchange;
}

/** A key in another path's place may be accepted or not (reading B-96). */
async function judgeElsewhere(
  { keys, newScene, http, judge, target, cases }: CheckParts,
  twin: Exchange,
): Promise<void> {
  const { K1: k1 } = keys;
  const body = newScene().minimalA(betaModel(target));
  const exchange = await http.compatA(body, {
    key: null,
    headers: bearer(k1),
    label: 'the key as a bearer token',
  });
  const taken = isSuccess(exchange);
  if (taken) answered(cases, exchange, body, { ...rule, twin });
  else refused(judge, exchange, { ...rule, codes: ['invalid_api_key'], twin });
  judge.note(`${taken ? 'takes' : 'does not take'} a bearer token on compat path A (reading B-96)`);
}
