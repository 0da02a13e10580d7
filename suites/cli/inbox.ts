import { join } from 'node:path';
import { type ExitCode, UsageError } from '../process/exit-codes.ts';
import { StartError } from '../stack/child.ts';
import { startReceiverIn } from '../stack/start-receiver.ts';
import { catchInterrupts } from './interrupt.ts';
import { runUntilTold } from './run-until-told.ts';

export interface InboxOptions {
  readonly listen: string;
  readonly baseUrl: string;
  readonly controlListen: string;
  readonly dir: string;
}

/** `gatecheck inbox`: receives events of a deployment for judges on other machines, until SIGTERM. */
export async function inboxCommand({ listen, baseUrl, controlListen, dir }: InboxOptions): Promise<ExitCode> {
  const interrupts = catchInterrupts();
  try {
    // An authority that is kept: who trusts it still does after a restart.
    const authority = ['--ca-file', join(dir, 'receiver-authority.pem')];
    const places = ['--listen', listen, '--base-url', baseUrl, '--control-listen', controlListen];
    const flags = [...places, ...authority];
    const { child, ready } = await startReceiverIn(dir, flags).catch((error: unknown) => {
      throw error instanceof StartError ? new UsageError(error.message) : error;
    });
    const { url, control_url, ca } = ready;
    process.stdout.write(`${JSON.stringify({ url, control_url, ca })}\n`);
    return await runUntilTold(child, interrupts.signal, 'the receiver ended unexpectedly');
  } finally {
    interrupts.release();
  }
}
