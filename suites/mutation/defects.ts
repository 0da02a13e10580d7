import { type ErrorCode, errorTable } from '../oracle/error-table.ts';
import type { Mutant } from './mutant.ts';
import { editAnswer, editRequest, type Mutation, objectIn, type ProxyAnswer } from './mutation.ts';

/** Ways to be wrong, as mutations: what most defects of a gateway's own logic come down to. */

export type Body = Record<string, unknown>;

/** What a mutant declares beside its mutation: id, the defect as a sentence, and the rule and aspect that it breaks. */
export type Claim = readonly [id: string, title: string, requirement: string, aspect: string];

/** A defect that sits in front of the reference gateway. */
export function front([id, title, requirement, aspect]: Claim, mutation: Mutation): Mutant {
  return { id, title, requirement, aspect, kind: 'front', mutation };
}

/** A defect that sits between the gateway and its upstream. */
export function upstream([id, title, requirement, aspect]: Claim, mutation: Mutation): Mutant {
  return { id, title, requirement, aspect, kind: 'upstream', mutation };
}

/** Takes a faulty request for a legal one: `repair` makes it one. */
export function repairs(repair: (body: Body) => void): Mutation {
  return { request: editRequest(repair) };
}

/** Does the same to the request before the upstream sees it. */
export const forwards = repairs;

/** Refuses requests, legal ones included. */
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

/** Changes the answers to chat requests, plain ones only. */
export function answers(edit: (answer: Body, request: Body) => void): Mutation {
  return {
    answer: editAnswer((body, answer, request) => {
      if (answer.status === 200 && request.method === 'POST') edit(body, objectIn(request.body) ?? {});
    }),
  };
}

/** A refusal as the specification has it. */
export function refusal(code: ErrorCode, param: string | null = null): ProxyAnswer {
  const { status, type } = errorTable[code];
  const error = { type, code, message: 'Refused.', channel: null, param };
  return {
    status,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify({ error })),
  };
}

interface WireMessage {
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

/** The first choice of an answer. */
export function choiceIn(answer: Body): { message: WireMessage; finish_reason?: unknown } {
  const [choice] = (answer.choices ?? []) as { message?: WireMessage; finish_reason?: unknown }[];
  return Object.assign(choice ?? {}, { message: choice?.message ?? {} });
}

/** The tool calls of an answer. */
export function callsIn(answer: Body): { id: string; function: { name: string; arguments: string } }[] {
  return choiceIn(answer).message.tool_calls ?? [];
}

/** The messages of a request that are objects. */
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

export function objectsIn(value: unknown): Body[] {
  const items: unknown[] = Array.isArray(value) ? value : [];
  return items.filter(
    (item): item is Body => item !== null && typeof item === 'object' && !Array.isArray(item),
  );
}

/** All text of a request, in one string. */
export function textIn(body: Body): string {
  return JSON.stringify(body.messages ?? '');
}

/** A request that is refused, but only after the upstream was asked. */
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

/** Puts a JSON document into a code fence. */
export function fenceJson(answer: Body): void {
  const { message } = choiceIn(answer);
  if (String(message.content).startsWith('{'))
    message.content = `\`\`\`json\n${String(message.content)}\n\`\`\``;
}
