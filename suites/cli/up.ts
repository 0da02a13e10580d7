import { resolve } from 'node:path';
import { type ExitCode, exitCodes } from '../engine/exit-codes.ts';
import { startStack } from '../targets/stack.ts';
import { stackTimes } from '../targets/stack-times.ts';
import { catchInterrupts } from './interrupt.ts';

export interface UpOptions {
  readonly targetOut?: string;
  readonly port: number;
  readonly dataDir?: string;
  readonly seed: number;
  readonly timeoutMs?: number;
  readonly coolDownMs?: readonly number[];
  /** False: neither the gateway nor the simulators have a clock that can be moved. */
  readonly clock: boolean;
}

/** `gatecheck up`: the reference stack in the foreground, with one JSON line on stdout once it is ready. */
export async function upCommand(options: UpOptions): Promise<ExitCode> {
  const interrupts = catchInterrupts();
  const stack = await startStack({
    seed: options.seed,
    port: options.port,
    times: stackTimes(options),
    clock: options.clock,
    ...(options.dataDir === undefined ? {} : { dataDir: resolve(options.dataDir) }),
    ...(options.targetOut === undefined ? {} : { profilePath: resolve(options.targetOut) }),
  });
  try {
    process.stdout.write(`${JSON.stringify({ base_url: stack.baseUrl, target: stack.profilePath })}\n`);
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
