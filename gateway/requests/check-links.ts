import { invalidParam } from '../errors/gateway-error.ts';
import type { ChatRequest } from './chat-request.ts';
import { maxParamLength } from './first-issue.ts';
import { type Link, leadsSomewhere } from './links.ts';
import type { UrlRules } from './media/https-url.ts';
import type { Message } from './message-schema.ts';

/**
 * Rejects links that the guard does not accept, anywhere in the body. Behind a private address, an upstream could read data
 * that the caller must not get.
 */
export function checkLinks({ fields, native }: ChatRequest, rules: UrlRules): void {
  const links = native?.links ?? fields.messages.flatMap(linksOf);
  for (const { at, url } of links) {
    const rule = leadsSomewhere(url) ? rules.refuse(url, 'file') : null;
    if (rule === null) continue;
    const param = at.slice(0, maxParamLength);
    throw invalidParam(param, `${param} ${rule}.`);
  }
}

function linksOf({ role, content }: Message, m: number): Link[] {
  if (role !== 'user' || typeof content === 'string') return [];
  return content.flatMap((block, b) =>
    block.type === 'image_url'
      ? [{ at: `messages[${m}].content[${b}].image_url.url`, url: block.image_url.url }]
      : [],
  );
}
