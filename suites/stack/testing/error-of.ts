/** The error of a rejected promise; null when it was not rejected. */
export function errorOf(work: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(work).then(
    () => null,
    (error: unknown) => error,
  );
}
