import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { ToolCall } from '../../oracle/completion.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** One turn of the model, streamed or not. */
export interface ModelTurn {
  readonly content: string | null;
  readonly calls: readonly ToolCall[];
  readonly finishReason: string;
  readonly exchange: Exchange;
  /** The register's requirement for this form of delivery. */
  readonly streamed: boolean;
}

/** Sends the same request non-streamed and streamed, and judges each whole answer. */
export async function bothAnswers(
  { http, judge }: CheckParts,
  body: JsonObject,
  requirement: string,
  aspect: string,
): Promise<[ModelTurn, ModelTurn]> {
  const expected = { requirement, aspect, model: String(body.model) };
  const plain = await http.chat(body, { label: 'plain' });
  const whole = judge.completed(plain, expected);
  const stream = await http.chat({ ...body, stream: true }, { label: 'streamed' });
  const answer = judge.streamed(stream, expected);
  return [
    {
      content: whole.content,
      calls: whole.toolCalls,
      finishReason: whole.finishReason,
      exchange: plain,
      streamed: false,
    },
    {
      content: answer.content,
      calls: answer.toolCalls,
      finishReason: answer.finishReason,
      exchange: stream,
      streamed: true,
    },
  ];
}
