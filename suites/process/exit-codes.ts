/** The exit codes of the process. Stable: CI gates on these. */
export const exitCodes = {
  conforming: 0,
  failures: 1,
  usage: 2,
  unreachable: 3,
  harness: 4,
  waivers: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The caller's mistake: arguments, profile or credentials. Its message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The user interrupted before anything was judged. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/** The target cannot be judged: it is unreachable, or a different API. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}
