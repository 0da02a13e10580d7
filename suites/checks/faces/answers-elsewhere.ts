import { isDeepStrictEqual } from 'node:util';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type AnswerScript, answerExamples, answerScripts, replyOf } from '../../generators/answer-script.ts';
import { readArguments } from '../../oracle/native/json.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { routesOf } from '../../steps/failures/routed-call.ts';
import { compatProtocols } from '../../steps/protocols/protocol.ts';
import { formsOn, type ProtocolModel } from '../../steps/protocols/protocol-model.ts';
import { mayServe, readSaid, type Said, servesRoute } from '../../steps/protocols/said.ts';
import { errorIn, isErrorReported } from './reported-error.ts';

export const answersOfOtherDialects = defineCheck({
  id: 'faces.answer.other-dialect',
  title: 'a compat path reports what an upstream said, whichever dialect it speaks: text, calls, end, counts',
  requirements: ['COMPA-010', 'COMPB-010'],
  kind: 'property',
  needs: ['upstream.control', 'upstream.routes.trio'],
  run: async (parts) => {
    const ways: (ProtocolModel & { readonly forms: readonly boolean[] })[] = [];
    for (const { model } of routesOf(parts.target, 'trio'))
      for (const protocol of compatProtocols.filter(
        ({ fact }) => !parts.target.profile.absent.includes(fact),
      ))
        if (mayServe(protocol, model) && (await servesRoute(parts, { protocol, model })))
          ways.push({ protocol, model, forms: await formsOn(parts, { protocol, model }) });
    if (ways.length === 0)
      throw new Untestable('upstream.routes of kind trio with a model that a compat path serves');
    await parts.cases.forAll(
      // Thoughts and cache writes are counted in some dialects only.
      answerScripts('generate-content').map(withSharedCounts),
      async (script) => {
        for (const { forms, ...way } of ways)
          for (const stream of forms) await judgeAnswer(parts, way, script, stream);
      },
      { quick: 5, full: 60, examples: answerExamples },
    );
  },
});

function withSharedCounts(script: AnswerScript): AnswerScript {
  const { prompt_tokens, completion_tokens, cached_tokens = 0 } = script.counts;
  return { ...script, counts: { prompt_tokens, completion_tokens, cached_tokens } };
}

async function judgeAnswer(
  { cases, newScene, http, judge }: CheckParts,
  { protocol, model }: ProtocolModel,
  script: AnswerScript,
  stream: boolean,
): Promise<void> {
  cases.count();
  const scene = newScene();
  await scene.script(replyOf(script));
  const body = protocol.body(scene, { model, tools: threeTools, maxTokens: 30_000 });
  const label = `${protocol.name}, ${model}${stream ? ', stream' : ''}`;
  const exchange = await protocol.send(http, model, body, { label, stream });
  const requirement = protocol.name === 'compat-a' ? 'COMPA-010' : 'COMPB-010';
  // An answer that a filter cut short may also be reported as a refusal.
  if (script.finish === 'content_filter' && isErrorReported(exchange)) {
    const error = errorIn(judge, protocol, model, exchange);
    const wanted = { expected: 'content_filter', actual: error?.code ?? '' };
    const rule = { requirement, aspect: 'served-elsewhere', exchange };
    return must(error === null || error.code === 'content_filter', { ...rule, ...wanted });
  }
  const said = readSaid(judge, protocol, exchange, {
    requirement,
    aspect: 'served-elsewhere',
    model,
    stream,
  });
  for (const [aspect, wanted, seen] of differences(script, said))
    must(isDeepStrictEqual(plain(seen), plain(wanted)), {
      ...{ requirement, aspect, exchange },
      expected: `as the upstream said: ${JSON.stringify(wanted)}`,
      actual: JSON.stringify(seen),
    });
}

function differences(
  { said, calls, finish, counts }: AnswerScript,
  seen: Said,
): readonly (readonly [aspect: string, wanted: unknown, seen: unknown])[] {
  const made = calls.map(({ name, arguments: text }) => ({ name, arguments: readArguments(text) }));
  const { prompt_tokens: prompt, completion_tokens: completion, cached_tokens: cached = 0 } = counts;
  return [
    ['text-elsewhere', said?.text ?? '', seen.text],
    ['calls-elsewhere', made, seen.calls],
    ['finish-elsewhere', finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'), seen.finish],
    ['counts-elsewhere', { prompt, completion, cached }, seen.usage],
  ];
}

/** A plain copy, because readers also make objects without a prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
