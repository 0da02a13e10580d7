import { lookup } from 'node:dns/promises';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { makeFolder } from '../process/make-folder.ts';
import { mostTenants } from '../runner/tenant-pool.ts';
import { allExtensions } from '../stack/config.ts';
import type { WebhookHost } from '../stack/dependencies.ts';
import { startStack } from '../stack/stack.ts';
import { stackTimes } from '../stack/times.ts';
import { fleetOf, type ProcessOptions } from './fleet-options.ts';
import { catchInterrupts } from './interrupt.ts';
import { assertFile, assertPlace } from './output-places.ts';

export interface UpOptions extends ProcessOptions {
  readonly targetOut?: string;
  readonly port: number;
  readonly dataDir?: string;
  readonly seed: number;
  readonly timeoutMs?: number;
  readonly coolDownMs?: readonly number[];
  /** false: neither the gateway nor the simulators have a movable clock. */
  readonly clock: boolean;
  /** Whether the gateway offers all that it can beyond the specification. */
  readonly extensions: boolean;
  /** Whether the simulators serve their console. */
  readonly ui: boolean;
  /** Your receivers to which events may go, each by host and port. */
  readonly webhookHost?: readonly string[];
  /** The certificate authority of these receivers. */
  readonly webhookCa?: string;
}

/** `gatecheck up`: the reference stack in the foreground, with one JSON line on stdout once it is ready. */
export async function upCommand(options: UpOptions): Promise<ExitCode> {
  const { targetOut, dataDir } = options;
  if (targetOut !== undefined) assertFile(targetOut, '--target-out');
  if (dataDir !== undefined) assertPlace(`--data-dir ${dataDir}`, () => makeFolder(dataDir, 0o700));
  const receivers = await ownReceivers(options);
  const interrupts = catchInterrupts();
  const stack = await startStack({
    seed: options.seed,
    signal: interrupts.signal,
    tenants: mostTenants,
    port: options.port,
    times: stackTimes(options),
    clock: options.clock,
    extensions: options.extensions ? allExtensions : [],
    ui: options.ui,
    ...fleetOf(options),
    ...receivers,
    ...(dataDir === undefined ? {} : { dataDir: resolve(dataDir) }),
    ...(targetOut === undefined ? {} : { profilePath: resolve(targetOut) }),
  });
  try {
    const page = stack.console;
    const line = {
      ...{ base_url: stack.baseUrl, target: stack.profilePath },
      ...(page === null ? {} : { console_url: page.url, webhook_url: page.webhookUrl }),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    const asked = new Promise<null>((end) => {
      if (interrupts.signal.aborted) end(null);
      interrupts.signal.addEventListener('abort', () => end(null), { once: true });
    });
    const failure = await Promise.race([asked, stack.failed]);
    if (failure === null) return exitCodes.conforming;
    process.stderr.write(`gatecheck: ${failure}\n`);
    return exitCodes.harness;
  } finally {
    await stack.stop();
    interrupts.release();
  }
}

/**
 * The allowed event receivers besides the stack's own one. Host names are resolved here, because the stack does no DNS
 * lookups.
 * @throws UsageError for an entry that is no host with a port or cannot be resolved, or a missing file.
 */
async function ownReceivers(
  options: UpOptions,
): Promise<{ webhookHosts: WebhookHost[]; webhookCa?: string }> {
  const { webhookHost: hosts = [], webhookCa: ca } = options;
  if (ca !== undefined && !existsSync(ca)) throw new UsageError(`--webhook-ca ${ca} is not there`);
  const webhookHosts = await Promise.all(hosts.map(knownHost));
  return { webhookHosts, ...(ca === undefined ? {} : { webhookCa: resolve(ca) }) };
}

async function knownHost(text: string): Promise<WebhookHost> {
  const url = URL.parse(`https://${text}/`);
  const port = /:(\d{1,5})$/.exec(text)?.[1];
  if (url === null || port === undefined || url.pathname !== '/' || url.username !== '')
    throw new UsageError(`--webhook-host ${text} is not a host with a port such as 127.0.0.1:8443`);
  const name = url.hostname.replaceAll(/[[\]]/g, '');
  const host = `${url.hostname}:${port}`;
  if (isIP(name) !== 0) return { host, addresses: [] };
  try {
    return { host, addresses: (await lookup(name, { all: true })).map(({ address }) => address) };
  } catch (error) {
    throw new UsageError(
      `--webhook-host ${text} cannot be resolved: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
}
