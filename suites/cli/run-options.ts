import type { Report, Size } from 'gatecheck-reports/report';
import { isRed } from 'gatecheck-reports/verdict-words';
import { UsageError } from '../process/exit-codes.ts';
import { describeIssues } from '../profile/describe-issues.ts';
import { addedHeaders, type Profile } from '../profile/profile.ts';
import type { Selection } from '../runner/select.ts';
import { shellWord } from '../values/shell-word.ts';
import { headerPlaceholder } from '../wire/redactor.ts';
import { fleetFlags, type ProcessOptions } from './fleet-options.ts';
import { readReport } from './read-report.ts';

/** The options of `gatecheck run`. */
export interface RunOptions extends ProcessOptions {
  readonly target?: string;
  /** Judges the embedded reference stack. */
  readonly reference?: boolean;
  readonly baseUrl?: string;
  readonly key?: string;
  /** `name: value` each. */
  readonly header?: readonly string[];
  /** A file (PEM) with the certificate authority of the deployment. */
  readonly ca?: string;
  /** Files with checks of the user's own. */
  readonly checks?: readonly string[];
  readonly only?: string;
  readonly exclude?: string;
  /** Path of an earlier report.json. */
  readonly onlyFailed?: string;
  /** `2/3`: the second of three parts. */
  readonly shard?: string;
  readonly full: boolean;
  /** The amount of cases per check; quick by default. */
  readonly size?: Size;
  readonly seed?: number;
  readonly path?: string;
  readonly out: string;
  readonly bail: number;
  /** Whether to print nothing before the result, or every check as it ends. */
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** Whether a failure that did not repeat makes the run red. */
  readonly failOnFlaky: boolean;
  /** How long the run may take; it stops cleanly then. */
  readonly minutes?: number;
  /** `usd=5,exchanges=2000`; each bound overrides that in the profile. */
  readonly budget?: string;
  /** Path of a file with list prices, for the plan and the budget only. */
  readonly prices?: string;
  readonly require?: string;
  /** Path of an HTTP archive to write. */
  readonly har?: string;
  /** A folder in which each run leaves a summary. */
  readonly history?: string;
  readonly writeWaivers?: string;
  readonly waiverReason?: string;
  readonly waiverOwner?: string;
  readonly waiverUntil?: string;
}

/**
 * The amount of cases per check; `--full` means `--size full`.
 * @throws UsageError when the two options contradict each other
 */
export function sizeOf({ full, size }: Pick<RunOptions, 'full' | 'size'>): Size {
  if (full && size !== undefined && size !== 'full')
    throw new UsageError(`give either --full or --size ${size}, not both`);
  return full ? 'full' : (size ?? 'quick');
}

/** The flag of a size, for a command that repeats a run. */
export function sizeFlag(size: Size): string {
  return size === 'quick' ? '' : ` --size ${size}`;
}

/** The selection by the options, and the seed of the report that `--only-failed` names. */
export interface Selected {
  readonly selection: Selection;
  readonly seed: number | null;
}

/** @throws UsageError when an option is invalid. */
export function selectionOf({
  only,
  exclude,
  onlyFailed,
  shard,
}: Pick<RunOptions, 'only' | 'exclude' | 'onlyFailed' | 'shard'>): Selected {
  const earlier = onlyFailed === undefined ? null : readReport(onlyFailed, '--only-failed');
  return {
    selection: {
      only: only ?? null,
      exclude: exclude ?? null,
      ids: earlier === null ? null : failedIn(earlier, onlyFailed ?? ''),
      shard: shard === undefined ? null : readShard(shard),
    },
    seed: earlier?.seed ?? null,
  };
}

function failedIn({ checks }: Report, file: string): string[] {
  const ids = checks.filter(({ verdict }) => isRed(verdict) || verdict === 'flaky').map(({ id }) => id);
  if (ids.length === 0) throw new UsageError(`--only-failed ${file}: no check failed in this run`);
  return ids;
}

function readShard(text: string): NonNullable<Selection['shard']> {
  const [, part = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (part < 1 || part > of)
    throw new UsageError(`--shard ${text} is no part of a run: give 1/3, 2/3 or 3/3 for three parts`);
  return { part, of };
}

/** The flags of the target, without a key, a password and the values of headers. */
export function targetFlags(options: RunOptions): string {
  const target = options.target === undefined ? '' : ` --target ${shellWord(options.target)}`;
  const url = options.baseUrl === undefined ? '' : ` --base-url ${shellWord(options.baseUrl)}`;
  const needsKey = options.baseUrl !== undefined && options.target === undefined;
  const key = needsKey || options.key !== undefined ? ' --key "$GATECHECK_KEY"' : '';
  const headers = (options.header ?? []).map((text) => {
    const [name] = readHeader(text);
    return ` --header "${name}: ${headerPlaceholder(name)}"`;
  });
  const ca = options.ca === undefined ? '' : ` --ca ${shellWord(options.ca)}`;
  const reference = options.reference === true ? ' --reference' : '';
  return reference + target + url + key + ca + headers.join('') + fleetFlags(options);
}

/**
 * The profile with the headers of `--header`, which count before its own.
 * @throws UsageError when one of them is no header
 */
export function withHeaders(profile: Profile, header: RunOptions['header']): Profile {
  if (header === undefined) return profile;
  const added = Object.fromEntries(header.map(readHeader));
  const headers = addedHeaders.safeParse({ ...profile.http.headers, ...added });
  if (headers.success) return { ...profile, http: { ...profile.http, headers: headers.data } };
  const [fault] = describeIssues(addedHeaders, headers.error.issues);
  throw new UsageError(`--header ${fault?.path.join('.')}: ${fault?.text}`);
}

/** @throws UsageError for a text without a name; the message does not contain the text, which may be a secret */
function readHeader(text: string): [name: string, value: string] {
  const at = text.indexOf(':');
  if (at < 1) throw new UsageError("--header: give it as 'name: value'");
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** The flags that select checks. */
export function selectionFlags({ only, exclude, onlyFailed, shard }: RunOptions): string {
  const flags: [string, string | undefined][] = [
    ['--only', only],
    ['--exclude', exclude],
    ['--only-failed', onlyFailed],
    ['--shard', shard],
  ];
  return flags.map(([name, value]) => (value === undefined ? '' : ` ${name} ${shellWord(value)}`)).join('');
}
