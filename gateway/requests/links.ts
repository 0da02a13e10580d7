import { isObject, type JsonObject } from '../http/parse-json.ts';

/** A text of a request that its upstream may take for the URL of something to fetch, with its bracket path. */
export interface Link {
  readonly at: string;
  readonly url: string;
}

/** Members whose texts are URLs, in any protocol and spelling. */
const urlName = /(?:url|uri)s?$/i;

/**
 * The links in a native body, in document order: the text of every member that is named for a URL, however deep it
 * lies and whatever the protocol knows of its place. Members named in `data` hold the caller's own values.
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

/** Spares the path of what holds no link: bodies may have a million values. */
function mayHold(value: unknown, isUrl: boolean): boolean {
  return typeof value === 'string' ? isUrl : typeof value === 'object' && value !== null;
}

/** What parsers drop from a URL before they read it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const dropped = /[\s\u0000-\u001f\u007f\ufeff]/g;
/** Schemes of what no host of the web serves: bytes in the body, objects in the upstream's own storage. */
const placeless: ReadonlySet<string> = new Set(['data', 'gs']);

/**
 * Whether a text, as leniently as any parser reads it, is a URL that leads to a host. A name or an id, which has no
 * scheme, is none.
 */
export function leadsSomewhere(text: string): boolean {
  if (/^data:/i.test(text)) return false;
  const read = text.replace(dropped, '');
  if (/^[/\\]{2}/.test(read)) return true;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(read)?.[1]?.toLowerCase();
  return scheme !== undefined && !placeless.has(scheme);
}
