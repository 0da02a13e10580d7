import type { ErrorCode } from '../../suites/oracle/error-table.ts';
import { type Body, objectIn, objectsIn } from '../../suites/rewrite/json.ts';
import { editAnswer, editChunks, editRequest, type Mutation } from '../../suites/rewrite/mutation.ts';
import { refusal } from '../../suites/rewrite/refusal-edits.ts';

/** Changes to chat requests and answers. Most defects of the core path use these. */

/** Changes requests: before the gateway to make an invalid one legal, or before an upstream to alter it. */
export function inRequests(edit: (body: Body) => void): Mutation {
  return { request: editRequest(edit) };
}

/** Refuses requests that the reference accepts. */
export function refuses(
  when: (body: Body) => boolean,
  code: ErrorCode = 'invalid_param',
  param: string | null = null,
): Mutation {
  return {
    request: (request) => {
      const body = objectIn(request.body);
      return body !== null && when(body) ? refusal(code, param) : request;
    },
  };
}

/** Refuses a request, but only after the upstream was called. */
export function refusesTooLate(
  when: (body: Body) => boolean,
  repair: (body: Body) => void,
  code: 'model_not_found' | 'unsupported_capability',
): Mutation {
  return {
    request: (request) => {
      const body = objectIn(request.body);
      if (body === null || !when(body)) return request;
      repair(body);
      return {
        ...request,
        headers: [...request.headers, ['x-too-late', 'yes']],
        body: Buffer.from(JSON.stringify(body)),
      };
    },
    answer: (answer, request) =>
      request.headers.some(([name]) => name === 'x-too-late') ? refusal(code) : answer,
  };
}

/** Replaces the complete upstream answers that `when` selects by failures. */
export function failingUpstream(
  when: (completion: Body) => boolean,
  status = 500,
  error: Body = {},
): Mutation {
  return {
    answer: (answer) => {
      const body = objectIn(answer.body);
      return body !== null && when(body)
        ? { ...answer, status, body: Buffer.from(JSON.stringify({ error })) }
        : answer;
    },
  };
}

/** Changes complete answers, given the request. Errors and streams pass unchanged. */
export function inPlain(edit: (completion: Body, request: Body) => void): Mutation {
  return {
    answer: editAnswer((body, _, request) => {
      if (Array.isArray(body.choices)) edit(body, objectIn(request.body) ?? {});
    }),
  };
}

/** Changes the chunks of streams. The result of `edit` replaces the chunk; undefined leaves it unchanged. */
export function inChunks(edit: (chunk: Body, index: number) => Body[] | undefined): Mutation {
  return {
    events: editChunks((chunk, index) =>
      Array.isArray(chunk.choices) ? (edit(chunk, index) ?? [chunk]) : [chunk],
    ),
  };
}

/** Makes the same change to complete answers and to each chunk. */
export function inBoth(edit: (part: Body) => void): Mutation {
  return {
    ...inPlain((completion) => edit(completion)),
    ...inChunks((chunk) => {
      edit(chunk);
      return undefined;
    }),
  };
}

/**
 * Changes the events of a stream as text: `data: …` without the blank line. Null marks the end of the stream.
 */
export function inEvents(edit: (event: string) => readonly string[]): Mutation {
  return { events: () => (event) => (event === null ? [] : edit(event)) };
}

/** Whether an event of a stream reports a failure. */
export function isErrorEvent(event: string): boolean {
  return event.startsWith('data: {"error"');
}

/** Changes the text of a whole completion. */
export function retext(change: (text: string) => string): Mutation {
  return inPlain((completion) => {
    const message = messageOf(completion);
    if (typeof message.content === 'string') message.content = change(message.content);
  });
}

/** Wraps a JSON document in a code fence. */
export function fenceJson(answer: Body): void {
  const message = messageOf(answer);
  if (String(message.content).startsWith('{'))
    message.content = `\`\`\`json\n${String(message.content)}\n\`\`\``;
}

/** Sets counts of the usage, if there is one, and recomputes the total. */
export function recount(part: Body, counts: (usage: Record<string, number>) => Record<string, number>): void {
  const usage = usageOf(part);
  if (usage === null) return;
  Object.assign(usage, counts(usage));
  usage.total_tokens = (usage.prompt_tokens ?? 0) + (usage.completion_tokens ?? 0);
}

/** The messages of a request, without entries that are not objects. */
export function messagesIn(body: Body): Body[] {
  return objectsIn(body.messages);
}

/** The tool calls of one turn of a request. */
export function callsOfTurn(message: Body): Body[] {
  return objectsIn(message.tool_calls);
}

/** The content blocks of all messages of a request. */
export function blocksIn(body: Body): Body[] {
  return messagesIn(body).flatMap((message) => objectsIn(message.content));
}

/** The functions that the tools of a request describe. */
export function functionsIn(body: Body): Body[] {
  return objectsIn(body.tools).flatMap((tool) => objectsIn([tool.function]));
}

/** All text of a request, in one string. */
export function textIn(body: Body): string {
  return JSON.stringify(body.messages ?? '');
}

/** The first choice of a completion or a chunk, or an empty object. */
export function choiceOf(part: Body): Body {
  return objectsIn(part.choices)[0] ?? {};
}

/** A tool call in the form of an answer. */
interface WireCall {
  id: string;
  function: { name: string; arguments: string };
}

interface WireMessage extends Body {
  content?: unknown;
  tool_calls?: WireCall[];
}

export function messageOf(completion: Body): WireMessage {
  return objectAt(choiceOf(completion).message);
}

/** The tool calls of an answer. */
export function callsIn(answer: Body): WireCall[] {
  return messageOf(answer).tool_calls ?? [];
}

export function deltaOf(chunk: Body): Body {
  return objectAt(choiceOf(chunk).delta);
}

/** The usage of a completion or chunk, or null. */
export function usageOf(part: Body): Record<string, number> | null {
  return part.usage === null || part.usage === undefined ? null : (part.usage as Record<string, number>);
}

function objectAt(value: unknown): Body {
  return value !== null && typeof value === 'object' ? (value as Body) : {};
}
