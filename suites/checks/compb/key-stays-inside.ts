import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene } from '../../engine/scene.ts';
import { replyOf } from '../../generators/compat/generate-reply.ts';
import { answerText } from '../../oracle/error-leaks.ts';
import { must } from '../../rules/violation.ts';
import { keepClosed } from '../../steps/failures/strain.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { answeredB, callName, formsB, gammaModel, gammaModels, pathB, sendTo } from './served.ts';

const rule = 'COMPB-009';

const notForwarded = defineCheck({
  id: 'compb.key.not-forwarded',
  title: "the caller's ?key= reaches no upstream: not in the address, a header or the body, in no form",
  requirements: [rule],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (kit) => {
    for (const model of gammaModels(kit)) {
      for (const stream of await formsB(kit)) {
        kit.cases.count();
        const scene = kit.newScene();
        // Whatever goes on to the upstream, it is not for it to refuse.
        await scene.script(replyOf({ parts: [{ text: 'Here.' }] }, stream));
        const exchange = await kit.http.compatB(model, scene.minimalB(), {
          stream,
          label: callName(model, stream),
        });
        await judgeUpstream(kit, scene, exchange);
        judgeAnswer(kit, exchange);
      }
    }
  },
});

/** Counting calls included: the key is nothing to them either. */
async function judgeUpstream(kit: CheckParts, scene: Scene, exchange: Exchange): Promise<void> {
  const seen = [...(await scene.requestsNow()), ...(await scene.countingCalls())];
  const places = seen.flatMap(({ entry, text }) => [
    ...(holds(kit, entry.request.path) ? ['the address'] : []),
    ...(holds(kit, text) ? ['the body'] : []),
    ...entry.request.headers.flatMap(([name, value]) => (holds(kit, value) ? [`the header ${name}`] : [])),
  ]);
  must(seen.length > 0 && places.length === 0, {
    requirement: rule,
    aspect: 'not-forwarded',
    expected: "an upstream request with the gateway's own credential alone",
    actual: seen.length === 0 ? 'none arrived' : `the caller's key in ${places.join(', ')}`,
    exchange,
  });
}

const notEchoed = defineCheck({
  id: 'compb.key.not-echoed',
  title:
    'no answer of compat path B repeats the key of its address: no good one, no refusal, no failure of the upstream',
  requirements: [rule],
  kind: 'example',
  needs: ['compat.b'],
  run: async (kit) => {
    const model = gammaModel(kit);
    const key = encodeURIComponent(kit.keys.K1);
    const body = kit.newScene().minimalB();
    // An answer that says nothing at all hides the key as well: the path has to work first.
    const served = await kit.http.compatB(model, body, { label: callName(model, false) });
    answeredB(kit, served, false, { requirement: rule, aspect: 'served', model });
    judgeAnswer(kit, served);
    const paths = [
      pathB(model, `key=${key}`),
      pathB(`zz-${kit.rng.hex(6)}`, `key=${key}`),
      pathB(model, `key=${key}`, 'zzGenerate'),
      pathB(model, `alt=media&key=${key}`, 'streamGenerateContent'),
      `/compat-b/v1beta/models?key=${key}`,
      `/compat-b/v1beta/models/${model}?key=${key}`,
      `/compat-b/zz?key=${key}`,
      `${pathB(model)}/?key=${key}`,
      pathB(model, `key=${key}&key=${key}`),
      pathB(model, `key=${key}x`),
    ];
    for (const path of paths) {
      for (const method of ['POST', 'GET']) {
        kit.cases.count();
        judgeAnswer(
          kit,
          await sendTo(kit, path, body, { method, label: `${method} ${path.split('?', 1)[0]}` }),
        );
      }
    }
    for (const wrong of [
      {},
      { contents: 5 },
      { ...body, generationConfig: { maxOutputTokens: 9_999_999 } },
      '{',
    ]) {
      kit.cases.count();
      judgeAnswer(
        kit,
        await sendTo(kit, pathB(model, `key=${key}`), wrong, { label: 'a body that is wrong' }),
      );
    }
  },
});

const notEchoedInFailure = defineCheck({
  id: 'compb.key.not-in-failure',
  title:
    'when its upstream fails, plain or in a stream, no answer of compat path B repeats the key of its address',
  requirements: [rule],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (kit) => {
    const model = gammaModel(kit);
    for (const stream of await formsB(kit)) {
      for (const reply of [{ status: 400 }, { status: 418 }, { status: 200, body: '<h1>no answer</h1>' }]) {
        await keepClosed(kit, model);
        kit.cases.count();
        const scene = kit.newScene();
        await scene.script(reply);
        const label = `${callName(model, stream)}, whose upstream answers ${reply.status}`;
        judgeAnswer(kit, await kit.http.compatB(model, scene.minimalB(), { stream, label }));
      }
    }
  },
});

function judgeAnswer(kit: CheckParts, exchange: Exchange): void {
  must(!holds(kit, answerText(exchange)), {
    requirement: rule,
    aspect: 'not-echoed',
    expected: 'an answer without the key of the request',
    actual: 'the key stands in it',
    exchange,
  });
}

/** The key as it is, in base64, and its secret part alone. */
function holds(kit: CheckParts, text: string): boolean {
  const { K1: key } = kit.keys;
  const forms = [key, key.replace(/^sk-app-/, ''), Buffer.from(key).toString('base64').replace(/=+$/, '')];
  return forms.some((form) => text.includes(form));
}

export const keyInsideChecks: readonly Check[] = [notForwarded, notEchoed, notEchoedInFailure];
