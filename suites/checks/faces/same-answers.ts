import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type AnswerScript, answerExamples, answerScripts, replyOf } from '../../generators/answer-script.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { compatA, compatB, coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { formsOn, type ProtocolModel, protocolModelOf } from '../../steps/protocols/protocol-model.ts';
import { readSaid, type Said } from '../../steps/protocols/said.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { errorIn, isErrorReported } from './reported-error.ts';

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
    needs: ['upstream.control', fact],
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
  const core = await answerOn(parts, coreProtocol, model, one);
  const compat = await answerOn(parts, protocol, model, one);
  const [ours, theirs] = [core.said, compat.said];
  // An answer that a filter cut short may also be reported as a refusal.
  if (ours === null || theirs === null) return;
  const same = (aspect: string, part: (said: Said) => unknown): void => {
    const [expected, actual] = [part(ours), part(theirs)];
    must(isDeepStrictEqual(plain(actual), plain(expected)), {
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

/** The meaning of the answer; null for a refusal in place of an answer that a filter cut short. */
async function answerOn(
  { newScene, http, judge }: CheckParts,
  protocol: Protocol,
  model: string,
  { script, stream, requirement }: Case,
): Promise<{ said: Said | null; exchange: Exchange }> {
  const scene = newScene();
  await scene.script(replyOf(script));
  const body = protocol.body(scene, { model, tools: threeTools, maxTokens: 30_000 });
  const label = `${protocol.name}${stream ? ', stream' : ''}`;
  const exchange = await protocol.send(http, model, body, { label, stream });
  const rule = { requirement, aspect: 'answered' };
  if (script.finish === 'content_filter' && isErrorReported(exchange)) {
    const error = errorIn(judge, protocol, model, exchange);
    const expected = 'content_filter for an answer that a filter cut short';
    const actual = error?.code ?? '';
    must(error === null || error.code === 'content_filter', { ...rule, expected, actual, exchange });
    return { said: null, exchange };
  }
  const said = readSaid(judge, protocol, exchange, { ...rule, model, stream });
  return { said, exchange };
}

/** A plain copy, because readers also make objects without a prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
