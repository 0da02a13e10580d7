/**
 * Under what a legal request that is not answered with success is reported, where the check is not about being accepted:
 * the rule that success is 200 with a completion, or with a stream.
 */
export const plainAccepted = { requirement: 'RESP-023', aspect: 'success-status' } as const;
export const streamAccepted = { requirement: 'SSE-001', aspect: 'accepts-stream' } as const;
