/** Why something that a check had under way was ended: the check itself is over, or the whole run is. */
export class CheckIsOver extends Error {
  override readonly name = 'CheckIsOver';

  constructor(reason = 'the check is over') {
    super(reason);
  }
}

/** Whether an error only means that a check is over, also after a timer or another process. */
export function tellsOfEnd(error: unknown): boolean {
  if (error === null || typeof error !== 'object') return false;
  const { name, cause } = error as { name?: unknown; cause?: unknown };
  return name === 'CheckIsOver' || tellsOfEnd(cause);
}
