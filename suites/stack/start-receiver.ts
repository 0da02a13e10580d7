import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profile } from '../profile/profile.ts';
import type { ReceiverReady } from '../receiver/protocol.ts';
import { type Child, startChild } from './child.ts';

/** A receiver of the suites, as a separate process. */
export interface ReceiverChild {
  readonly child: Child;
  readonly ready: ReceiverReady;
}

/** @param flags the flags of suites/receiver/main.ts, besides the folder for its keys */
export async function startReceiverIn(
  dir: string,
  flags: readonly string[],
  signal?: AbortSignal,
): Promise<ReceiverChild> {
  const main = fileURLToPath(new URL('../receiver/main.ts', import.meta.url));
  const child = await startChild({
    name: 'the webhook receiver',
    args: [main, '--dir', dir, '--exit-with-stdin', ...flags],
    signal,
  });
  // The line comes from our own process, so its shape is known.
  return { child, ready: child.ready as unknown as ReceiverReady };
}

/**
 * Starts the receiver of a profile, where the run is to start it, and returns the profile with its addresses. Any
 * other profile is returned unchanged.
 * @throws StartError when the receiver cannot listen, or its key cannot be used.
 */
export async function withReceiver(
  profile: Profile,
): Promise<{ readonly profile: Profile; readonly stop: () => Promise<void> }> {
  const { receiver } = profile.webhooks;
  if (receiver === undefined || 'control' in receiver) return { profile, stop: () => Promise.resolve() };
  const dir = mkdtempSync(join(tmpdir(), 'gatecheck-receiver-'));
  const { listen, base_url, cert, key, ca_out, plain } = receiver;
  const flag = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [name, value];
  try {
    const { child, ready } = await startReceiverIn(dir, [
      ...flag('--listen', listen),
      ...flag('--base-url', base_url),
      ...flag('--cert', cert),
      ...flag('--key', key),
      ...flag('--ca-file', ca_out),
      ...(plain ? ['--plain'] : []),
    ]);
    return {
      profile: { ...profile, webhooks: { ...profile.webhooks, receiver: { control: ready.control_url } } },
      stop: async () => {
        await child.stop();
        rmSync(dir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}
