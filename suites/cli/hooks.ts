import { once } from 'node:events';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { startHookFan } from '../stack/hook-fan.ts';
import { catchInterrupts } from './interrupt.ts';

export interface HooksOptions {
  readonly to: readonly string[];
  readonly host: string;
  readonly port: number;
}

/** `gatecheck hooks`: one address for the test hooks of several gateways, until SIGTERM. */
export async function hooksCommand({ to, host, port }: HooksOptions): Promise<ExitCode> {
  const bad = to.find((url) => !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol));
  if (bad !== undefined) throw new UsageError(`--to ${bad} is not an http(s) address`);
  const urls = to.map((url) => url.replace(/\/+$/, ''));
  const interrupts = catchInterrupts();
  try {
    const fan = await startHookFan(() => urls, { host, port }).catch((error: Error) => {
      throw new UsageError(`--host ${host} --port ${port}: ${error.message}`);
    });
    process.stdout.write(`${JSON.stringify({ hooks_url: fan.url })}\n`);
    if (!interrupts.signal.aborted) await once(interrupts.signal, 'abort');
    await fan.close();
    return exitCodes.conforming;
  } finally {
    interrupts.release();
  }
}
