import { chatModel } from '../../suites/oracle/chat-catalogue.ts';
import { dialectOfPath, isCountingCall } from '../../suites/oracle/native/dialects.ts';
import type { Dialect } from '../../suites/profile/dialects.ts';
import { type Body, exactBody, objectIn, objectsIn } from '../../suites/rewrite/json.ts';
import { editAnswer, type Mutation, type ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { inRequests, messagesIn } from './chat-edits.ts';

/** Changes between the gateway and its upstreams, in the dialect of each upstream. */

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

/** Changes the answers of the upstreams of one dialect: whole answers and each event of a stream. */
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

/** Changes only the events of streams of one dialect. The result of `edit` replaces the event. */
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

/** Changes the usage in every place where one dialect reports it. */
export function counting(dialect: Dialect, edit: (usage: Body) => void): Mutation {
  return fromUpstream(dialect, (part) => {
    const usage = usageIn(part);
    if (usage !== undefined) edit(usage);
  });
}

/** The usage of an answer or an event, at the place where its dialect reports it. */
export function usageIn(part: Body): Body | undefined {
  const usage = part.usage ?? (part.message as Body | undefined)?.usage ?? part.usageMetadata;
  return usage === null ? undefined : (usage as Body | undefined);
}

export function countOf(usage: Body, name: string): number {
  return Number(usage[name] ?? 0);
}

/** The `generationConfig` of a generate-content request. */
export function configIn(body: Body): Body {
  return (body.generationConfig ?? {}) as Body;
}

/** The blocks of one type in all turns of a messages request. */
export function nativeBlocks(body: Body, type: string): Body[] {
  return objectsIn(body.messages)
    .flatMap((message) => objectsIn(message.content))
    .filter((block) => block.type === type);
}

/**
 * The parts that have a member, in all contents of a generate-content request or all candidates of an answer.
 */
export function nativeParts(body: Body, member: string): Body[] {
  const contents = [
    ...objectsIn(body.contents),
    ...objectsIn(body.candidates).flatMap((candidate) => objectsIn([candidate.content])),
  ];
  return contents.flatMap((content) => objectsIn(content.parts)).filter((part) => member in part);
}

/** Changes the parts of every candidate. */
export function candidateParts(edit: (parts: readonly Body[]) => readonly Body[]): (part: Body) => void {
  return (response) => {
    for (const candidate of objectsIn(response.candidates)) {
      const content = candidate.content as Body | undefined;
      if (Array.isArray(content?.parts)) content.parts = edit(objectsIn(content.parts));
    }
  };
}

/** The successful end of a messages stream. */
export const endOfMessage: readonly Body[] = [
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 9 },
  },
  { type: 'message_stop' },
];

/** The successful end of a generate-content answer. */
export const endOfCandidate: Body = {
  candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
};

/** Calls `edit` with each object that carries a cache hint, in the order of the body. */
export function hintedAtUpstream(edit: (block: Body, index: number) => void): Mutation {
  return inRequests((body) => {
    for (const [index, block] of hintedIn(body).entries()) edit(block, index);
  });
}

/** The objects of a request that carry a cache hint, in the order of the body. */
export function hintedIn(body: Body): Body[] {
  const found: Body[] = [];
  walk(body, (object) => {
    if ('cache_control' in object) found.push(object);
  });
  return found;
}

/** The hint of a block. */
export function hintOf(block: Body): Body {
  return (block.cache_control ?? {}) as Body;
}

/** Whether the model of a request accepts cache hints. */
export const honoursHints = (body: Body): boolean => chatModel(String(body.model))?.cache === true;

export const isHinted = (body: Body): boolean => hintedIn(body).length > 0;

export const dropHint = (block: Body): void => {
  delete block.cache_control;
};

/** Adds hints to turns, for upstreams that do not know them. */
export const hintsTurns = toDialect(/\/chat\/completions$/, (body) => {
  for (const message of messagesIn(body)) message.cache_control = { type: 'ephemeral' };
});

/** Changes the request bodies to the paths of one dialect. */
export function toDialect(path: RegExp, edit: (body: Body) => void): Mutation {
  const { request: change } = inRequests(edit);
  return { request: (request) => (path.test(request.path) && change ? change(request) : request) };
}

/** A medium of a native request: base64 bytes or a URL. */
export interface NativeMedium {
  mime: string;
  base64: string;
  url: string;
}

/** Changes each medium in place, before the upstream sees it. */
export function mediaAtUpstream(edit: (medium: NativeMedium) => void): Mutation {
  return inRequests((body) => walk(body, (object) => editMedium(object, edit)));
}

function editMedium(object: Body, edit: (medium: NativeMedium) => void): void {
  const [mimeName, dataName, urlName] = membersOf(object);
  if (urlName === 'url' && String(object.url).startsWith('data:')) {
    const [, mime = '', base64 = ''] = /^data:([^;]*);base64,(.*)$/s.exec(String(object.url)) ?? [];
    const medium = { mime, base64, url: '' };
    edit(medium);
    object.url = medium.url || `data:${medium.mime};base64,${medium.base64}`;
    return;
  }
  const medium: NativeMedium = {
    mime: String(object[mimeName] ?? ''),
    base64: String(object[dataName] ?? ''),
    url: String(object[urlName] ?? ''),
  };
  if (medium.base64 === '' && medium.url === '') return;
  edit(medium);
  if (mimeName in object) object[mimeName] = medium.mime;
  if (dataName in object) object[dataName] = medium.base64;
  if (urlName in object) object[urlName] = medium.url;
}

/** The names that a dialect has for media type, bytes and URL. */
function membersOf(object: Body): readonly [mime: string, data: string, url: string] {
  if ('mimeType' in object) return ['mimeType', 'data', 'fileUri'];
  return ['media_type', 'data', 'url'];
}

function walk(value: unknown, visit: (object: Body) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
  } else if (value !== null && typeof value === 'object') {
    visit(value as Body);
    for (const member of Object.values(value)) walk(member, visit);
  }
}
