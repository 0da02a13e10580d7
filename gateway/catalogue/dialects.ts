/** The native protocols of upstreams with chat models. */
export const dialects = ['chat-completions', 'messages', 'generate-content'] as const;
export type DialectName = (typeof dialects)[number];

/**
 * The native protocols of media models: images in one answer; jobs that are polled; jobs that send callbacks, and can be
 * polled as well.
 */
export const mediaDialects = ['images', 'jobs', 'callback-jobs'] as const;
export type MediaDialectName = (typeof mediaDialects)[number];

/** Every native protocol that a channel may speak. */
export const channelDialects = [...dialects, ...mediaDialects] as const;
export type ChannelDialect = (typeof channelDialects)[number];

export function isChatDialect(dialect: ChannelDialect): dialect is DialectName {
  return dialects.some((known) => known === dialect);
}

/** Whether upstreams of this dialect run jobs that outlast a request. */
export function startsJobs(dialect: ChannelDialect): boolean {
  return dialect === 'jobs' || dialect === 'callback-jobs';
}
