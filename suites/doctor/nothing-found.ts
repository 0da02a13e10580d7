import type { Profile } from '../profile/profile.ts';
import { type Exchange, excerpt, jsonOf } from '../wire/exchange.ts';
import { createRedactor } from '../wire/redactor.ts';
import { statusOf } from './ask-interface.ts';

/** How many answers are quoted, and how much of each. */
const mostQuoted = 3;
const quotedLength = 160;

/** Why an address cannot be described, by the answers that tell most: those of an interface, and not of an unknown path. */
export function nothingFound(profile: Profile, answers: readonly Exchange[]): string {
  const hide = createRedactor(profile);
  const telling = answers
    .filter((one) => statusOf(one) !== 0)
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const said = telling.map((one) => {
    const path = new URL(one.request.url).pathname;
    return `${one.request.method} ${path}: HTTP ${statusOf(one)} ${excerpt(one, quotedLength)}`;
  });
  const refusesKey = telling.length > 0 && telling.every((one) => [401, 403, 404].includes(statusOf(one)));
  const advice =
    refusesKey && telling.some((one) => statusOf(one) !== 404)
      ? 'Is the key right? It was sent in Authorization, x-api-key, api-key and x-goog-api-key'
      : 'Give the prefix of its routes in --base-url, and headers that it needs by --header "name: value"';
  const quoted = [...new Set(said)].slice(0, mostQuoted).join('; ');
  return hide(`${profile.base_url} lists no models at the usual paths (${quoted}). ${advice}`);
}

/** The lower, the more it tells. */
function rankOf(answer: Exchange): number {
  if (jsonOf(answer) === undefined) return 3;
  return statusOf(answer) === 404 ? 2 : Number(statusOf(answer) >= 400);
}
