import { dialectOfPath, isCountingCall } from '../oracle/native/dialects.ts';
import type { Dialect } from '../profile/dialects.ts';
import { type Body, objectsIn } from './defects.ts';
import { exactBody } from './exact-object.ts';
import { editAnswer, type Mutation, objectIn, type ProxyRequest } from './mutation.ts';

/** Defects in how a gateway translates to one dialect and back, as changes between it and its upstream. */

/** Changes chat requests on their way to the upstreams of one dialect. */
export function toUpstream(dialect: Dialect, edit: (body: Body) => void): Mutation {
  return {
    request: (request) => {
      if (!isChat(dialect, request) || objectIn(request.body) === null) return request;
      const body = exactBody(request.body.toString('utf8'));
      edit(body);
      return { ...request, body: Buffer.from(JSON.stringify(body)) };
    },
  };
}

/** Changes what the upstreams of one dialect answer: whole answers, and each event of a stream. */
export function fromUpstream(dialect: Dialect, edit: (part: Body) => void): Mutation {
  return {
    answer: (answer, request) =>
      isChat(dialect, request) ? editAnswer((body) => edit(body))(answer, request) : answer,
    ...eventsOf(dialect, (part) => {
      edit(part);
      return [part];
    }),
  };
}

/** Changes the events of one dialect's streams alone: what `edit` returns takes the place of the event. */
export function eventsOf(dialect: Dialect, edit: (part: Body) => readonly Body[]): Mutation {
  return {
    events: (request) => (event) => {
      if (event === null) return [];
      const [, head = '', data = ''] = /^((?:.*\n)*?)data: (.*)$/s.exec(event) ?? [];
      const part = objectIn(Buffer.from(data));
      if (part === null || !isChat(dialect, request)) return [event];
      return edit(part).map((changed) => {
        const name = head === '' ? '' : `event: ${String(changed.type)}\n`;
        return `${name}data: ${JSON.stringify(changed)}`;
      });
    },
  };
}

function isChat(dialect: Dialect, { path }: ProxyRequest): boolean {
  return dialectOfPath(path) === dialect && !isCountingCall(path);
}

/** The `generationConfig` of a generate-content request. */
export function configIn(body: Body): Body {
  return (body.generationConfig ?? {}) as Body;
}

/** The blocks of all turns of a messages request that are of a type. */
export function nativeBlocks(body: Body, type: string): Body[] {
  return objectsIn(body.messages)
    .flatMap((message) => objectsIn(message.content))
    .filter((block) => block.type === type);
}

/** The parts of all contents of a generate-content request, or of the candidates of an answer, that have a member. */
export function nativeParts(body: Body, member: string): Body[] {
  const contents = [
    ...objectsIn(body.contents),
    ...objectsIn(body.candidates).flatMap((candidate) => objectsIn([candidate.content])),
  ];
  return contents.flatMap((content) => objectsIn(content.parts)).filter((part) => member in part);
}

/** Gateways that misunderstand how an answer of the messages or the generate-content dialect ends. */

export const endOfMessage: readonly Body[] = [
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: 'message_stop' },
];

export const endOfCandidate: Body = {
  candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
};

/** Changes the parts of every candidate. */
export function candidateParts(edit: (parts: readonly Body[]) => readonly Body[]): (part: Body) => void {
  return (response) => {
    for (const candidate of objectsIn(response.candidates)) {
      const content = candidate.content as Body | undefined;
      if (Array.isArray(content?.parts)) content.parts = edit(objectsIn(content.parts));
    }
  };
}
