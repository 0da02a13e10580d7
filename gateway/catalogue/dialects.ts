/** The native protocols of upstreams with chat models. */
export const DIALECTS = ['chat-completions', 'messages', 'generate-content'] as const;
export type DialectName = (typeof DIALECTS)[number];

/**
 * Those of upstreams with other models: pictures in one answer; jobs that are asked after; jobs that report back, and can
 * be asked after as well.
 */
export const MEDIA_DIALECTS = ['images', 'jobs', 'callback-jobs'] as const;
export type MediaDialectName = (typeof MEDIA_DIALECTS)[number];

/** Every native protocol that a channel may speak. */
export const CHANNEL_DIALECTS = [...DIALECTS, ...MEDIA_DIALECTS] as const;
export type ChannelDialect = (typeof CHANNEL_DIALECTS)[number];

export function isChatDialect(dialect: ChannelDialect): dialect is DialectName {
  return DIALECTS.some((known) => known === dialect);
}
