import type { JobResult, JobTarget } from './run-input.ts';

/** A job that a desk gives out: a number to answer by, the check, and the gateway that it judges. */
export interface Order {
  readonly ticket: number;
  readonly check: string;
  readonly target: JobTarget;
}

/** What a lane tells the desk when it asks for its next order: the result of the one before, if there was one. */
export interface Done {
  readonly ticket: number;
  readonly result: JobResult;
}

/** What the desk answers besides an order. */
export const deskSays = { nothingNow: 204, over: 410 } as const;

/**
 * Gives the desk a result and waits for the next order; null when there will be none.
 * @throws Error when the desk refuses
 */
export async function askDesk(desk: string, done: Done | null, signal: AbortSignal): Promise<Order | null> {
  for (let tells = done; ; tells = null) {
    const answer = await fetch(`${desk}/next`, { method: 'POST', body: JSON.stringify(tells), signal });
    if (answer.ok && answer.status !== deskSays.nothingNow) return (await answer.json()) as Order;
    const text = await answer.text();
    if (answer.status === deskSays.over) return null;
    if (!answer.ok) throw new Error(`the desk of the jobs: ${text}`);
  }
}
