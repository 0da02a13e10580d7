import { defineCheck } from '../../engine/check.ts';
import type { Scene } from '../../engine/scene.ts';
import { replyOf } from '../../generators/compat/generate-reply.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import type { Keys } from '../../profile/profile.ts';
import { must } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/breaker-budget.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { answeredB, callName, formsB, gammaModel, gammaModels, pathB, sendTo } from './served.ts';

const requirement = 'COMPB-009';

export const notForwarded = defineCheck({
  id: 'compb.key.not-forwarded',
  title: "the caller's ?key= reaches no upstream: not in the address, the headers or the body",
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, target, keys } = parts;
    for (const model of gammaModels(target)) {
      for (const stream of await formsB(parts)) {
        cases.count();
        const scene = newScene();
        // A lenient upstream, so that only the gateway can refuse.
        await scene.script(replyOf({ parts: [{ text: 'Here.' }] }, stream));
        const exchange = await http.compatB(model, scene.minimalB(), {
          stream,
          label: callName(model, stream),
        });
        await judgeUpstream(keys, scene, exchange);
        judgeAnswer(keys, exchange);
      }
    }
  },
});

export const notEchoed = defineCheck({
  id: 'compb.key.not-echoed',
  title: 'no answer of compat path B repeats the key of its address',
  requirements: [requirement],
  kind: 'example',
  needs: ['compat.b'],
  run: async ({ keys, newScene, http, rng, cases, target, judge }) => {
    const model = gammaModel(target);
    const key = encodeURIComponent(keys.K1);
    const body = newScene().minimalB();
    // A path that never answers also hides the key, so it must work first.
    const served = await http.compatB(model, body, { label: callName(model, false) });
    answeredB(judge, served, false, { requirement, aspect: 'served', model });
    judgeAnswer(keys, served);
    const paths = [
      pathB(model, `key=${key}`),
      pathB(`zz-${rng.hex(6)}`, `key=${key}`),
      pathB(model, `key=${key}`, 'zzGenerate'),
      pathB(model, `alt=media&key=${key}`, 'streamGenerateContent'),
      `/compat-b/v1beta/models?key=${key}`,
      `/compat-b/v1beta/models/${model}?key=${key}`,
      `/compat-b/zz?key=${key}`,
      `${pathB(model)}/?key=${key}`,
      pathB(model, `key=${key}&key=${key}`),
      pathB(model, `key=${key}x`),
    ];
    for (const path of target.few(paths)) {
      for (const method of ['POST', 'GET']) {
        cases.count();
        judgeAnswer(
          keys,
          await sendTo(http, path, body, { method, label: `${method} ${path.split('?', 1)[0]}` }),
        );
      }
    }
    const wrongs = [{}, { contents: 5 }, { ...body, generationConfig: { maxOutputTokens: 9_999_999 } }, '{'];
    for (const wrong of target.few(wrongs)) {
      cases.count();
      judgeAnswer(keys, await sendTo(http, pathB(model, `key=${key}`), wrong, { label: 'an invalid body' }));
    }
  },
});

export const notEchoedInFailure = defineCheck({
  id: 'compb.key.not-in-failure',
  title: 'no answer repeats the key of its address when the upstream fails, plain or mid-stream',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    const { cases, newScene, http, target, keys } = parts;
    const model = gammaModel(target);
    for (const stream of await formsB(parts)) {
      for (const reply of [{ status: 400 }, { status: 418 }, { status: 200, body: '<h1>no answer</h1>' }]) {
        await keepClosed(parts, model);
        cases.count();
        const scene = newScene();
        await scene.script(reply);
        const label = `${callName(model, stream)}, whose upstream answers ${reply.status}`;
        judgeAnswer(keys, await http.compatB(model, scene.minimalB(), { stream, label }));
      }
    }
  },
});

/** Counting calls are included: they must not carry the key either. */
async function judgeUpstream(keys: Keys, scene: Scene, exchange: Exchange): Promise<void> {
  const seen = [...(await scene.requestsNow()), ...(await scene.countingCalls())];
  const places = seen.flatMap(({ entry, text }) => [
    ...(holds(keys, entry.request.path) ? ['the address'] : []),
    ...(holds(keys, text) ? ['the body'] : []),
    ...entry.request.headers.flatMap(([name, value]) => (holds(keys, value) ? [`the header ${name}`] : [])),
  ]);
  must(seen.length > 0 && places.length === 0, {
    requirement,
    aspect: 'not-forwarded',
    expected: "an upstream request with the gateway's own credential alone",
    actual: seen.length === 0 ? 'none arrived' : `the caller's key in ${places.join(', ')}`,
    exchange,
  });
}

function judgeAnswer(keys: Keys, exchange: Exchange): void {
  const expected = 'an answer without the key of the request';
  const actual = 'it contains the key';
  must(!holds(keys, answerText(exchange)), { requirement, aspect: 'not-echoed', expected, actual, exchange });
}

/** Whether a text contains a key: as it is, in base64, or its secret part. */
function holds(keys: Keys, text: string): boolean {
  const { K1: key } = keys;
  const forms = [key, key.replace(/^sk-app-/, ''), Buffer.from(key).toString('base64').replace(/=+$/, '')];
  return forms.some((form) => text.includes(form));
}
