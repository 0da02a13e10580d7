import { type ErrorCode, errorTable, isErrorCode } from '../oracle/error-table.ts';
import type { Dialect, ErrorSign, ErrorTables } from '../profile/dialect.ts';
import type { CarriedAnswer } from '../profile/translation.ts';
import { exactIn } from '../rewrite/json.ts';
import { isJsonObject } from '../values/json.ts';
import { errorStatusIn, isSuccessBody } from './error-in-success.ts';
import { isBelow, protocolOf } from './routes.ts';

type Body = Record<string, unknown>;
type Member = 'type' | 'code' | 'message' | 'param' | 'channel';

const members = ['type', 'code', 'message', 'param', 'channel'] as const;

/** The status by which an error with a status of success is read. */
const alone = 400;

/** The form of the codes of the specification. */
const ourForm = /^[a-z][a-z0-9_]*$/;

const ourTypes: ReadonlySet<string> = new Set(Object.values(errorTable).map(({ type }) => type));

/** The statuses of faults that the code table does not list (reading B-03). */
const openStatuses: readonly number[] = [404, 405, 413, 415];

/** Errors that are text: see {@link errorBodyIn}. */
const asText = {
  object: null,
  members: { message: '', type: null, code: null, param: null, channel: null },
} as const;

/** What an error is read from: the JSON object in a body, or one with its plain text under no name; null for other types. */
export function errorBodyIn({ headers, body }: Pick<CarriedAnswer, 'headers' | 'body'>): Body | null {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isText = body.length > 0 && /^text\/plain\b/i.test(type);
  return exactIn(body) ?? firstIn(body) ?? (isText ? { '': body.toString('utf8') } : null);
}

