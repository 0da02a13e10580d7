/** The error with which a promise was rejected; null when it was not. */
export function errorOf(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => null,
    (error: unknown) => error,
  );
}
