/** The id of a call: the upstream's own, or a new one when it has none or has used it for another call before. */
export function callId(native: unknown, used: Set<string>, newCallId: () => string): string {
  const isUsable = typeof native === 'string' && native !== '' && !used.has(native);
  const id = isUsable ? native : newCallId();
  used.add(id);
  return id;
}
