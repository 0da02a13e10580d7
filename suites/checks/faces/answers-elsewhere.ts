import { isDeepStrictEqual } from 'node:util';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type AnswerScript, answerExamples, answerScripts } from '../../generators/answer-script.ts';
import { readArguments } from '../../oracle/native/json.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { compatThere, formsOn, type ProtocolModel } from '../../steps/protocols/protocol-model.ts';
import { routesServed } from '../../steps/protocols/routes-served.ts';
import type { Said } from '../../steps/protocols/said.ts';
import { plainJson } from '../../values/json.ts';
import { scriptedAnswer } from './scripted-answer.ts';

export const answersOfOtherDialects = defineCheck({
  id: 'faces.answer.other-dialect',
  title: 'a compat path reports what an upstream said, whichever dialect it speaks: text, calls, end, counts',
  requirements: ['COMPA-010', 'COMPB-010'],
  kind: 'property',
  needs: ['upstream.control', 'upstream.routes.trio'],
  run: async (parts) => {
    const ways: (ProtocolModel & { readonly forms: readonly boolean[] })[] = [];
    for (const protocol of compatThere(parts.target))
      for (const { model } of await routesServed(parts, protocol, 'trio'))
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
  parts: CheckParts,
  protocolModel: ProtocolModel,
  script: AnswerScript,
  stream: boolean,
): Promise<void> {
  parts.cases.count();
  const requirement = protocolModel.protocol.name === 'compat-a' ? 'COMPA-010' : 'COMPB-010';
  const rule = { requirement, aspect: 'served-elsewhere' };
  const { said, exchange } = await scriptedAnswer(parts, protocolModel, { script, stream, rule });
  // An answer that a filter cut short may also be reported as a refusal.
  if (said === null) return;
  for (const [aspect, wanted, seen] of differences(script, said))
    must(isDeepStrictEqual(plainJson(seen), plainJson(wanted)), {
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
