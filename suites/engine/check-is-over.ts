/** The reason why a check's pending work was ended: the check or the whole run is over. */
export class CheckIsOver extends Error {
  override readonly name = 'CheckIsOver';

  constructor(reason = 'the check is over') {
    super(reason);
  }
}

/** Whether an error only reports the end of a check, also through a timer or another process. */
export function tellsOfEnd(error: unknown): boolean {
  if (error === null || typeof error !== 'object') return false;
  const { name, cause } = error as { name?: unknown; cause?: unknown };
  return name === 'CheckIsOver' || tellsOfEnd(cause);
}
