import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type AnswerScript, answerExamples, answerScripts } from '../../generators/answer-script.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { must } from '../../rules/violation.ts';
import { compatA, compatB, coreProtocol } from '../../steps/protocols/protocol.ts';
import { formsOn, type ProtocolModel, protocolModelOf } from '../../steps/protocols/protocol-model.ts';
import type { Said } from '../../steps/protocols/said.ts';
import { plainJson } from '../../values/json.ts';
import { scriptedAnswer } from './scripted-answer.ts';

interface Case {
  readonly script: AnswerScript;
  readonly stream: boolean;
  readonly requirement: string;
}

/** One check for each compat path: an upstream answer means the same there as on the core path. */
export const sameAnswerChecks: readonly Check[] = [
  { protocol: compatA, requirement: 'COMPA-019', fact: 'compat.a' as const },
  { protocol: compatB, requirement: 'COMPB-010', fact: 'compat.b' as const },
].map(({ protocol, requirement, fact }) =>
  defineCheck({
    id: `faces.same.answer-${protocol.name}`,
    title: `${protocol.name} and the core path give the same text, tool calls, usage and finish reason`,
    requirements: [requirement],
    kind: 'metamorphic',
    needs: ['upstream.control', fact, 'chat'],
    run: async (parts) => {
      const protocolModel = protocolModelOf(parts.target, protocol);
      const forms = await formsOn(parts, protocolModel);
      await parts.cases.forAll(
        answerScripts(dialectOf(protocolModel.model)),
        async (script) => {
          for (const stream of forms) await judgeSame(parts, protocolModel, { script, stream, requirement });
        },
        { quick: 12, examples: answerExamples },
      );
    },
  }),
);

async function judgeSame(parts: CheckParts, { protocol, model }: ProtocolModel, one: Case): Promise<void> {
  const asked = { ...one, rule: { requirement: one.requirement, aspect: 'answered' } };
  const core = await scriptedAnswer(parts, { protocol: coreProtocol, model }, asked);
  const compat = await scriptedAnswer(parts, { protocol, model }, asked);
  const [ours, theirs] = [core.said, compat.said];
  // An answer that a filter cut short may also be reported as a refusal.
  if (ours === null || theirs === null) return;
  const same = (aspect: string, part: (said: Said) => unknown): void => {
    const [expected, actual] = [part(ours), part(theirs)];
    must(isDeepStrictEqual(plainJson(actual), plainJson(expected)), {
      requirement: one.requirement,
      aspect,
      expected: `as on the core path: ${JSON.stringify(expected)}`,
      actual: JSON.stringify(actual),
      exchange: compat.exchange,
      twin: core.exchange,
    });
  };
  same('same-text', ({ text }) => text);
  same('same-calls', ({ calls }) => calls);
  same('same-finish', ({ finish }) => finish);
  same('same-counts', ({ usage }) => usage);
}
