import type { Job, RunInput } from './run-input.ts';

/**
 * Waits until the gate lets the job begin, or has noted its end. Without a gate it does nothing.
 * @throws Error when the gate refuses
 */
export async function askGate(
  { gate }: RunInput,
  what: 'begin' | 'end',
  { target, check }: Job,
): Promise<void> {
  if (gate === undefined) return;
  const answer = await fetch(`${gate}/${what}?${new URLSearchParams({ target, check })}`);
  if (!answer.ok) throw new Error(`the gate of the jobs: ${await answer.text()}`);
  await answer.body?.cancel();
}
