import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { callId } from '../call-id.ts';
import { type Completion, failure, type ToolCall, type UpstreamFailure } from '../outcome.ts';
import { classifyError, errorIn } from './classify.ts';
import { contentIn } from './content.ts';
import { finishReason, isCallEnding, unknownEnding } from './finish-reason.ts';
import { readUsage, usageIn } from './read-usage.ts';

/** Converts the body of a native 200 to a completion, or reports why it is not one. */
export function readCompletion(body: unknown, newCallId: () => string): Completion | UpstreamFailure {
  if (!isObject(body)) return unusable('no JSON object');
  if (errorIn(body) !== null) return classifyError(body, 200, {});
  const choice: unknown = Array.isArray(body.choices) ? body.choices[0] : undefined;
  if (!isObject(choice) || !isObject(choice.message)) return unusable('no choice with a message');
  const usage = readUsage(usageIn(body));
  if (usage === undefined) return unusable('no sensible usage');
  const toolCalls = readToolCalls(choice.message.tool_calls, newCallId);
  if (toolCalls === null) return unusable('no valid tool calls');
  if (typeof choice.finish_reason !== 'string' || choice.finish_reason === '')
    return unusable('no finish_reason');
  const finish = finishReason(choice.finish_reason, toolCalls.length > 0);
  if (finish === null) return failure('server', 'gave up in the middle');
  const ending = unknownEnding(choice.finish_reason);
  const content = contentIn(choice.message);
  if (content === undefined) return unusable('content is no text');
  if (!content && toolCalls.length === 0) {
    const blocked = finish === 'content_filter' || typeof choice.message.refusal === 'string';
    if (blocked) return failure('policy', 'the whole answer was blocked');
    // Without any text, only an exhausted token budget explains the missing content.
    const lacksCalls = isCallEnding(choice.finish_reason);
    if (lacksCalls || (content === null && finish !== 'length')) return unusable('no content');
    return { kind: 'completion', text: '', toolCalls, finish, usage, ...ending };
  }
  return { kind: 'completion', text: content, toolCalls, finish, usage, ...ending };
}

function readToolCalls(native: unknown, newCallId: () => string): readonly ToolCall[] | null {
  if (native === undefined || native === null) return [];
  if (!Array.isArray(native)) return null;
  const ids = new Set<string>();
  const calls = native.map((call: unknown) => (isObject(call) ? readToolCall(call, ids, newCallId) : null));
  return calls.every((call) => call !== null) ? calls : null;
}

function readToolCall(call: JsonObject, ids: Set<string>, newCallId: () => string): ToolCall | null {
  if (!isObject(call.function)) return null;
  const { name, arguments: text = '' } = call.function;
  if (typeof name !== 'string' || name === '' || typeof text !== 'string') return null;
  return { id: callId(call.id, ids, newCallId), name, arguments: text };
}

function unusable(what: string): UpstreamFailure {
  return failure('unusable', `answered 200 with ${what}`, { status: 200 });
}
