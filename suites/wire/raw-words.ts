import type { CarriedRequest, Translation } from '../profile/translation.ts';
import { chunked, type ReadAnswer, readChunks } from './raw-answers.ts';
import { readAnswer } from './translate-answer.ts';

/** A replacement of a range of sent bytes. */
interface Edit {
  readonly at: number;
  readonly end: number;
  readonly bytes: Buffer;
}

const requestLine = /^([A-Z]+) (\S+) HTTP\/1\.[01]\r\n/;

/** Raw bytes for a deployment, and the translation of their answers. */
export interface RawWords {
  /** The pieces to send. Bytes that are not HTTP stay unchanged. */
  readonly pieces: readonly Buffer[];
  readonly read: (answer: ReadAnswer) => ReadAnswer;
}

/**
 * Translates raw bytes for a deployment: path, headers and body of each readable request, and not one byte more.
 * @param basePath the path of the base URL
 */
export function rawWords(translation: Translation, basePath: string, pieces: readonly Buffer[]): RawWords {
  const bytes = Buffer.concat(pieces);
  const edits: Edit[] = [];
  let first: CarriedRequest | null = null;
  for (let at = 0; at < bytes.length; ) {
    const found = requestAt(bytes, at, basePath);
    if (found === null) break;
    first ??= found.request;
    edits.push(...editsOf(found, translation.request(found.request)));
    at = found.end;
  }
  const asked = first ?? { method: 'GET', path: '/', headers: [], body: Buffer.alloc(0) };
  return {
    pieces: edited(pieces, edits),
    read: ({ status, headers, body, complete }) => {
      const reader = readAnswer(translation, asked, { status, headers });
      const early = reader.push(body);
      const { head, rest } = complete ? reader.end() : reader.broken();
      return { ...head, complete, body: Buffer.concat([...early, ...rest]) };
    },
  };
}

interface FoundRequest {
  readonly request: CarriedRequest;
  readonly basePath: string;
  /** The begin and end of the request target, each header line and the body. */
  readonly target: readonly [number, number];
  readonly lines: readonly (readonly [number, number])[];
  readonly body: readonly [number, number];
  readonly chunk: number | null;
  readonly end: number;
}

/** A request with a whole or incomplete head; null when its request line cannot be read. */
function requestAt(bytes: Buffer, start: number, basePath: string): FoundRequest | null {
  const headEnd = bytes.indexOf('\r\n\r\n', start);
  const head = bytes.subarray(start, headEnd < 0 ? bytes.length : headEnd + 2).toString('latin1');
  const [line, method, target] = requestLine.exec(head) ?? [];
  if (line === undefined || method === undefined || target === undefined) return null;
  const targetAt = start + method.length + 1;
  const [lines, headers]: [[number, number][], [string, string][]] = [[], []];
  for (let at = line.length; at < head.length; ) {
    const lineEnd = head.indexOf('\r\n', at);
    if (lineEnd < 0) break;
    const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*$/.exec(head.slice(at, lineEnd)) ?? [];
    lines.push([start + at, start + lineEnd]);
    headers.push([name, value]);
    at = lineEnd + 2;
  }
  const bodyAt = headEnd < 0 ? bytes.length : headEnd + 4;
  const found = bodyOf(bytes.subarray(bodyAt), headers);
  const path = target.startsWith(basePath) ? target.slice(basePath.length) : target;
  return {
    request: { method, path, headers, body: found?.body ?? Buffer.alloc(0) },
    ...{ basePath: target.startsWith(basePath) ? basePath : '', lines },
    ...{ body: [bodyAt, bodyAt + (found?.used ?? 0)], chunk: found?.chunk ?? null },
    target: [targetAt, targetAt + target.length],
    // After an incomplete body, the start of the next request is unknown.
    end: found === null ? bytes.length : bodyAt + found.used,
  };
}

interface FoundBody {
  readonly body: Buffer;
  readonly used: number;
  /** The size of its first chunk, bytes; null where it is not chunked. */
  readonly chunk: number | null;
}

function bodyOf(rest: Buffer, headers: CarriedRequest['headers']): FoundBody | null {
  const stated = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  if (stated('transfer-encoding') !== undefined) {
    const { body, complete, used } = readChunks(rest);
    const chunk = Number.parseInt(rest.toString('latin1', 0, 16), 16);
    return complete && chunk > 0 ? { body, used, chunk } : null;
  }
  const used = Number(stated('content-length') ?? 0);
  return used <= rest.length ? { body: rest.subarray(0, used), used, chunk: null } : null;
}

function editsOf(
  { request, basePath, target, lines, body, chunk }: FoundRequest,
  said: CarriedRequest,
): Edit[] {
  const edits: Edit[] = [];
  const put = (place: readonly [number, number], text: string | Buffer): void => {
    edits.push({ at: place[0], end: place[1], bytes: Buffer.from(text as string) });
  };
  if (said.path !== request.path) put(target, basePath + said.path);
  const isLonger = !said.body.equals(request.body);
  for (const [index, [name, value]] of request.headers.entries()) {
    const place = lines[index] ?? [0, 0];
    const stays = said.headers.some((pair) => pair[0] === name && pair[1] === value);
    const other = said.headers.find(([known]) => known === name);
    if (isLonger && /^content-length$/i.test(name)) put(place, `${name}: ${said.body.length}`);
    else if (!stays && other !== undefined) put(place, `${name}: ${other[1]}`);
    else if (!stays) put([place[0], place[1] + 2], '');
  }
  const added = said.headers.filter(([name]) => !request.headers.some(([known]) => known === name));
  const last = lines.at(-1)?.[1];
  if (added.length > 0 && last !== undefined)
    put([last, last], added.map(([name, value]) => `\r\n${name}: ${value}`).join(''));
  if (isLonger) put(body, chunk === null ? said.body : chunked(said.body, chunk));
  return edits;
}

/** The pieces with all edits; each edit goes into the piece in which it begins. */
function edited(pieces: readonly Buffer[], edits: readonly Edit[]): Buffer[] {
  const inOrder = edits.toSorted((one, other) => one.at - other.at);
  let start = 0;
  return pieces.map((piece) => {
    const [from, to] = [start, start + piece.length];
    start = to;
    const parts: Buffer[] = [];
    let at = from;
    for (const { at: begins, end, bytes } of inOrder) {
      if (end <= at && begins < at) continue;
      if (begins >= to) break;
      if (begins >= from) parts.push(piece.subarray(at - from, begins - from), bytes);
      at = Math.max(at, Math.min(end, to));
    }
    return Buffer.concat([...parts, piece.subarray(at - from)]);
  });
}
