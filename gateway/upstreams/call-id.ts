/** The id of a tool call: the upstream's, or a new one if it is missing or was used for an earlier call. */
export function callId(native: unknown, used: Set<string>, newCallId: () => string): string {
  const isUsable = typeof native === 'string' && native !== '' && !used.has(native);
  const id = isUsable ? native : newCallId();
  used.add(id);
  return id;
}
