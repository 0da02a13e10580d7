import { z } from 'zod';
import { hostPortOf, mayBePublic } from '../../outbound/host-port.ts';
import { maxUrlLength, namesUser, plainUrl } from '../../outbound/plain-url.ts';

export type UrlSchema = z.ZodType<string>;

/** Rules for the URLs in requests. */
export interface UrlRules {
  /** Whether URLs that upstreams fetch may lead to private addresses: true on gateways under test. */
  readonly takesPrivate: boolean;
  /** Why webhooks may not go to a URL; null when they may. */
  readonly refuseWebhook: (url: string) => string | null;
}

const url = z
  .string('must be a string')
  .refine((text) => httpsUrlOf(text) !== null, 'must be an https URL')
  .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', maxLength: maxUrlLength });

/** A schema of https URLs that upstreams fetch. Only the upstream knows what a host name resolves to there. */
export function mediaUrl({ takesPrivate }: UrlRules): UrlSchema {
  return takesPrivate
    ? url
    : url.refine((text) => !isPrivateUrl(text), 'must be a URL that anyone can reach');
}

/** A schema of https URLs for webhooks. */
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

/** Whether an http or https URL clearly leads to a private address, or can be read in more than one way. */
export function isPrivateUrl(text: string): boolean {
  const parsed = plainUrl(text);
  return parsed === null || !mayBePublic(hostPortOf(parsed).host);
}
