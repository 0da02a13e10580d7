import { invalidParam } from '../errors/gateway-error.ts';
import { type ChatRequest, paramOf } from './chat-request.ts';
import { isPrivateUrl, type UrlRules } from './media/https-url.ts';
import type { Message } from './message-schema.ts';

/** Rejects media URLs that lead to private addresses: what the upstream finds there would not be the caller's. */
export function checkMediaUrls(request: ChatRequest, { takesPrivate }: UrlRules): void {
  if (takesPrivate) return;
  for (const [m, message] of request.fields.messages.entries()) {
    for (const [b, url] of urlsOf(message)) {
      if (!isPrivateUrl(url)) continue;
      const param = paramOf(request, `messages[${m}].content[${b}].image_url.url`);
      throw invalidParam(param, `${param} must be a URL that anyone can reach.`);
    }
  }
}

/** The URLs in a message, each with the position of its block. */
function urlsOf({ role, content }: Message): (readonly [number, string])[] {
  if (role !== 'user' || typeof content === 'string') return [];
  return [...content.entries()].flatMap(([b, block]) =>
    block.type === 'image_url' && /^https?:/i.test(block.image_url.url)
      ? [[b, block.image_url.url] as const]
      : [],
  );
}
