/** The native protocols of upstreams that chat. */
export const dialects = ['chat-completions', 'messages', 'generate-content'] as const;
export type Dialect = (typeof dialects)[number];

/** The native protocols of upstreams that make pictures, video and sound. */
export const mediaDialects = ['images', 'jobs', 'callback-jobs'] as const;
export type MediaDialect = (typeof mediaDialects)[number];
