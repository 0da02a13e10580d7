import { isObject, type JsonObject } from '../../http/parse-json.ts';
import { argumentsObject } from '../../requests/native-body/arguments-object.ts';
import { legalBlock } from '../../upstreams/messages/native-block.ts';
import type { Completion, ToolCall } from '../../upstreams/outcome.ts';
import type { AnswerHead } from '../protocol-adapter.ts';
import { stopOf } from './stop-reason.ts';
import { messageUsage } from './usage.ts';

/** The body of a non-streamed answer: the upstream's own blocks and counts if it uses the protocol. */
export function messageShape({ id, model }: AnswerHead, completion: Completion): object {
  const { native, usage } = completion;
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: native === undefined ? ownBlocks(completion) : nativeBlocks(native, completion.toolCalls),
    ...stopOf(completion),
    usage: messageUsage(usage, native?.usage),
  };
}

function ownBlocks({ text, toolCalls }: Completion): object[] {
  const said = text === null || text === '' ? [] : [{ type: 'text', text }];
  return [...said, ...toolCalls.map((call) => callBlock(call))];
}

/** The upstream's blocks unchanged, except that a call gets our id and an input that is an object. */
function nativeBlocks({ content }: JsonObject, toolCalls: readonly ToolCall[]): object[] {
  const calls = toolCalls.values();
  return (Array.isArray(content) ? content : []).flatMap((block: unknown) => {
    const legal = isObject(block) ? legalBlock(block) : null;
    if (legal === null) return [];
    if (legal.type !== 'tool_use') return [legal];
    const { value: call } = calls.next();
    return call === undefined ? [] : [callBlock(call, legal)];
  });
}

function callBlock({ id, name, arguments: text }: ToolCall, native: JsonObject = {}): object {
  return { ...native, type: 'tool_use', id, name, input: argumentsObject(text) };
}
