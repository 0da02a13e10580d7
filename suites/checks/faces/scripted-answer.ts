import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type AnswerScript, replyOf } from '../../generators/answer-script.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { must } from '../../rules/violation.ts';
import type { ProtocolModel } from '../../steps/protocols/protocol-model.ts';
import { readSaid, type Said } from '../../steps/protocols/said.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { errorIn, isErrorReported } from './reported-error.ts';

interface Asked {
  readonly script: AnswerScript;
  readonly stream: boolean;
  readonly rule: { readonly requirement: string; readonly aspect: string };
}

/** Lets an upstream give the scripted answer. Null for a refusal in place of an answer that a filter cut short. */
export async function scriptedAnswer(
  { newScene, http, judge }: CheckParts,
  { protocol, model }: ProtocolModel,
  { script, stream, rule }: Asked,
): Promise<{ readonly said: Said | null; readonly exchange: Exchange }> {
  const scene = newScene();
  await scene.script(replyOf(script));
  const body = protocol.body(scene, { model, tools: threeTools, maxTokens: 30_000 });
  const label = `${protocol.name}, ${model}${stream ? ', stream' : ''}`;
  const exchange = await protocol.send(http, model, body, { label, stream });
  if (script.finish === 'content_filter' && isErrorReported(exchange)) {
    const error = errorIn(judge, protocol, model, exchange);
    const expected = 'content_filter for an answer that a filter cut short';
    const actual = error?.code ?? '';
    must(error === null || error.code === 'content_filter', { ...rule, expected, actual, exchange });
    return { said: null, exchange };
  }
  return { said: readSaid(judge, protocol, exchange, { ...rule, model, stream }), exchange };
}
