/** The native protocols that upstreams speak. */
export const DIALECTS = ['chat-completions', 'messages', 'generate-content'] as const;
export type DialectName = (typeof DIALECTS)[number];
