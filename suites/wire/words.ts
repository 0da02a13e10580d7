import type { Profile } from '../profile/profile.ts';
import type { CarriedRequest } from '../profile/translation.ts';
import type { SentRequest } from './exchange.ts';
import { type AnswerReader, readAnswer } from './translate-answer.ts';

/** The translation of one request and its answer, for a deployment with a dialect. */
export interface Words {
  /** The request on the wire. */
  readonly carried: SentRequest;
  readonly reader: (head: Parameters<typeof readAnswer>[2]) => AnswerReader;
}

/** Undefined when the deployment needs no translation. */
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

/** Removes a Content-Length that fits only the untranslated body. */
function withoutOldLength(headers: SentRequest['headers'], was: Buffer, is: Buffer): SentRequest['headers'] {
  return was.equals(is) ? headers : headers.filter(([name]) => !/^content-length$/i.test(name));
}

/** The request on the wire. */
export function carriedRequest(
  profile: Pick<Profile, 'base_url' | 'translation'>,
  sent: SentRequest,
): SentRequest {
  return wordsOf(profile, sent)?.carried ?? sent;
}
