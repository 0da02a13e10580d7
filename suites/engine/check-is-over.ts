/** Why something that a check had under way was ended: the check itself is over, and its verdict stands. */
export class CheckIsOver extends Error {
  override readonly name = 'CheckIsOver';

  constructor() {
    super('the check is over');
  }
}

/** Whether an error only tells that a check is over, also when it went through a timer or another process. */
export function tellsOfEnd(error: unknown): boolean {
  if (error === null || typeof error !== 'object') return false;
  const { name, cause } = error as { name?: unknown; cause?: unknown };
  return name === 'CheckIsOver' || tellsOfEnd(cause);
}
