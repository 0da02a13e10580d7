/** The native protocols of chat upstreams. */
export const dialects = ['chat-completions', 'messages', 'generate-content'] as const;
export type Dialect = (typeof dialects)[number];

/** The native protocols of image, video and audio upstreams. */
export const mediaDialects = ['images', 'jobs', 'callback-jobs'] as const;
export type MediaDialect = (typeof mediaDialects)[number];
