import { z } from 'zod';
import type { Outbound } from '../../outbound/outbound.ts';
import { maxUrlLength, namesUser, plainUrl } from '../../outbound/plain-url.ts';

export type UrlSchema = z.ZodType<string>;

/** The rules for the targets of URLs in requests: webhooks, and media that upstreams fetch for the caller. */
export type UrlRules = Pick<Outbound, 'refuse'>;

const url = z
  .string('must be a string')
  .refine((text) => httpsUrlOf(text) !== null, 'must be an https URL')
  .meta({ format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]://', maxLength: maxUrlLength });

/** A schema of https URLs that upstreams fetch. Only the upstream knows what a host name resolves to there. */
export function mediaUrl(rules: UrlRules): UrlSchema {
  return guarded(rules, 'file');
}

/** A schema of https URLs for webhooks. */
export function webhookUrl(rules: UrlRules): UrlSchema {
  return guarded(rules, 'webhook');
}

function guarded(rules: UrlRules, kind: Parameters<UrlRules['refuse']>[1]): UrlSchema {
  return url.superRefine((text, { addIssue }) => {
    const message = rules.refuse(text, kind);
    if (message !== null) addIssue({ code: 'custom', message });
  });
}

function httpsUrlOf(text: string): URL | null {
  const parsed = plainUrl(text);
  return parsed?.protocol === 'https:' && !namesUser(text) ? parsed : null;
}
