import type { DialectName } from '../catalogue/dialects.ts';

/** What a client on this path speaks, existing or not: where its key stands, and what it reads errors by. */
export function protocolOf(path: string): DialectName {
  if (path.startsWith('/compat-a/')) return 'messages';
  return path.startsWith('/compat-b/') ? 'generate-content' : 'chat-completions';
}
