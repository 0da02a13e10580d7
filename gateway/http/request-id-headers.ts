/** The id of a request, also under the name by which the clients of the messages protocol look for it. */
export function requestIdHeaders(requestId: string, path: string): Readonly<Record<string, string>> {
  const native = path.startsWith('/compat-a/') ? { 'request-id': requestId } : {};
  return { 'x-request-id': requestId, ...native };
}
