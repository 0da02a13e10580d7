/**
 * The rule under which a check reports a legal request that fails, where the check itself is not about acceptance.
 * The rule is that success is 200 with a completion or a stream.
 */
export const plainAccepted = { requirement: 'RESP-023', aspect: 'success-status' } as const;
export const streamAccepted = { requirement: 'SSE-001', aspect: 'accepts-stream' } as const;
