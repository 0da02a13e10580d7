import { isObject, type JsonObject, parseExact } from '../../http/parse-json.ts';
import { callId } from '../call-id.ts';
import { type Completion, failure, type ToolCall, type UpstreamFailure } from '../outcome.ts';
import { parseJson } from '../read-answer.ts';
import { argumentsText } from './arguments-text.ts';
import { classifyError } from './classify.ts';
import { callEnding, finishReason, unknownEnding } from './finish-reason.ts';
import { readUsage } from './read-usage.ts';
import type { Reading } from './reading.ts';

/**
 * Converts the body of a native 200 to a completion, or reports why it is not one. Unknown kinds of blocks, and
 * thinking, are not part of the answer; `keepNative` keeps them in the body beside it. `textTool` names the tool
 * whose input is the text. Counts are read as ordinary numbers. The blocks are parsed again with all digits, which
 * the arguments of calls must keep.
 */
export function readCompletion(
  body: string,
  { textTool, newCallId, keepNative }: Reading,
): Completion | UpstreamFailure {
  const message = parseJson(body);
  if (!isObject(message)) return unusable('no JSON object');
  if (message.type === 'error' || isObject(message.error)) return classifyError(message, 200, {});
  const exact = parseExact(body.replace(/^\uFEFF/, ''));
  const blocks = blocksOf(exact);
  if (blocks === null) return unusable('no content blocks');
  const usage = readUsage(message.usage);
  if (usage === undefined) return unusable('no sensible usage');
  if (typeof message.stop_reason !== 'string' || message.stop_reason === '')
    return unusable('no stop_reason');
  const texts = blocks.filter((block) => block.type === 'text').map((block) => block.text);
  if (!texts.every((text) => typeof text === 'string')) return unusable('text that is no text');
  const uses = blocks.filter((block) => block.type === 'tool_use');
  const document = textTool === null ? undefined : uses.find((use) => use.name === textTool);
  const ids = new Set<string>();
  const toolCalls = uses
    .filter((use) => textTool === null || use.name !== textTool)
    .map((use) => toolCall(use, ids, newCallId));
  if (!toolCalls.every((call) => call !== null)) return unusable('no valid tool calls');
  const finish = finishReason(message.stop_reason, toolCalls.length > 0);
  const text = document === undefined ? texts.join('') : argumentsText(document.input);
  if (text === '' && toolCalls.length === 0 && finish === 'content_filter') {
    return failure('policy', 'the whole answer was blocked');
  }
  if (text === '' && uses.length === 0 && message.stop_reason === callEnding) {
    return unusable('an end in calls without any');
  }
  const isSilent = text === '' && toolCalls.length > 0;
  const native = keepNative && isObject(exact) ? { native: exact } : {};
  const ending = unknownEnding(message.stop_reason);
  return { kind: 'completion', text: isSilent ? null : text, toolCalls, finish, usage, ...native, ...ending };
}

function blocksOf(message: unknown): readonly JsonObject[] | null {
  if (!isObject(message) || !Array.isArray(message.content)) return null;
  const blocks: readonly unknown[] = message.content;
  return blocks.every(isObject) ? blocks : null;
}

function toolCall(
  { id, name, input }: JsonObject,
  ids: Set<string>,
  newCallId: () => string,
): ToolCall | null {
  if (typeof name !== 'string' || name === '') return null;
  return { id: callId(id, ids, newCallId), name, arguments: argumentsText(input) };
}

function unusable(what: string): UpstreamFailure {
  return failure('unusable', `answered 200 with ${what}`, { status: 200 });
}
