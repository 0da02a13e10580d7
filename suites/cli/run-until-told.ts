import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import type { Child } from '../stack/child.ts';

/**
 * Lets a process run until `told` ends it, or until it ends on its own.
 * @param sentence printed before its exit code in that case
 */
export async function runUntilTold(child: Child, told: AbortSignal, sentence: string): Promise<ExitCode> {
  const asked = new Promise<'asked'>((end) => {
    if (told.aborted) end('asked');
    told.addEventListener('abort', () => end('asked'), { once: true });
  });
  const first = await Promise.race([asked, child.ended]);
  await child.stop();
  if (first === 'asked') return exitCodes.conforming;
  process.stderr.write(`gatecheck: ${sentence} (exit code ${first})\n`);
  return exitCodes.harness;
}
