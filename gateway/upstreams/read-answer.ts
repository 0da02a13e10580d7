import { parseBounded } from '../http/parse-json.ts';
import type { UpstreamReply } from './call.ts';
import { createEventParser } from './event-parser.ts';
import type { ClientLeft, UpstreamFailure } from './outcome.ts';

/** An error body is read only to classify it: at most this much, and only while it arrives quickly. */
const errorBytes = 64 * 1024;
const errorMs = 10_000;

/** JSON up to this length is parsed without a nesting check: it is too short for harmful nesting. */
const smallJson = 64 * 1024;

const byteOrderMark = '\uFEFF';

/** The content of an error answer. */
export interface ErrorBody {
  /** Its JSON; undefined when the body is not JSON. */
  readonly value: unknown;
  /** The body is an HTML page, as proxies in front of an upstream send. */
  readonly isPage: boolean;
}

/**
 * Reads a non-streamed answer as text; every byte counts as progress. Bytes that are not UTF-8 become U+FFFD
 * (fault P4).
 */
export async function readAnswer(
  reply: UpstreamReply,
): Promise<{ kind: 'whole'; text: string } | UpstreamFailure | ClientLeft> {
  const chunks: Buffer[] = [];
  for (;;) {
    const reading = reply.read();
    const step = reading instanceof Promise ? await reading : reading;
    if (step.kind === 'done') return { kind: 'whole', text: withoutEndMark(textOf(chunks)) };
    if (step.kind !== 'bytes') return step;
    reply.progress();
    chunks.push(step.bytes);
  }
}

/** Some servers append the end mark of a stream to a whole answer. */
function withoutEndMark(text: string): string {
  const tail = text.slice(-longestMark);
  const at = tail.search(/\sdata: ?\[DONE\]\s*$/);
  return at === -1 ? text : text.slice(0, text.length - tail.length + at);
}

/** The mark, with some white space around it. */
const longestMark = 32;

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return (only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks)).toString('utf8');
}

/** Reads the beginning of an error answer; a read error here is ignored. */
export async function readErrorBody(reply: UpstreamReply): Promise<ErrorBody> {
  const chunks: Buffer[] = [];
  reply.hurry(errorMs);
  for (let length = 0; length < errorBytes; ) {
    const step = await reply.read();
    if (step.kind !== 'bytes') break;
    reply.progress();
    chunks.push(step.bytes);
    length += step.bytes.length;
  }
  reply.close();
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  const isPage = /^\s*text\/html\b/i.test(reply.headers['content-type'] ?? '') || /^\s*</.test(text);
  return { value: parseJson(text) ?? parseJson(firstEventIn(bytes)), isPage };
}

/** Strings, so that the words within them stay, or numbers that only writers of other languages know. */
const nonJson = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** The value of a JSON text; undefined when the text is not JSON. Numbers that JSON does not have are null. */
export function parseJson(text: string): unknown {
  const bare = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const value = parsed(bare);
  if (value !== undefined || !/NaN|Infinity/.test(bare)) return value;
  return parsed(bare.replace(nonJson, (found) => (found.startsWith('"') ? found : 'null')));
}

function parsed(bare: string): unknown {
  if (bare.length > smallJson) return parseBounded(bare);
  try {
    return JSON.parse(bare);
  } catch {
    return undefined;
  }
}

/** Reads an error body. Servers that stream send their errors as events, too. */
function firstEventIn(bytes: Buffer): string {
  const parser = createEventParser(errorBytes);
  return [...(parser.feed(bytes) ?? []), ...parser.finish()][0]?.data ?? '';
}
