import type { Profile } from '../profile/profile.ts';
import type { CarriedRequest } from '../profile/translation.ts';
import type { SentRequest } from './exchange.ts';
import { type AnswerReader, readAnswer } from './translate-answer.ts';

/** How one request, and the answer to it, are said to a deployment that speaks otherwise. */
export interface Words {
  /** The request as the wire carries it. */
  readonly carried: SentRequest;
  readonly reader: (head: Parameters<typeof readAnswer>[2]) => AnswerReader;
}

/** Undefined where the deployment speaks as the specification does. */
export function wordsOf(
  { base_url, translation }: Pick<Profile, 'base_url' | 'translation'>,
  sent: SentRequest,
): Words | undefined {
  if (translation === undefined) return undefined;
  const base = base_url.replace(/\/+$/, '');
  const { method, url, headers, body } = sent;
  const request: CarriedRequest = { method, path: url.slice(base.length), headers, body };
  const { path, ...rest } = translation.request(request);
  return {
    carried: { ...rest, headers: withoutOldLength(rest.headers, body, rest.body), url: base + path },
    reader: (head) => readAnswer(translation, request, head),
  };
}

/** A length that a check states is that of its own body. */
function withoutOldLength(headers: SentRequest['headers'], was: Buffer, is: Buffer): SentRequest['headers'] {
  return was.equals(is) ? headers : headers.filter(([name]) => !/^content-length$/i.test(name));
}

/** The request as the wire carries it. */
export function carriedRequest(
  profile: Pick<Profile, 'base_url' | 'translation'>,
  sent: SentRequest,
): SentRequest {
  return wordsOf(profile, sent)?.carried ?? sent;
}
