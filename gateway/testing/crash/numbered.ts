/**
 * The requests of an audit are numbered. The prompt tells the upstream the number. The upstream's counts and lengths derive
 * from it, and so does the charge: each usage record shows which request it is for.
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

/** The chat request that these completion tokens belong to. */
export function numberOfTokens(completionTokens: number): number {
  return completionTokens - firstCount;
}

/** Seconds of the video or audio that a job makes. */
export function secondsOf(n: number): number {
  return 4 + (n % 5);
}
