import { parseJson } from '../../json/json-body.ts';
import { readEmbeddings } from '../../providers/chat-completions/embeddings.ts';
import { parseRequest } from '../../providers/chat-completions/request.ts';
import { acceptCount, acceptGenerate, type NamedModel } from '../../providers/generate-content/accept.ts';
import { type Manner, parseCount, parseMessages } from '../../providers/messages/request.ts';
import { parseRequest as parseResponse } from '../../providers/responses/request.ts';

/** Validates a body as a dialect does. The message is null if the body is valid. */
type Reader = (body: Buffer, headers: Headers, path: string) => string | null;

const readers: readonly (readonly [path: RegExp, reader: Reader])[] = [
  [/\/chat\/completions$/, (body) => said(parseRequest(body, true))],
  [/\/responses$/, (body) => said(parseResponse(parseJson(body)))],
  [/\/embeddings$/, (body) => said(readEmbeddings(parseJson(body)))],
  [/\/messages$/, (body, headers) => said(parseMessages(body, mannerOf(headers)))],
  [/\/count_tokens$/, (body, headers) => said(parseCount(body, mannerOf(headers)))],
  [/:generateContent$/, (body, _headers, path) => said(acceptGenerate(body, modelIn(path), true))],
  [/:countTokens$/, (body, _headers, path) => said(acceptCount(body, modelIn(path)))],
];

/**
 * A `fetch` without a network. The dialect's reader validates each request with its strictest settings, and the client
 * receives any rejection as its error.
 */
export async function readNatively(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  const [, reader] = readers.find(([path]) => path.test(pathname)) ?? [];
  if (reader === undefined) throw new Error(`no dialect has the path ${pathname}`);
  const refusal = reader(Buffer.from(await request.arrayBuffer()), request.headers, pathname);
  return refusal === null
    ? Response.json({})
    : Response.json({ error: { message: refusal } }, { status: 400 });
}

type Read = { ok: true } | { ok: false; error: { message: string } };

function said(read: Read): string | null {
  return read.ok ? null : read.error.message;
}

function mannerOf(headers: Headers): Manner {
  const betas = headers.get('anthropic-beta') ?? undefined;
  const isCurrent = headers.get('anthropic-version') === '2026-10-21';
  return { betas, isStrict: true, version: isCurrent ? 'current' : 'previous' };
}

function modelIn(path: string): NamedModel {
  const [, version, name = ''] = /\/(v1|v1beta)\/models\/([^/:]+):/.exec(path) ?? [];
  return { name, version: version === 'v1' ? 'v1' : 'v1beta', isStrict: true };
}
