import { invalidParam } from '../errors/gateway-error.ts';
import type { Message } from './message-schema.ts';

/** Tool calls of the latest assistant turn that have no result yet. */
interface OpenCalls {
  readonly at: number;
  readonly known: ReadonlySet<string>;
  readonly unanswered: Set<string>;
}

/**
 * Rules between messages: one system message at the start (B-22); every tool call answered and every result for a
 * call (B-24).
 */
export function checkConversation(messages: readonly Message[]): void {
  let calls: OpenCalls | null = null;
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!calls?.known.has(message.tool_call_id)) {
        throw invalidParam(
          `messages[${i}].tool_call_id`,
          'tool_call_id must be the id of a call in the turn before.',
        );
      }
      calls.unanswered.delete(message.tool_call_id);
      continue;
    }
    refuseUnanswered(calls);
    calls = null;
    if (message.role === 'system' && i > 0) {
      throw invalidParam(`messages[${i}].role`, 'There may be one system message, at the start.');
    }
    if (message.role === 'assistant') calls = openCalls(message, i);
  }
  refuseUnanswered(calls);
}

function openCalls(message: Extract<Message, { role: 'assistant' }>, at: number): OpenCalls | null {
  const ids = (message.tool_calls ?? []).map((call) => call.id);
  if (ids.length > 0) return { at, known: new Set(ids), unanswered: new Set(ids) };
  if (typeof message.content === 'string') return null;
  throw invalidParam(`messages[${at}].content`, 'content may be null only next to tool_calls.');
}

function refuseUnanswered(calls: OpenCalls | null): void {
  if (calls === null || calls.unanswered.size === 0) return;
  throw invalidParam(
    `messages[${calls.at}].tool_calls`,
    'Every tool call must be answered by a tool message.',
  );
}
