import { existsSync } from 'node:fs';
import type { Dialect } from '../../profile/dialects.ts';
import { shapeFault } from '../../wire/shapes.ts';
import { type ErrorCode, isErrorCode } from '../error-table.ts';
import { readFacts } from './read-facts.ts';

/** What a caller may get from a failing upstream: a success, an HTTP error, or a visibly broken stream. */
export type CallerOutcome = 'served' | 'refused' | 'broken';

export type Call = 'plain' | 'stream';

/** A deadline of the gateway. */
export type Deadline = 'connect' | 'first-byte' | 'idle' | 'total';

/** The allowed results of a fault in a conforming gateway. Members: `fixtures/schemas/fault-facts.json`. */
export interface Verdict {
  readonly seen: readonly CallerOutcome[];
  readonly codes: readonly ErrorCode[];
  readonly text: 'whole' | 'prefix' | 'none' | 'any';
  readonly finish: readonly string[];
  readonly usage: 'reported' | 'zero' | 'any';
  /** Minimum and maximum number of upstream requests of one call on one channel. */
  readonly attempts: readonly [number, number];
  readonly elsewhere: 'served' | 'same' | 'either';
  /** `cached`: prompt and completion in full, and any part of the prompt as cached. */
  readonly charge: 'nothing' | 'reported' | 'cached' | 'known';
  readonly breaker: 'counts' | 'ignored' | 'either';
  readonly deadline: Deadline | null;
}

/**
 * One fault of the catalogue in `fixtures/faults/`; a fault of chat upstreams, unless other dialects are named.
 */
export interface FaultFacts<D extends string = Dialect> {
  readonly id: string;
  readonly name: string;
  /** In a few words, for titles. */
  readonly cause: string;
  readonly wire: string;
  readonly dialects: readonly D[];
  readonly calls: readonly Call[];
  /** The first form is the default. */
  readonly forms?: readonly string[];
  /** Forms that a dialect does not support. */
  readonly except?: readonly { readonly dialects: readonly string[]; readonly forms: readonly string[] }[];
  /** Members that its script needs besides the text. */
  readonly reply?: Readonly<Record<string, unknown>>;
  /** The broken listener of a fault that is an address instead of a script. */
  readonly listener?: string;
  readonly scenario?: string;
  readonly verdict: Verdict;
  readonly exceptions?: readonly {
    readonly dialects?: readonly string[];
    readonly calls?: readonly string[];
    readonly forms?: readonly string[];
    readonly verdict: Partial<Verdict>;
  }[];
}

/** A fault of image upstreams. */
export type PictureFaultFacts = FaultFacts<'images'>;

/** One way to apply a fault to a call. `form` is null for a fault with only one form. */
export interface FaultCell<D extends string = Dialect> {
  readonly dialect: D;
  readonly call: Call;
  readonly form: string | null;
}

/** The groups of the catalogue, one file each. */
export const faultGroups = ['transport', 'status', 'protocol', 'stream', 'semantic', 'outages'] as const;

const directory = new URL('../../../fixtures/faults/', import.meta.url);

/** Reads the catalogue of faults of chat upstreams, group by group. @throws Error for a file that does not fit its schema. */
export function loadFaults(from: URL = directory): readonly FaultFacts[] {
  return loadGroups(from).filter((facts): facts is FaultFacts => !isOfPictures(facts));
}

/**
 * The faults of image upstreams.
 * @throws Error for a file that does not fit its schema.
 */
export function loadPictureFaults(from: URL = directory): readonly PictureFaultFacts[] {
  return loadGroups(from).filter(isOfPictures);
}

type AnyFacts = FaultFacts | PictureFaultFacts;

function loadGroups(from: URL): AnyFacts[] {
  return faultGroups.flatMap((group) => {
    const file = new URL(`${group}.json`, from);
    return existsSync(file) ? readFaults(readFacts(file), `${group}.json`) : [];
  });
}

function isOfPictures(facts: AnyFacts): facts is PictureFaultFacts {
  return facts.dialects.some((dialect) => dialect === 'images');
}

/**
 * The facts in one parsed file.
 * @throws Error that says where the file is wrong.
 */
export function readFaults(value: unknown, name: string): readonly AnyFacts[] {
  const fault = shapeFault('fault-facts', value);
  if (fault !== null) throw new Error(`${name}${fault.path} ${fault.reason}`);
  const all = value as readonly FaultFacts[];
  for (const facts of all) {
    if (facts.verdict === undefined) throw new Error(`${name}: ${facts.id} has no verdict of a call`);
    for (const cell of cellsOf(facts)) {
      const problem = verdictFault(verdictOf(facts, cell));
      if (problem !== null)
        throw new Error(`${name}: ${facts.id} ${cell.dialect} ${cell.call} ${cell.form ?? ''}: ${problem}`);
    }
  }
  return all;
}

/** Checks a verdict beyond its schema; null when nothing is wrong. */
function verdictFault({ seen, codes, finish, attempts }: Verdict): string | null {
  const unknown = codes.find((code) => !isErrorCode(code));
  if (unknown !== undefined) return `${unknown} is not a code of the error table`;
  const mayFail = seen.includes('refused') || seen.includes('broken');
  if (mayFail && codes.length === 0) return 'a failure may be seen, but no code is allowed';
  if (seen.includes('served') && finish.length === 0)
    return 'an answer may be seen, but no finish_reason is allowed';
  return attempts[0] > attempts[1] ? 'the minimum of attempts is above their maximum' : null;
}

/** Every cell of a fault: its dialects, calls and forms. */
export function cellsOf<D extends string>(facts: FaultFacts<D>): FaultCell<D>[] {
  const { dialects, calls, forms = [null], except = [] } = facts;
  const exists = (dialect: D, form: string | null): boolean =>
    !except.some((one) => one.dialects.includes(dialect) && form !== null && one.forms.includes(form));
  return dialects.flatMap((dialect) =>
    calls.flatMap((call) =>
      forms.flatMap((form): FaultCell<D>[] => (exists(dialect, form) ? [{ dialect, call, form }] : [])),
    ),
  );
}

/** The verdict for one cell: the general verdict with the matching exceptions applied; later ones win. */
export function verdictOf<D extends string>(
  facts: FaultFacts<D>,
  { dialect, call, form }: FaultCell<D>,
): Verdict {
  const holds = (among: readonly string[] | undefined, value: string | null): boolean =>
    among === undefined || (value !== null && among.includes(value));
  const exceptions = (facts.exceptions ?? []).filter(
    (one) => holds(one.dialects, dialect) && holds(one.calls, call) && holds(one.forms, form),
  );
  return Object.assign({ ...facts.verdict }, ...exceptions.map((one) => one.verdict)) as Verdict;
}

/** The id of a fault's check. It is stable as long as the catalogue keeps its names. */
export function faultCheckId({ id, name }: { readonly id: string; readonly name: string }): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `faults.${id.toLowerCase()}.${slug}`;
}
