import type { JsonObject, Kit } from '../../engine/kit.ts';
import type { ToolCall } from '../../oracle/completion.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** One turn of the model, however it was delivered. */
export interface ModelTurn {
  readonly content: string | null;
  readonly calls: readonly ToolCall[];
  readonly finishReason: string;
  readonly exchange: Exchange;
  /** Row of the register that stands for this form of delivery. */
  readonly streamed: boolean;
}

/** The same request plain and streamed, each judged whole. */
export async function bothAnswers(
  kit: Kit,
  body: JsonObject,
  requirement: string,
  aspect: string,
): Promise<[ModelTurn, ModelTurn]> {
  const expected = { requirement, aspect, model: String(body.model) };
  const plain = await kit.chat(body, { label: 'plain' });
  const whole = kit.completed(plain, expected);
  const stream = await kit.chat({ ...body, stream: true }, { label: 'streamed' });
  const parts = kit.streamed(stream, expected);
  return [
    {
      content: whole.content,
      calls: whole.toolCalls,
      finishReason: whole.finishReason,
      exchange: plain,
      streamed: false,
    },
    {
      content: parts.content,
      calls: parts.toolCalls,
      finishReason: parts.finishReason,
      exchange: stream,
      streamed: true,
    },
  ];
}
