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
export type TargetOptions = Pick<RunOptions, 'target' | 'baseUrl' | 'key' | 'header' | 'ca'> & ProcessOptions;

/** How the embedded stack is started, where it is: with how many tenants and which flags of Node, until who interrupts. */
export interface ReachOptions {
  readonly tenants?: number;
  readonly nodeArgs?: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * The deployment that the options name; the embedded stack where they name none.
 * @throws UsageError when they cannot be meant; InterruptedError when `signal` ended the start
 */
export async function reachTarget(
  options: TargetOptions,
  seed: number,
  { tenants, nodeArgs = [], signal }: ReachOptions = {},
): Promise<ReachedTarget> {
  refuseContradictions(options);
  if (options.target !== undefined) {
    const contained = options.baseUrl === undefined ? readContained(options.target, process.env) : null;
    if (contained !== null)
      return reachContained(options.target, contained, {
        adapt: (profile) => withReceiver(asOptionsSay(profile, options)),
        ...(signal !== undefined && { signal }),
      });
    const profile = asOptionsSay(loadProfile(options.target, process.env), options);
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

/** Options about a deployment mean nothing to the embedded stack, nor the other way round. */
function refuseContradictions({ target, baseUrl, ...options }: TargetOptions): void {
  const { key, header, ca, store, processes, workers } = options;
  const isElsewhere = target !== undefined || baseUrl !== undefined;
  if (isElsewhere && [store, processes, workers].some((one) => one !== undefined))
    throw new UsageError('--store, --processes and --workers are about the embedded stack, not a target');
  if (!isElsewhere && key !== undefined)
    throw new UsageError(
      '--key needs --base-url: without an address the embedded stack is judged, which has keys of its own',
    );
  if (!isElsewhere && (header !== undefined || ca !== undefined))
    throw new UsageError('--header and --ca are about a deployment: give --base-url or --target');
}

/** The profile with what options say of the way to the deployment, which counts before its own. */
function asOptionsSay(profile: Profile, { header, ca }: TargetOptions): Profile {
  const named = ca === undefined ? profile : { ...profile, tls: { ...profile.tls, ca } };
  assertTlsFiles(named);
  return withHeaders(named, header);
}

/** The prefix of the core routes may stand at the end of an address. */
function withoutPrefix(url: string): string {
  return url.replace(/\/api\/v1\/*$/, '');
}

function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--base-url ${text} is not an http(s) address`);
  return text;
}
