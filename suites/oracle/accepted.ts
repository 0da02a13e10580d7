/**
 * The rule for a legal request that fails in a check of another subject: success is 200 with a completion or a
 * stream.
 */
export const plainAccepted = { requirement: 'RESP-023', aspect: 'success-status' } as const;
export const streamAccepted = { requirement: 'SSE-001', aspect: 'accepts-stream' } as const;
