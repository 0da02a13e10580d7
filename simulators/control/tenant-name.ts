/** The tenant and channel of requests whose URL names none. */
export const defaultTenant = 'default';
export const defaultChannel = 'default';

/** Whether the name can be the first segment of a URL: not `v1`, which begins a native path. */
export function isTenantName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(name) && !isNativeStart(name);
}

/** How paths of providers begin that have no version in front. */
const starts: readonly string[] = ['openai', 'chat', 'embeddings', 'responses', 'models'];

export function isNativeStart(segment: string): boolean {
  return /^v\d/.test(segment) || starts.includes(segment);
}
