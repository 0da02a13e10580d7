import type { Dialect } from '../../profile/dialects.ts';
import { chatModel } from '../chat-catalogue.ts';

/** The native dialect of a model's upstreams. */
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

/** The dialect of an upstream request's path, including token-counting calls; null for an unknown one. */
export function dialectOfPath(path: string): Dialect | null {
  const [bare = ''] = path.split('?', 1);
  if (bare.endsWith('/chat/completions')) return 'chat-completions';
  if (/\/messages(\/count_tokens)?$/.test(bare)) return 'messages';
  return /:(generateContent|streamGenerateContent|countTokens)$/.test(bare) ? 'generate-content' : null;
}

/** A part of the id of every raw answer of the suites. A deployment may pass an upstream's id on, so this one may return. */
export const rawId = 'native-raw';

/** Whether an upstream request only counts the tokens of a prompt and produces nothing. */
export function isCountingCall(path: string): boolean {
  return /(\/count_tokens|:countTokens)$/.test(path.split('?', 1)[0] ?? '');
}
