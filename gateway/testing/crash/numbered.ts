/**
 * Requests of an audit are numbered. The prompt tells the number to the upstream, the upstream's counts and lengths are
 * made of it, and so is the charge: each usage record shows which request it is for.
 */
export interface Numbered {
  readonly n: number;
  readonly user: string;
}

export function promptOf({ n, user }: Numbered): string {
  return `number ${n} of ${user}`;
}

/** The request that a body or a prompt belongs to. */
export function numberIn(text: string): Numbered | null {
  const [, n, user] = /number (\d+) of (\w+)/.exec(text) ?? [];
  return n === undefined || user === undefined ? null : { n: Number(n), user };
}

const firstCount = 1_000;

/** Tokens that the upstream of a chat reports. */
export function tokensOf(n: number): { prompt: number; cached: number; completion: number } {
  return { prompt: 20 + (n % 13), cached: n % 7, completion: firstCount + n };
}

/** The chat that these completion tokens were reported for. */
export function numberOfTokens(completionTokens: number): number {
  return completionTokens - firstCount;
}

/** Seconds of the video or sound that a job makes. */
export function secondsOf(n: number): number {
  return 4 + (n % 5);
}
