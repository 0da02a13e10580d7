/** The headers with the id of a request, also under the name that clients of the messages protocol read. */
export function requestIdHeaders(requestId: string, path: string): Readonly<Record<string, string>> {
  const native = path.startsWith('/compat-a/') ? { 'request-id': requestId } : {};
  return { 'x-request-id': requestId, ...native };
}
