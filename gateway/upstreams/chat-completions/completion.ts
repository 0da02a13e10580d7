import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { broken, isFirst } from '../json-frames.ts';
import type { Completion, UpstreamFailure } from '../outcome.ts';
import { wholeAnswer } from '../whole-answer.ts';
import { ChunkReader } from './stream.ts';
import { messageAsDelta, unwrapped } from './whole-message.ts';

/** Converts the body of a native 200 to a completion, or reports why it is not one. It is read like a stream of one chunk. */
export function readCompletion(body: unknown, newCallId: () => string): Completion | UpstreamFailure {
  const reader = new ChunkReader(newCallId);
  return wholeAnswer(reader, (pieces) =>
    isObject(body) ? reader.takeChunk(asChunk(unwrapped(body)), pieces) : broken('no JSON object'),
  );
}

function asChunk(body: JsonObject): JsonObject {
  const choices: readonly unknown[] = Array.isArray(body.choices) ? body.choices : [];
  const choice = choices.find((one) => isObject(one) && isFirst(one.index)) ?? choices[0];
  if (!isObject(choice) || !isObject(choice.message)) return body;
  return { ...body, choices: [{ ...choice, index: 0, delta: messageAsDelta(choice.message) }] };
}
