import { flag } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { readAnswer, timeOf } from './json-answer.ts';

/** One image of an answer. */
export interface AnsweredPicture {
  readonly url: string | null;
  readonly base64: string | null;
  readonly revisedPrompt: string | null;
}

/** A 200 answer to an image request whose members have been judged. The images themselves have not been loaded. */
export interface ImagesAnswer {
  readonly created: number;
  readonly pictures: readonly AnsweredPicture[];
  readonly notes: readonly string[];
}

export interface ExpectedImages {
  /** The rule that acceptance itself proves. The default is that an image call answers at once. */
  readonly requirement?: string;
  readonly aspect?: string;
  /** How many images were requested. Omitted where the request has no number, which counts as 1. */
  readonly n?: number;
  /** The requested form; `url` by default, null where either is fine. */
  readonly form?: 'url' | 'b64_json' | null;
  readonly twin?: Exchange | undefined;
  readonly clockAheadMs?: number;
}

interface WireImages {
  created: number;
  data: { url?: string | null; b64_json?: string | null; revised_prompt?: string | null }[];
}

/**
 * Judges an answer by every rule of "Image request" that one answer can show. Each rule is judged under its own
 * requirement.
 */
export function judgeImages(exchange: Exchange, expected: ExpectedImages = {}): ImagesAnswer {
  const { requirement = 'IMG-001', aspect = 'answers-at-once', n, form = 'url', clockAheadMs = 0 } = expected;
  const body = readAnswer(exchange, {
    ...{ requirement, aspect, twin: expected.twin },
    statuses: [200],
    status: { requirement: 'IMG-001', aspect: 'answers-at-once' },
    what: 'created and data',
    shape: 'images-answer',
    ruleOf,
  }) as WireImages;
  const [from, to] = timeOf(exchange, clockAheadMs).map((ms) => ms / 1000) as [number, number];
  flag(body.created >= from && body.created <= to, {
    requirement: 'IMG-018',
    aspect: 'created-now',
    expected: `a Unix time in seconds between ${Math.floor(from)} and ${Math.ceil(to)}`,
    actual: String(body.created),
    exchange,
  });
  flag(body.data.length === (n ?? 1), {
    requirement: n === undefined ? 'IMG-012' : 'IMG-013',
    aspect: n === undefined ? 'one-by-default' : 'one-for-each',
    expected: `data with ${n ?? 1} elements`,
    actual: String(body.data.length),
    exchange,
  });
  const pictures = body.data.map(
    ({ url = null, b64_json: base64 = null, revised_prompt: revised = null }) => ({
      url,
      base64,
      revisedPrompt: revised,
    }),
  );
  for (const picture of pictures) judgeForm(picture, form, exchange);
  const both = pictures.some(({ url, base64 }) => url !== null && base64 !== null);
  return {
    created: body.created,
    pictures,
    notes: both ? ['an element of data has url and b64_json at once (reading B-56)'] : [],
  };
}

/** The bytes of a text in plain standard base64; null when it is anything else. */
export function bytesOfBase64(text: string): Buffer | null {
  const isPlain = text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
  return isPlain ? Buffer.from(text, 'base64') : null;
}

function judgeForm(
  { url, base64 }: AnsweredPicture,
  form: 'url' | 'b64_json' | null,
  exchange: Exchange,
): void {
  if (form === 'url' || (form === null && base64 === null))
    flag(url !== null && isAbsolute(url), {
      requirement: 'IMG-020',
      aspect: 'absolute-url',
      expected: 'an absolute URL of the image',
      actual: url === null ? 'no url' : url.slice(0, 120),
      exchange,
    });
  if (form === 'b64_json' || (form === null && base64 !== null))
    flag(base64 !== null && bytesOfBase64(base64) !== null, {
      requirement: 'IMG-021',
      aspect: 'plain-base64',
      expected: 'plain base64 of the image',
      actual: base64 === null ? 'no b64_json' : `${base64.slice(0, 60)}…`,
      exchange,
    });
}

export function isAbsolute(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

function ruleOf(path: string): string {
  if (path.startsWith('/created')) return 'IMG-018';
  return path.startsWith('/data/') ? 'IMG-019' : 'IMG-001';
}
