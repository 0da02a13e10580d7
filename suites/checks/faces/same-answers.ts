import { isDeepStrictEqual } from 'node:util';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type AnswerScript, answerExamples, answerScripts, replyOf } from '../../generators/answer-script.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import { compatA, compatB, coreFace, type Face } from '../../steps/faces/face.ts';
import { type Facing, facingOf, formsOn } from '../../steps/faces/facing.ts';
import { readSaid, type Said } from '../../steps/faces/said.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { errorIn, isTold } from './told-error.ts';

/** One check for each compat path: what an upstream says means the same there as on the core path. */
export const sameAnswerChecks: readonly Check[] = [
  { face: compatA, requirement: 'COMPA-019', fact: 'compat.a' as const },
  { face: compatB, requirement: 'COMPB-010', fact: 'compat.b' as const },
].map(({ face, requirement, fact }) =>
  defineCheck({
    id: `faces.same.answer-${face.name}`,
    title: `${face.name} and the core path give the same text, tool calls, usage and finish reason`,
    requirements: [requirement],
    kind: 'metamorphic',
    needs: ['upstream.control', fact],
    run: async (parts) => {
      const facing = facingOf(parts.target, face);
      const forms = await formsOn(parts, facing);
      await parts.cases.forAll(
        answerScripts(dialectOf(facing.model)),
        async (script) => {
          for (const stream of forms) await judgeSame(parts, facing, { script, stream, requirement });
        },
        { quick: 12, examples: answerExamples },
      );
    },
  }),
);

interface Case {
  readonly script: AnswerScript;
  readonly stream: boolean;
  readonly requirement: string;
}

async function judgeSame(parts: CheckParts, { face, model }: Facing, one: Case): Promise<void> {
  const core = await answerOn(parts, coreFace, model, one);
  const compat = await answerOn(parts, face, model, one);
  const [ours, theirs] = [core.said, compat.said];
  // A filter that cut an answer short may also be told as a refusal: that means the same.
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

/** What was said; null where the answer is, in place of one that a filter cut short, a refusal for that reason. */
async function answerOn(
  { newScene, http, judge }: CheckParts,
  face: Face,
  model: string,
  { script, stream, requirement }: Case,
): Promise<{ said: Said | null; exchange: Exchange }> {
  const scene = newScene();
  await scene.script(replyOf(script));
  const body = face.body(scene, { model, tools: threeTools, maxTokens: 30_000 });
  const label = `${face.name}${stream ? ', stream' : ''}`;
  const exchange = await face.send(http, model, body, { label, stream });
  const rule = { requirement, aspect: 'answered' };
  if (script.finish === 'content_filter' && isTold(exchange)) {
    const error = errorIn(judge, face, model, exchange);
    must(error === null || error.code === 'content_filter', {
      ...rule,
      expected: 'content_filter for what a filter cut short',
      actual: error?.code ?? '',
      exchange,
    });
    return { said: null, exchange };
  }
  const said = readSaid(judge, face, exchange, { ...rule, model, stream });
  return { said, exchange };
}

/** As values that compare by what they hold: readers make objects without a prototype, too. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