/** The error of a stream that comes as an array is in an array, too. */
function firstIn(body: Buffer): Body | null {
  const text = body.toString('utf8').trim();
  return /^\[\s*\{/.test(text) ? exactIn(Buffer.from(text.slice(1, -1))) : null;
}

/** Which codes of the specification an error may be: several where the dialect has one word for them. */
export interface ReadError {
  readonly codes: readonly ErrorCode[];
  readonly body: Body;
  readonly status: number | null;
  /** The shape of the error. */
  readonly shape: ErrorMap;
}

/**
 * The error tables of a dialect for each specified path: those of the longest matching path, else of the protocol, else the
 * default.
 */
export function errorsAt({ errors }: Pick<Dialect, 'errors'>): (path: string) => ErrorMap {
  const { at, text, in_success: inSuccess = false, ...usual } = errors;
  const also = [...errors.also, ...(text ? [asText] : [])];
  const mapOf = (tables: ErrorTables): ErrorMap => new ErrorMap(tables, also, inSuccess);
  const known = new Map(Object.entries(at).map(([place, tables]) => [place, mapOf(tables)]));
  const others = mapOf(usual);
  const ofReads = mapOf({ ...usual, codes: codesOfReads(usual.codes) });
  return (path) => {
    const places = [...known.keys()].filter((place) => place.startsWith('/') && isBelow(path, place));
    const [longest = protocolOf(path)] = places.toSorted((one, other) => other.length - one.length);
    return known.get(longest) ?? (/^\/api\/v1\/tasks\/[^/?]/.test(path) ? ofReads : others);
  };
}

/** The read of a task names no model: where a dialect has no sign for an unknown task, a status alone means one. */
function codesOfReads(codes: ErrorTables['codes']): ErrorTables['codes'] {
  if (codes.task_not_found !== undefined) return codes;
  const signs = [codes.model_not_found ?? []].flat();
  const isPlain = (sign: ErrorSign): boolean => Object.keys(sign).join() === 'status';
  const plain = signs.filter(isPlain);
  return plain.length === 0
    ? codes
    : { ...codes, task_not_found: plain, model_not_found: signs.filter((sign) => !isPlain(sign)) };
}

/** Converts a dialect's errors to specified ones: from the main shape, or from the first other shape that fits. */
export class ErrorMap {
  readonly #errors: ErrorTables;
  readonly #signs: readonly (readonly [ErrorCode, ErrorSign])[];
  readonly #others: readonly ErrorMap[];
  readonly #inSuccess: boolean;

  /** @param inSuccess whether some errors have a status of success */
  constructor(errors: ErrorTables, others: readonly Partial<ErrorTables>[] = [], inSuccess = false) {
    this.#errors = errors;
    this.#inSuccess = inSuccess;
    this.#others = others.map(
      (other) => new ErrorMap({ members: {}, ...other, codes: errors.codes }, [], inSuccess),
    );
    this.#signs = Object.entries(errors.codes).flatMap(([code, signs]) =>
      signs === null || !isErrorCode(code) ? [] : [signs].flat().map((sign) => [code, sign] as const),
    );
  }

  /** Whether errors have the same shape and words on both sides. */
  get isNeutral(): boolean {
    const { object = 'error', members: named, codes } = this.#errors;
    if (this.#others.length > 0 || this.#inSuccess) return false;
    return object === 'error' && Object.keys(named).length === 0 && Object.keys(codes).length === 0;
  }

  /** Codes that share their signs with others, each with the profile member that causes this. */
  get blurred(): Map<string, string> {
    const alike = Map.groupBy(
      Object.entries(this.#errors.codes).filter(([, signs]) => signs !== null),
      ([, signs]) => JSON.stringify(signs),
    );
    const groups = [...alike.values()].filter(({ length }) => length > 1);
    return new Map(
      groups.flatMap((group) => {
        const said = `dialect.errors.codes: ${group.map(([code]) => code).join(' and ')} are one there`;
        return group.map(([code]): [string, string] => [code, said]);
      }),
    );
  }

  /** Codes that this dialect never answers. */
  get lacking(): readonly string[] {
    return Object.entries(this.#errors.codes).flatMap(([code, signs]) => (signs === null ? [code] : []));
  }

  /** Whether its errors never have this member. */
  lacks(member: Member): boolean {
    return this.#errors.members[member] === null;
  }

  /** Whether an answer with this status may have an error. */
  mayBeError(status: number): boolean {
    return status >= 400 || (this.#inSuccess && status >= 200 && status < 300);
  }

  /**
   * The error in the JSON of an answer or an event; null where there is none.
   * @param answered null within a stream
   */
  read(body: Body, answered: number | null): ReadError | null {
    const isPlain = answered !== null && answered < 400;
    if (!isPlain && !(answered === null && this.#inSuccess && this.#isAlone(body)))
      return this.#read(body, answered, answered);
    if (!this.#isAlone(body) && isSuccessBody(body)) return null;
    const status = errorStatusIn(this.#errorIn(body, alone) ?? body, body);
    return this.#inSuccess ? this.#read(body, status, alone) : null;
  }

  /** Whether a body has an error of one of the shapes with an object, or else a plain message, beside no result. */
  #isAlone(body: Body): boolean {
    return [this, ...this.#others].some((one) => {
      const error = one.#errorIn(body, alone);
      if (one.#errors.object !== null) return one.#hasMessage(error);
      return typeof error?.[one.#nameOf('message')] === 'string' && !isSuccessBody(body);
    });
  }

  /**
   * @param status null where only the words of the error say what it is
   * @param shape the status by which its shape is read
   */
  #read(body: Body, status: number | null, shape: number | null): ReadError | null {
    const own = this.#errorIn(body, shape);
    const fitting = this.#others.find((one) => one.#hasMessage(one.#errorIn(body, shape)));
    if (fitting !== undefined && !this.#hasMessage(own)) return fitting.#read(body, status, shape);
    if (own === null) return null;
    const { object = 'error' } = this.#errors;
    const seen = Object.fromEntries(members.map((member) => [member, own[this.#nameOf(member)]]));
    // A framework's message may be a list of faults by member, and an upstream's error an object.
    if (typeof seen.message === 'object' && seen.message !== null)
      seen.message = JSON.stringify(seen.message);
    // A stream has no status of its own, but some gateways say one as the code of the error in it.
    const said = status ?? (shape === null ? statusSaid(seen.code) : null);
    const codes = this.#codesOf(seen, said, shape);
    const [code] = codes;
    const row = code === undefined ? undefined : errorTable[code];
    const known = members.map(this.#nameOf, this);
    const others = Object.entries(own).filter(([name]) => !known.includes(name));
    const error = {
      ...Object.fromEntries(others),
      type:
        row?.type ??
        this.#likeDeclared(seen.type) ??
        this.#inOurTypes(seen.type, status) ??
        (this.lacks('type') ? typeOf(status) : undefined),
      code: code ?? this.#inOurForm(seen.code) ?? (this.lacks('code') ? 'no_equivalent' : undefined),
      message: seen.message,
      channel: seen.channel ?? null,
      param: seen.param ?? null,
    };
    const [outer] = object?.split('.') ?? [];
    const rest = object === null ? {} : Object.entries(body).filter(([name]) => name !== outer);
    const top = object === null ? {} : Object.fromEntries(rest as [string, unknown][]);
    return { codes, status: row?.status ?? said ?? shape, body: { ...top, error }, shape: this };
  }

  /** The error object alone; null if there is none. */
  #errorIn(body: Body, status: number | null): Body | null {
    const { object = 'error' } = this.#errors;
    if (object === null) return (status ?? 0) < 400 ? null : body;
    const found = object.split('.').reduce<unknown>(memberOf, body);
    if (typeof found === 'string') return { message: found };
    return isJsonObject(found) ? found : null;
  }

  #hasMessage(error: Body | null): boolean {
    return error !== null && Object.hasOwn(error, this.#nameOf('message'));
  }

  /** The codes with the most specific signs in an error. */
  #codesOf(seen: Body, status: number | null, shape: number | null): ErrorCode[] {
    const weight = (sign: ErrorSign): number =>
      Object.keys(sign).filter((name) => name !== 'status' || status !== null).length;
    // Under a status of success, a sign that is a status alone says nothing. Within a stream, it may be any of these.
    const least = status === null && shape !== null ? 1 : 0;
    const shown = this.#signs.filter(([, sign]) => weight(sign) >= least && isShown(sign, seen, status));
    const most = Math.max(...shown.map(([, sign]) => weight(sign)));
    // Without a status, a specified code in the error is more specific than a sign with one member.
    if (status === null && most <= 1 && isErrorCode(String(seen.code)))
      return [String(seen.code) as ErrorCode];
    const best = shown.filter(([, sign]) => weight(sign) === most);
    // A word says more than a status, which many errors have.
    const worded = best.filter(([, sign]) => Object.keys(sign).some((name) => name !== 'status'));
    const said = (worded.length > 0 ? worded : best).map(([code]) => code);
    // A stream that fails has no status: where nothing else says what failed, a failure of the service comes first.
    if (status === null && worded.length === 0)
      said.sort((one, other) => Number(isOfCaller(one)) - Number(isOfCaller(other)));
    if (said.length > 0) return [...new Set(said)];
    return typeof seen.code === 'string' && isErrorCode(seen.code) ? [seen.code] : [];
  }

  /** The type of the codes whose signs have this one, for an error that no sign fits; null where these differ. */
  #likeDeclared(type: unknown): string | null {
    const like = this.#signs.filter(([, sign]) => (sign.type ?? null) !== null && sign.type === type);
    const [only, ...others] = new Set(like.map(([code]) => errorTable[code].type));
    return others.length === 0 ? (only ?? null) : null;
  }

  /** A code without equivalent, in the form of ours where the codes that the dialect declares have another one. */
  #inOurForm(code: unknown): unknown {
    const hasOtherForm = this.#signs.some(
      ([, sign]) => (sign.code ?? null) !== null && !ourForm.test(`${sign.code}`),
    );
    if (!hasOtherForm || (typeof code !== 'string' && typeof code !== 'number') || ourForm.test(`${code}`))
      return code;
    const word = `${code}`
      .replaceAll(/([a-z\d])(?=[A-Z])/g, '$1_')
      .toLowerCase()
      .replaceAll(/\W+/g, '_');
    return ourForm.test(word) ? word : `code_${word}`;
  }

  /** A type of its own where the text leaves the code open (reading B-03), by the status if the dialect declares such types. */
  #inOurTypes(type: unknown, status: number | null): unknown {
    const isOwn = (one: unknown): boolean => typeof one === 'string' && !ourTypes.has(one);
    const hasOwn = this.#signs.some(([, sign]) => isOwn(sign.type));
    return hasOwn && isOwn(type) && openStatuses.includes(status ?? 0) ? typeOf(status) : type;
  }

  #nameOf(member: Member): string {
    return this.#errors.members[member] ?? member;
  }
}

function memberOf(body: unknown, name: string): unknown {
  return isJsonObject(body) && Object.hasOwn(body, name) ? body[name] : undefined;
}

/** If a shape has no types, the status decides who is to blame. */
function typeOf(status: number | null): string {
  return errorTable[status !== null && status < 500 ? 'invalid_param' : 'internal_error'].type;
}

function isShown(sign: ErrorSign, seen: Body, status: number | null): boolean {
  const { message, type, code } = sign;
  if (sign.status !== undefined && status !== null && ![sign.status].flat().includes(status)) return false;
  if (type !== undefined && (seen.type ?? null) !== type) return false;
  if (code !== undefined && String(seen.code ?? null) !== String(code)) return false;
  return message === undefined || new RegExp(message, 'i').test(String(seen.message ?? ''));
}

function isOfCaller(code: ErrorCode): boolean {
  return errorTable[code].type !== 'api_error';
}

/** The status that a code is, as a number or its text; null for other codes. */
function statusSaid(code: unknown): number | null {
  return /^[45]\d\d$/.test(String(code)) ? Number(code) : null;
}
