import { objectIn } from '../../mutation/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../mutation/mutation.ts';
import { type ErrorCode, errorTable } from '../../oracle/error-table.ts';
import { isObject, type JsonObject } from './rewrite.ts';

/**
 * A gateway that takes requests which the reference refuses: `repair` turns such a body into one that the reference
 * takes, and says whether it had to. A body that needs no repair passes byte for byte, so no number loses a digit.
 */
export function takes(repair: (body: JsonObject) => boolean): Mutation {
  return {
    request: (request) => {
      const body = chatBody(request);
      return body !== null && repair(body)
        ? { ...request, body: Buffer.from(JSON.stringify(body)) }
        : request;
    },
  };
}

/** How something is refused: the code, and the field that is named, if one is. */
export type Refusal = readonly [code: ErrorCode, param: string | null];

/** A gateway that refuses requests which the reference takes, or refuses them under another code. `text` is the body as it was sent. */
export function refuses(verdict: (body: JsonObject, text: string) => Refusal | null): Mutation {
  return {
    request: (request) => {
      const body = chatBody(request);
      const refused = body === null ? null : verdict(body, request.body.toString('utf8'));
      return refused === null ? request : refusalOf(refused);
    },
  };
}

/** A refusal as the specification has it. */
export function refusalOf([code, param]: Refusal): ProxyAnswer {
  const { status, type } = errorTable[code];
  const error = { type, code, message: 'This is not supported here.', channel: null, param };
  const body = Buffer.from(JSON.stringify({ error }));
  return { status, headers: [['content-type', 'application/json']], body };
}

function chatBody(request: ProxyRequest): JsonObject | null {
  const isChat = request.method === 'POST' && request.path.endsWith('/chat/completions');
  return isChat ? objectIn(request.body) : null;
}

/** The messages of a request, or none when they are no list of objects: then it is the reference that judges them. */
export function messagesOf(body: JsonObject): JsonObject[] {
  const messages: unknown = body.messages;
  return Array.isArray(messages) && messages.every(isObject) ? messages : [];
}

/** Whether a member of a request, which may be of any type, is one of these texts. */
export function isOneOf(value: unknown, texts: readonly string[]): boolean {
  return typeof value === 'string' && texts.includes(value);
}

/** The media blocks of all messages, each with its URL. */
export function mediaIn(body: JsonObject): { block: JsonObject; url: string }[] {
  return messagesOf(body)
    .flatMap((message) => (Array.isArray(message.content) ? (message.content as unknown[]) : []))
    .filter(isObject)
    .flatMap((block) => {
      const url = isObject(block.image_url) ? block.image_url.url : undefined;
      return block.type === 'image_url' && typeof url === 'string' ? [{ block, url }] : [];
    });
}

/** Whether a media URL says of itself that it is no image: by the type of a data URI, else by the extension of its path. */
export function isOtherMedia(url: string): boolean {
  const type = /^data:([^;,]+);base64,/.exec(url)?.[1];
  if (type !== undefined) return !type.toLowerCase().startsWith('image/');
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return /\.(?:pdf|mp4|webm|mov|mpe?g|mp3|wav|ogg|m4a|flac)$/i.test(path);
}
