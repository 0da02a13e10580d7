import { type Body, forwards } from './defects.ts';
import type { Mutation } from './mutation.ts';

/** Defects in what of media and cache hints reaches an upstream, in whatever dialect it is spoken to. */

/** A medium of a native request: the bytes as base64, or an address. */
export interface NativeMedium {
  mime: string;
  base64: string;
  url: string;
}

/** Changes each medium in place, before the upstream sees it. */
export function mediaAtUpstream(edit: (medium: NativeMedium) => void): Mutation {
  return forwards((body) => walk(body, (object) => editMedium(object, edit)));
}

/** Calls with each object that carries a cache hint, in the order of the body. */
export function hintedAtUpstream(edit: (block: Body, index: number) => void): Mutation {
  return forwards((body) => {
    for (const [index, block] of hintedIn(body).entries()) edit(block, index);
  });
}

/** The objects of a request that carry a cache hint, in the order of the body. */
export function hintedIn(body: Body): Body[] {
  const found: Body[] = [];
  walk(body, (object) => {
    if ('cache_control' in object) found.push(object);
  });
  return found;
}

/** The hint of a block. */
export function hintOf(block: Body): Body {
  return (block.cache_control ?? {}) as Body;
}

function editMedium(object: Body, edit: (medium: NativeMedium) => void): void {
  const [mimeName, dataName, urlName] = membersOf(object);
  if (urlName === 'url' && String(object.url).startsWith('data:')) {
    const [, mime = '', base64 = ''] = /^data:([^;]*);base64,(.*)$/s.exec(String(object.url)) ?? [];
    const medium = { mime, base64, url: '' };
    edit(medium);
    object.url = medium.url || `data:${medium.mime};base64,${medium.base64}`;
    return;
  }
  const medium: NativeMedium = {
    mime: String(object[mimeName] ?? ''),
    base64: String(object[dataName] ?? ''),
    url: String(object[urlName] ?? ''),
  };
  if (medium.base64 === '' && medium.url === '') return;
  edit(medium);
  if (mimeName in object) object[mimeName] = medium.mime;
  if (dataName in object) object[dataName] = medium.base64;
  if (urlName in object) object[urlName] = medium.url;
}

/** What a dialect calls media type, bytes and address. */
function membersOf(object: Body): readonly [mime: string, data: string, url: string] {
  if ('mimeType' in object) return ['mimeType', 'data', 'fileUri'];
  return ['media_type', 'data', 'url'];
}

function walk(value: unknown, visit: (object: Body) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) walk(item, visit);
  } else if (value !== null && typeof value === 'object') {
    visit(value as Body);
    for (const member of Object.values(value)) walk(member, visit);
  }
}
