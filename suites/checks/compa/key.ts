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
import type { Exchange } from '../../wire/exchange.ts';
import { answered, betaModel, refused, refusesStream } from './message-calls.ts';

const rule = { requirement: 'COMPA-008', aspect: 'unauthenticated' };

async function servedTwin(kit: CheckParts, options: CompatAOptions = {}): Promise<Exchange> {
  const body = kit.newScene().minimalA(betaModel(kit));
  const exchange = await kit.http.compatA(body, { label: 'positive twin', ...options });
  answered(kit, exchange, body, { requirement: 'COMPA-008', aspect: 'key-accepted' });
  return exchange;
}

/** Calls without a good key in its place. */
const keyless: readonly (readonly [label: string, options: (kit: CheckParts) => CompatAOptions])[] = [
  ['no x-api-key', () => ({ key: null })],
  ['an empty x-api-key', () => ({ key: '' })],
  ['the word Bearer before the key', (kit) => ({ key: `Bearer ${kit.keys.K1}` })],
  ['two keys in one header', (kit) => ({ key: `${kit.keys.K1}, ${kit.keys.K1}` })],
  ['a key of nobody', () => ({ key: 'sk-app-0000000000000000000000000000000000' })],
];

export const keyIsInItsHeader = defineCheck({
  id: 'compa.key.header',
  title:
    'compat path A takes the key in x-api-key, in any case of that name and whatever Authorization says; without a valid one it answers 401',
  requirements: ['COMPA-008', 'COMPA-011'],
  kind: 'example',
  needs: ['compat.a'],
  run: async (kit) => {
    const twin = await servedTwin(kit);
    const { K1 } = kit.keys;
    await servedTwin(kit, { key: null, headers: { 'X-Api-Key': K1 }, label: 'the name in another case' });
    await servedTwin(kit, {
      headers: bearer('not-a-key'),
      label: 'a good key beside an Authorization of no use',
    });
    for (const [label, options] of keyless) {
      for (const stream of [false, true]) {
        kit.cases.count();
        const body = { ...kit.newScene().minimalA(betaModel(kit)), ...(stream ? { stream } : {}) };
        const exchange = await kit.http.compatA(body, { ...options(kit), label });
        refused(kit, exchange, { ...rule, codes: ['invalid_api_key'], twin });
      }
    }
    // Who the caller is comes before what it says.
    for (const body of ['{', '{}', { model: 'no-such-model' }]) {
      kit.cases.count();
      const exchange = await kit.http.compatA(body, { key: null, label: 'no key, and a bad body' });
      refused(kit, exchange, { ...rule, aspect: 'comes-first', codes: ['invalid_api_key'], twin });
    }
    await judgeElsewhere(kit, twin);
  },
});

/** A key in the place of another path may count or not (reading B-96). */
async function judgeElsewhere(kit: CheckParts, twin: Exchange): Promise<void> {
  const { K1 } = kit.keys;
  const body = kit.newScene().minimalA(betaModel(kit));
  const exchange = await kit.http.compatA(body, {
    key: null,
    headers: bearer(K1),
    label: 'the key as a bearer token',
  });
  const taken = exchange.response?.status === 200;
  if (taken) answered(kit, exchange, body, { ...rule, twin });
  else refused(kit, exchange, { ...rule, codes: ['invalid_api_key'], twin });
  kit.judge.note(`${taken ? 'takes' : 'does not take'} a bearer token on compat path A (reading B-96)`);
}

export const wrongKeyIsRefused = defineCheck({
  id: 'compa.key.wrong',
  title: 'a key in x-api-key that differs from a good one in anything is answered 401 invalid_api_key',
  requirements: ['COMPA-008'],
  kind: 'property',
  needs: ['compat.a'],
  run: async (kit) => {
    const twin = await servedTwin(kit);
    await kit.cases.forAll(
      wrongKeys,
      async (recipe) => {
        const key = kit.accounts.altered(spoil(kit.keys.K1, recipe));
        const body = kit.newScene().minimalA(betaModel(kit));
        const exchange = await kit.http.compatA(body, { key, label: `key ${recipe.kind}` });
        refused(kit, exchange, { ...rule, aspect: 'wrong-key', codes: ['invalid_api_key'], twin });
      },
      { examples: wrongKeyExamples },
    );
  },
});

/** Keys that exist and may not be used, with what is said of them. */
const states: readonly (readonly [name: keyof Keys & string, fact: Fact, code: ErrorCode])[] = [
  ['disabled', 'keys.disabled', 'sk_disabled'],
  ['expired', 'keys.expired', 'sk_expired'],
  ['ip_restricted', 'keys.ip_restricted', 'ip_not_allowed'],
];

export const keyStateChecks: readonly Check[] = states.map(([name, fact, code]) =>
  defineCheck({
    id: `compa.key.${name.replaceAll('_', '-')}`,
    title: `on compat path A a key that is ${name.replaceAll('_', ' ')} is answered ${code}, plain and with a stream asked for`,
    requirements: ['COMPA-008', 'COMPA-011'],
    kind: 'example',
    needs: ['compat.a', fact],
    run: async (kit) => {
      const twin = await servedTwin(kit);
      for (const stream of [false, true]) {
        kit.cases.count();
        const body = { ...kit.newScene().minimalA(betaModel(kit)), ...(stream ? { stream } : {}) };
        const exchange = await kit.http.compatA(body, { key: kit.accounts.key(name), label: `key ${name}` });
        refused(kit, exchange, { ...rule, aspect: 'key-state', codes: [code], twin });
      }
    },
  }),
);

export const keyGoesNoFurther = defineCheck({
  id: 'compa.key.stays-inside',
  title:
    "the caller's key goes no further than the gateway, which shows its own to the upstream; what is refused reaches none",
  requirements: ['COMPA-008'],
  kind: 'upstream',
  needs: ['compat.a', 'upstream.control'],
  run: async (kit) => {
    for (const stream of [false, true]) {
      const scene = kit.newScene();
      const body = { ...scene.minimalA(betaModel(kit)), ...(stream ? { stream } : {}) };
      const exchange = await kit.http.compatA(body, { label: stream ? 'streamed' : 'plain' });
      if (refusesStream(kit, exchange)) continue;
      answered(kit, exchange, body, { requirement: 'COMPA-008', aspect: 'key-accepted' });
      const carries = (await scene.requestsNow()).some(({ entry, text }) =>
        [text, entry.request.path, ...entry.request.headers.flat()].some((part) =>
          part.includes(kit.keys.K1),
        ),
      );
      must(!carries, {
        requirement: 'COMPA-008',
        aspect: 'key-stays-inside',
        expected: "an upstream request with the gateway's own credential",
        actual: "it carries the caller's key",
        exchange,
      });
    }
    const scene = kit.newScene();
    const turnedAway = await kit.http.compatA(scene.minimalA(betaModel(kit)), { key: null, label: 'no key' });
    refused(kit, turnedAway, { ...rule, codes: ['invalid_api_key'] });
    await judgeNotForwarded(scene, 'COMPA-008', turnedAway);
  },
});
