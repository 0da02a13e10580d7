import { isDeepStrictEqual } from 'node:util';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import { replyOf } from '../../generators/compat/generate-reply.ts';
import { type Json, objectOf, objectsIn } from '../../oracle/native/json.ts';
import { png } from '../../oracle/sample-media.ts';
import { must } from '../../rules/violation.ts';
import { plainJson } from '../../values/json.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';
import { readSse } from '../../wire/sse.ts';
import { answeredB, callName, formsB, gammaModels } from './served.ts';

const requirement = 'COMPB-010';

/** Parts of provider-side tools, which the core path cannot express. */
const otherParts: readonly Json[] = [
  { executableCode: { language: 'PYTHON', code: 'print(6 * 7)\n' } },
  { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '42\n' } },
  { inlineData: { mimeType: png.mime, data: png.base64 } },
];

/** Members of an answer beside its parts. */
const beside: Json = {
  safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' }],
  citationMetadata: { citationSources: [{ startIndex: 0, endIndex: 8, uri: 'https://example.com/sea' }] },
  groundingMetadata: { webSearchQueries: ['how wide is the sea'] },
};

export const otherPartsComeBack = defineCheck({
  id: 'compb.answer.other-parts',
  title: 'code, results and images that come back in an answer are unchanged and in place',
  requirements: [requirement],
  kind: 'upstream',
  needs: ['compat.b', 'upstream.control'],
  run: async (parts) => {
    for (const model of gammaModels(parts.target)) {
      for (const stream of await formsB(parts)) await judgeParts(parts, model, stream);
    }
  },
});

async function judgeParts(
  { cases, newScene, http, judge }: CheckParts,
  model: string,
  stream: boolean,
): Promise<void> {
  cases.count();
  const pieces = [{ text: 'I compute. ' }, ...otherParts, { text: 'So it is 42.' }];
  const scene = newScene();
  await scene.script(replyOf({ parts: pieces, candidate: beside }, stream));
  const body = { ...scene.minimalB(), tools: [{ codeExecution: {} }] };
  const label = `${callName(model, stream)}, with parts of every kind`;
  const exchange = await http.compatB(model, body, { stream, label });
  const answer = answeredB(judge, exchange, stream, { requirement, aspect: 'parts-answered', model });
  must(answer.text === 'I compute. So it is 42.', {
    requirement,
    aspect: 'text-beside-parts',
    expected: 'the texts around the other parts',
    actual: JSON.stringify(answer.text),
    exchange,
  });
  const seen = answer.parts.filter(({ text }) => text === undefined);
  const places = answer.parts.map((part) => Object.keys(part)[0]).filter((name) => name !== 'text');
  const finding = {
    requirement,
    aspect: 'other-parts',
    expected: JSON.stringify(otherParts).slice(0, 400),
    actual: JSON.stringify(seen).slice(0, 400),
    exchange,
  };
  // A gateway may omit a part, but not turn it into something else.
  must(
    seen.every((part) => otherParts.some((one) => isDeepStrictEqual(one, plainJson(part)))),
    finding,
  );
  if (places.length < otherParts.length) judge.advise(finding);
  else judgeOrder(answer.parts, exchange);
  judgeBeside(judge, exchange, stream);
}

/** If no part is missing, the parts keep their order between the texts. */
function judgeOrder(parts: readonly Json[], exchange: Exchange): void {
  // The boundaries of text parts have no meaning.
  const kinds = parts
    .flatMap((part) => (part.text === '' ? [] : (Object.keys(part)[0] ?? [])))
    .filter((kind, at, all) => kind !== 'text' || all[at - 1] !== 'text');
  const wanted = ['text', ...otherParts.flatMap((part) => Object.keys(part)), 'text'];
  must(isDeepStrictEqual(kinds, wanted), {
    requirement,
    aspect: 'other-parts-in-place',
    expected: wanted.join(', '),
    actual: kinds.join(', '),
    exchange,
  });
}

function judgeBeside(judge: Judge, exchange: Exchange, stream: boolean): void {
  const { body = Buffer.alloc(0) } = exchange.response ?? {};
  const answers = stream
    ? readSse(body).events.map(({ data }) => JSON.parse(data) as unknown)
    : [jsonOf(exchange)];
  const candidates = answers.flatMap((one) => objectsIn(objectOf(one).candidates).slice(0, 1));
  for (const [name, value] of Object.entries(beside)) {
    const served = candidates.flatMap((candidate) => candidate[name] ?? []);
    const finding = {
      requirement,
      aspect: 'said-beside',
      expected: `${name} as the upstream sent it: ${JSON.stringify(value)}`,
      actual: JSON.stringify(served),
      exchange,
    };
    if (served.length === 0) judge.advise(finding);
    else
      must(
        isDeepStrictEqual(plainJson(served.at(-1)), Array.isArray(value) ? plainJson(value.at(-1)) : value),
        finding,
      );
  }
}
