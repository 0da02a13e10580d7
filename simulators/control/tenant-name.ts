/** The tenant and channel of requests whose URL names none. */
export const defaultTenant = 'default';
export const defaultChannel = 'default';

/** Whether the name can be the first segment of a URL. `v1`, for example, cannot: it begins a native path. */
export function isTenantName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name) && !isNativeStart(name);
}

/** First segments of provider paths that have no version in front. */
const starts: readonly string[] = ['openai', 'chat', 'embeddings', 'responses', 'models'];

export function isNativeStart(segment: string): boolean {
  return /^v\d/.test(segment) || starts.includes(segment);
}
