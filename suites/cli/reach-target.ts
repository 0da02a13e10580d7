import { existsSync } from 'node:fs';
import { UsageError } from '../process/exit-codes.ts';
import { loadProfile, minimalProfile, readContained } from '../profile/load-profile.ts';
import type { Profile } from '../profile/profile.ts';
import { assertTlsFiles } from '../profile/tls-files.ts';
import { startStack } from '../stack/stack.ts';
import { withReceiver } from '../stack/start-receiver.ts';
import { fleetOf, type ProcessOptions } from './fleet-options.ts';
import { reachContained } from './reach-contained.ts';
import type { ReachedTarget } from './reached-target.ts';
import { type RunOptions, withHeaders } from './run-options.ts';

/** The options that name a target. */
export type TargetOptions = Pick<RunOptions, 'reference' | 'target' | 'baseUrl' | 'key' | 'header' | 'ca'> &
  ProcessOptions;

/** How to start the embedded stack: the number of tenants, Node flags, and a signal that aborts the start. */
export interface ReachOptions {
  readonly tenants?: number;
  readonly nodeArgs?: readonly string[];
  readonly signal?: AbortSignal;
}

/** The profile of a folder. */
const profileHere = 'gatecheck.yaml';

/**
 * The options with a target. If they name none, uses the profile in the current folder and prints this.
 * @throws UsageError if there is none: a gate that judged another target could pass by accident
 */
export function withTarget<O extends TargetOptions>(options: O): O {
  if (options.reference === true || options.target !== undefined || options.baseUrl !== undefined)
    return options;
  if (!existsSync(profileHere))
    throw new UsageError(
      `no target: give --target, --base-url or --reference, or put a profile named ${profileHere} into this folder`,
    );
  process.stderr.write(`Target: ${profileHere} of this folder\n`);
  return { ...options, target: profileHere };
}

/**
 * The deployment that the options name, or the embedded stack.
 * @throws UsageError when the options are invalid; InterruptedError when `signal` aborted the start
 */
export async function reachTarget(
  options: TargetOptions,
  seed: number,
  { tenants, nodeArgs = [], signal }: ReachOptions = {},
): Promise<ReachedTarget> {
  refuseContradictions(options);
  if (options.target !== undefined) {
    const { key } = options;
    const contained = options.baseUrl === undefined ? readContained(options.target, process.env, key) : null;
    if (contained !== null)
      return reachContained(options.target, contained, {
        adapt: (profile) => withReceiver(asOptionsSay(profile, options)),
        key,
        ...(signal !== undefined && { signal }),
      });
    const profile = asOptionsSay(loadProfile(options.target, process.env, { key }), options);
    return withReceiver(
      options.baseUrl === undefined
        ? profile
        : { ...profile, base_url: withoutPrefix(checkedUrl(options.baseUrl)) },
    );
  }
  if (options.baseUrl !== undefined) {
    const key = options.key ?? process.env.GATECHECK_KEY;
    if (!key) throw new UsageError('--base-url needs a key: give --key, or set GATECHECK_KEY');
    const profile = asOptionsSay(minimalProfile(withoutPrefix(checkedUrl(options.baseUrl)), key), options);
    return { profile, stop: () => Promise.resolve() };
  }
  if (options.reference !== true) throw new UsageError('no target');
  const fleet = fleetOf(options);
  process.stderr.write('Starting the embedded reference stack …\n');
  const stack = await startStack({
    seed,
    ...fleet,
    ...(tenants === undefined ? {} : { tenants }),
    nodeArgs,
    signal,
  });
  return { profile: stack.profile, stop: () => stack.stop(), gatewayPid: stack.gatewayPid };
}

/** Rejects options about a deployment for the embedded stack, and the reverse. */
function refuseContradictions({ reference, target, baseUrl, ...options }: TargetOptions): void {
  const { key, header, ca, store, processes, workers } = options;
  const isElsewhere = target !== undefined || baseUrl !== undefined;
  if (isElsewhere && [store, processes, workers].some((one) => one !== undefined))
    throw new UsageError('--store, --processes and --workers need --reference');
  if (isElsewhere && reference === true)
    throw new UsageError('give either --reference or a target, not both');
  if (!isElsewhere && [key, header, ca].some((one) => one !== undefined))
    throw new UsageError('--key, --header and --ca need --base-url or --target');
}

/** The profile with the connection options, which override its own values. */
function asOptionsSay(profile: Profile, { header, ca }: TargetOptions): Profile {
  const named = ca === undefined ? profile : { ...profile, tls: { ...profile.tls, ca } };
  assertTlsFiles(named);
  return withHeaders(named, header);
}

/** A URL may end with the prefix of the core routes. */
function withoutPrefix(url: string): string {
  return url.replace(/\/api\/v1\/*$/, '');
}

function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--base-url ${text} is not an http(s) address`);
  return text;
}
