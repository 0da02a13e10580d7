import { isObject, type JsonObject } from '../http/parse-json.ts';

/** A text of a request that its upstream may fetch as a URL, with its bracket path. */
export interface Link {
  readonly at: string;
  readonly url: string;
}

/** Members whose texts are URLs, in any protocol and spelling. */
const urlName = /(?:url|uri)s?$/i;

/**
 * The links in a native body, in document order: the text of every member with a URL name. Neither depth nor the protocol's
 * own rules matter. Members named in `data` hold the caller's own values.
 */
export function linksIn(body: JsonObject, data: ReadonlySet<string>): Link[] {
  const links: Link[] = [];
  const visit = (value: unknown, at: string, isUrl: boolean): void => {
    if (typeof value === 'string') {
      if (isUrl) links.push({ at, url: value });
    } else if (Array.isArray(value)) {
      for (const [i, one] of value.entries()) if (mayHold(one, isUrl)) visit(one, `${at}[${i}]`, isUrl);
    } else if (isObject(value)) {
      for (const name in value) {
        const isNamed = urlName.test(name);
        const one = value[name];
        if (mayHold(one, isNamed) && !data.has(name)) visit(one, at === '' ? name : `${at}.${name}`, isNamed);
      }
    }
  };
  visit(body, '', false);
  return links;
}

/** Skips values that cannot hold a link, without building their path: bodies may have a million values. */
function mayHold(value: unknown, isUrl: boolean): boolean {
  return typeof value === 'string' ? isUrl : typeof value === 'object' && value !== null;
}

/** Characters that parsers drop from a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const dropped = /[\s\u0000-\u001f\u007f\ufeff]/g;
/** Schemes that name no web host: bytes in the body, and objects in the upstream's own storage. */
const placeless: ReadonlySet<string> = new Set(['data', 'gs']);

/**
 * Whether a text, even for the most lenient parser, is a URL that points to a host. False for a name or an id, which has no
 * scheme.
 */
export function leadsSomewhere(text: string): boolean {
  if (/^data:/i.test(text)) return false;
  const read = text.replace(dropped, '');
  if (/^[/\\]{2}/.test(read)) return true;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(read)?.[1]?.toLowerCase();
  return scheme !== undefined && !placeless.has(scheme);
}
