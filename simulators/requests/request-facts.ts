import type { CallKind, DialectName } from '../answers/native-answer.ts';
import { parseJson, valueAt } from '../json/json-body.ts';
import { decodeRequest, type Said } from './decode-request.ts';

/** The part of a request that rules and selectors evaluate before its body. */
export interface RequestHead {
  /** The target as it was sent. */
  readonly target: string;
  /** From the version segment on, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As they were sent. */
  readonly headers: readonly (readonly [string, string])[];
}

/** The dialect and kind of a model call. Some faults exist only in one dialect, or only in streams. */
export interface CallOf {
  readonly dialect: DialectName;
  readonly call: CallKind;
}

/** A request with its body, which is parsed once, on first use. */
export class RequestFacts implements RequestHead {
  readonly #head: RequestHead;
  readonly channel: string;
  readonly body: Buffer;
  /** The kind of model call; null before that is known. */
  readonly kind: CallOf | null;
  #model: string | null | undefined;
  #json: { readonly value: unknown } | null = null;
  #said: Said | null = null;

  constructor(head: RequestHead, channel: string, body: Buffer, kind: CallOf | null = null) {
    this.#head = head;
    this.channel = channel;
    this.body = body;
    this.kind = kind;
  }

  get target(): string {
    return this.#head.target;
  }

  get path(): string {
    return this.#head.path;
  }

  get query(): URLSearchParams {
    return this.#head.query;
  }

  get headers(): RequestHead['headers'] {
    return this.#head.headers;
  }

  /** The native name of the model; null when the request names none. */
  get model(): string | null {
    if (this.#model === undefined) {
      const inPath = /\/(?:models|deployments)\/([^/:]+)/.exec(this.path)?.[1];
      const inBody = inPath === undefined ? valueAt(this.json, ['model']) : inPath;
      this.#model = typeof inBody === 'string' ? inBody : null;
    }
    return this.#model;
  }

  /** The body as JSON; undefined if it is not JSON. */
  get json(): unknown {
    this.#json ??= { value: parseJson(this.body) };
    return this.#json.value;
  }

  /** Its conversation and tools, decoded on first use. */
  get said(): Said {
    this.#said ??= decodeRequest(this.json);
    return this.#said;
  }
}

/** Every key in the request, in any form that a dialect accepts. */
export function keysOf({ headers, query }: RequestHead): string[] {
  const keys = query.getAll('key');
  for (const [name, value] of headers) {
    const key = keyIn(name, value);
    if (key !== null) keys.push(key);
  }
  return keys;
}

/** The key in a header; null when the header does not carry a key. */
export function keyIn(header: string, value: string): string | null {
  const form = header.toLowerCase();
  if (form === 'x-api-key' || form === 'x-goog-api-key' || form === 'api-key') return value;
  return form === 'authorization' ? value.replace(/^bearer +/i, '') : null;
}
