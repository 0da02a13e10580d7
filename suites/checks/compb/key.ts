import { defineCheck } from '../../engine/check.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { spoil, type WrongKey, wrongKeyExamples, wrongKeys } from '../../generators/wrong-key.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { refusedB } from './refused.ts';
import { answeredB, callName, formsB, gammaModel, gammaModels, pathB, sendTo, twinB } from './served.ts';

const rule = 'COMPB-007';
const refusedKey = { requirement: rule, aspect: 'key-refused', codes: ['invalid_api_key'] } as const;

export const keyInQuery = defineCheck({
  id: 'compb.key.in-query',
  title: 'the key in ?key= is all that compat path B needs, wherever in the query it stands',
  requirements: [rule],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { keys, cases, newScene, target, http, judge } = parts;
    const key = encodeURIComponent(keys.K1);
    for (const model of gammaModels(target)) {
      for (const stream of await formsB(parts)) {
        const form = stream ? ['alt=sse'] : [];
        const verb = stream ? 'streamGenerateContent' : 'generateContent';
        for (const parameters of [
          [`key=${key}`, ...form],
          [...form, `key=${key}`],
          [...form, 'prettyPrint=false', `key=${key}`],
          // Some clients encode more characters than necessary.
          [...form, `key=${key.replaceAll('-', '%2D')}`],
        ]) {
          cases.count();
          const path = pathB(model, parameters.join('&'), verb);
          const label = `${callName(model, stream)}, the key as parameter ${parameters.length}`;
          const exchange = await sendTo(http, path, newScene().minimalB(), { label });
          answeredB(judge, exchange, stream, { requirement: rule, aspect: 'key-accepted', model });
        }
      }
    }
  },
});

export const wrongKeyIsRefused = defineCheck({
  id: 'compb.key.wrong',
  title: 'an unknown or altered key in ?key= is answered 401 invalid_api_key',
  requirements: [rule],
  kind: 'property',
  needs: ['compat.b'],
  run: async (parts) => {
    const { cases, accounts, keys, http, newScene, target, judge } = parts;
    const model = gammaModel(target);
    const twin = await twinB(parts, model);
    const forms = await formsB(parts);
    await cases.forAll(
      wrongKeys,
      async (recipe: WrongKey) => {
        const key = accounts.altered(spoil(keys.K1, recipe));
        for (const stream of forms) {
          const exchange = await http.compatB(model, newScene().minimalB(), {
            key,
            stream,
            label: `key ${recipe.kind}`,
          });
          refusedB(judge, exchange, { ...refusedKey, twin });
        }
      },
      { examples: wrongKeyExamples },
    );
  },
});

export const noKeyIsRefused = defineCheck({
  id: 'compb.key.missing',
  title: 'a request without a key, or with an empty one, is answered 401 invalid_api_key',
  requirements: [rule],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { keys, cases, newScene, rng, target, http, judge } = parts;
    const model = gammaModel(target);
    const twin = await twinB(parts, model);
    const key = encodeURIComponent(keys.K1);
    for (const query of ['', 'key=', 'key', 'alt=json', 'key=%20', 'keys=1', 'key=null']) {
      for (const stream of await formsB(parts)) {
        cases.count();
        const verb = stream ? 'streamGenerateContent' : 'generateContent';
        const whole = [...(stream ? ['alt=sse'] : []), ...(query === '' ? [] : [query])].join('&');
        const label = `${callName(model, stream)}, with ${query === '' ? 'no query' : query}`;
        const exchange = await sendTo(http, pathB(model, whole, verb), newScene().minimalB(), { label });
        refusedB(judge, exchange, { ...refusedKey, aspect: 'no-key-refused', twin });
      }
    }
    for (const body of [{}, { contents: 5 }, '{']) {
      cases.count();
      const exchange = await sendTo(http, pathB(model), body, { label: 'no key, and an invalid body' });
      refusedB(judge, exchange, { ...refusedKey, aspect: 'no-key-refused', twin });
    }
    const unknown = await sendTo(http, pathB(`zz-${rng.hex(6)}`), newScene().minimalB(), {
      label: 'no key, and a model that does not exist',
    });
    refusedB(judge, unknown, { ...refusedKey, aspect: 'no-key-refused', twin });
    for (const query of [
      `key=${key}&key=${key}`,
      `key=${key}&key=sk-app-other`,
      `key=sk-app-other&key=${key}`,
    ]) {
      cases.count();
      const exchange = await sendTo(http, pathB(model, query), newScene().minimalB(), { label: 'two keys' });
      judgeEither(judge, exchange, model, { requirement: rule, aspect: 'two-keys-clean' });
    }
  },
});

export const keyOfItsPlace = defineCheck({
  id: 'compb.key.elsewhere',
  title: 'a key in a header alone is refused with 401 invalid_api_key, or served',
  requirements: ['COMPB-008'],
  kind: 'example',
  needs: ['compat.b'],
  run: async (parts) => {
    const { keys, cases, newScene, target, http, judge } = parts;
    const { K1: key } = keys;
    const encoded = encodeURIComponent(key);
    const rule = { requirement: 'COMPB-008', aspect: 'elsewhere-clean' };
    const places = [
      ['authorization', `Bearer ${key}`],
      ['authorization', key],
      ['x-api-key', key],
      ['x-goog-api-key', key],
      ['cookie', `key=${encoded}`],
    ] as const;
    for (const model of target.few(gammaModels(target))) {
      await twinB(parts, model);
      for (const [name, value] of target.few(places)) {
        cases.count();
        const options = { headers: { [name]: value }, label: `a good key in ${name} alone` };
        const exchange = await sendTo(http, pathB(model), newScene().minimalB(), options);
        judgeEither(judge, exchange, model, rule);
      }
      // A valid key in its place together with a wrong key, and the reverse.
      const beside = {
        headers: { authorization: 'Bearer sk-app-other' },
        label: 'another key in a bearer header',
      };
      judgeEither(
        judge,
        await sendTo(http, pathB(model, `key=${encoded}`), newScene().minimalB(), beside),
        model,
        rule,
      );
      const other = { headers: { authorization: `Bearer ${key}` }, label: 'another key in the query' };
      judgeEither(
        judge,
        await sendTo(http, pathB(model, 'key=sk-app-other'), newScene().minimalB(), other),
        model,
        rule,
      );
    }
  },
});

/** Either served or refused because of the key: the specification does not decide (reading B-96). */
function judgeEither(
  judge: Judge,
  exchange: Exchange,
  model: string,
  rule: { requirement: string; aspect: string },
): void {
  if (isSuccess(exchange)) {
    judge.note(`served: ${exchange.label}`);
    answeredB(judge, exchange, false, { ...rule, model });
  } else refusedB(judge, exchange, { ...rule, codes: ['invalid_api_key'] });
}
