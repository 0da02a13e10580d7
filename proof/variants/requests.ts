import { type ErrorCode, errorTable } from '../../suites/oracle/error-table.ts';
import { objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation, ProxyAnswer, ProxyRequest } from '../../suites/rewrite/mutation.ts';
import { isObject, type JsonObject } from './rewrite.ts';

/**
 * A gateway that accepts requests which the reference refuses.
 * `repair` changes such a body into one that the reference accepts, and returns whether it had to. Any other
 * body passes byte for byte, so numbers keep their digits.
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

/** A refusal: its code, and the field that it names, if any. */
export type Refusal = readonly [code: ErrorCode, param: string | null];

/**
 * A gateway that refuses requests which the reference accepts, or refuses them with another code.
 * `text` is the body as sent.
 */
export function refuses(verdict: (body: JsonObject, text: string) => Refusal | null): Mutation {
  return {
    request: (request) => {
      const body = chatBody(request);
      const refused = body === null ? null : verdict(body, request.body.toString('utf8'));
      return refused === null ? request : refusalOf(refused);
    },
  };
}

/** A refusal as specified. */
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

/**
 * The messages of a request; none if they are not a list of objects, because then the reference judges them.
 */
export function messagesOf(body: JsonObject): JsonObject[] {
  const messages: unknown = body.messages;
  return Array.isArray(messages) && messages.every(isObject) ? messages : [];
}

/** Whether a member of any type is one of these texts. */
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

/** Whether a media URL shows that it is not an image: by the type of a data URI, else by its file extension. */
export function isOtherMedia(url: string): boolean {
  const type = /^data:([^;,]+);base64,/.exec(url)?.[1];
  if (type !== undefined) return !type.toLowerCase().startsWith('image/');
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  return /\.(?:pdf|mp4|webm|mov|mpe?g|mp3|wav|ogg|m4a|flac)$/i.test(path);
}
