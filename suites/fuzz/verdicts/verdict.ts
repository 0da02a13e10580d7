/** What one look at an answer found. */
export interface Verdict {
  /** `observed`: the text is silent. `warn`: advice. `fail`: what no answer may be. */
  readonly level: 'observed' | 'warn' | 'fail';
  /** Short and stable: findings of one cause are one. */
  readonly cause: string;
  readonly expected: string;
  readonly actual: string;
}

export const failure = (cause: string, expected: string, actual: string): Verdict => ({
  ...{ level: 'fail', cause, expected, actual },
});

export const warning = (cause: string, expected: string, actual: string): Verdict => ({
  ...{ level: 'warn', cause, expected, actual },
});

export const observation = (cause: string, expected: string, actual: string): Verdict => ({
  ...{ level: 'observed', cause, expected, actual },
});
