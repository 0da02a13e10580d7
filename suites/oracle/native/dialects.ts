import type { Dialect } from '../../profile/dialects.ts';
import { chatModel } from '../chat-catalogue.ts';

/** The native dialect in which the upstreams of a model are spoken to. */
export function dialectOf(model: string): Dialect {
  switch (chatModel(model)?.family) {
    case 'beta':
      return 'messages';
    case 'gamma':
      return 'generate-content';
    default:
      return 'chat-completions';
  }
}

/** The dialect to which the path of an upstream request belongs, counting calls included; null for an unknown one. */
export function dialectOfPath(path: string): Dialect | null {
  const [bare = ''] = path.split('?', 1);
  if (bare.endsWith('/chat/completions')) return 'chat-completions';
  if (/\/messages(\/count_tokens)?$/.test(bare)) return 'messages';
  return /:(generateContent|streamGenerateContent|countTokens)$/.test(bare) ? 'generate-content' : null;
}

/** Whether an upstream request only asks how long a prompt is: it produces nothing. */
export function isCountingCall(path: string): boolean {
  return /(\/count_tokens|:countTokens)$/.test(path.split('?', 1)[0] ?? '');
}
