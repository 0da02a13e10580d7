import { z } from 'zod';
import { hostPortOf, mayBePublic } from '../../outbound/host-port.ts';
import { maxUrlLength, namesUser, plainUrl } from '../../outbound/plain-url.ts';

export type UrlSchema = z.ZodType<string>;

/** What holds for the URLs of all requests. */
export interface UrlRules {
  /** Whether those that upstreams fetch may lead to private addresses: on gateways that are tested. */
  readonly takesPrivate: boolean;
  /** Why no event is sent to a URL; null when nothing speaks against it. */
  readonly refuseWebhook: (url: string) => string | null;
}

const url = z
  .string('must be a string')
  .refine((text) => httpsUrlOf(text) !== null, 'must be an https URL')
  .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', maxLength: maxUrlLength });

/** A schema of https URLs that upstreams fetch. What a name stands for there, they alone can know. */
export function mediaUrl({ takesPrivate }: UrlRules): UrlSchema {
  return takesPrivate
    ? url
    : url.refine((text) => !isPrivateUrl(text), 'must be a URL that anyone can reach');
}

/** A schema of the https URLs that events go to. */
export function webhookUrl({ refuseWebhook }: UrlRules): UrlSchema {
  return url.superRefine((text, { addIssue }) => {
    const message = refuseWebhook(text);
    if (message !== null) addIssue({ code: 'custom', message });
  });
}

function httpsUrlOf(text: string): URL | null {
  const parsed = plainUrl(text);
  return parsed?.protocol === 'https:' && !namesUser(text) ? parsed : null;
}

/** Whether an http or https URL plainly leads to a private place, or is none that everybody reads alike. */
export function isPrivateUrl(text: string): boolean {
  const parsed = plainUrl(text);
  return parsed === null || !mayBePublic(hostPortOf(parsed).host);
}
