import type { DialectName } from '../catalogue/dialects.ts';

/**
 * The dialect of clients on this path, even if the path does not exist. It decides where clients send the key and which error
 * format they read.
 */
export function protocolOf(path: string): DialectName {
  if (path.startsWith('/compat-a/')) return 'messages';
  return path.startsWith('/compat-b/') ? 'generate-content' : 'chat-completions';
}
