import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { malformedBodies } from '../../oracle/hostile-bodies.ts';
import type { Rng } from '../../values/seed.ts';
import { keySlot } from '../grammar/subject.ts';
import {
  open,
  openBody,
  type RequestDamage,
  sure,
  sureBody,
  withBody,
  withHeaders,
  withKey,
  without,
  withPath,
  withQuery,
} from './request-damage.ts';

const pathDamages: readonly RequestDamage[] = [
  { part: '(path)', kind: 'a slash at its end', ...open, apply: withPath((path) => `${path}/`) },
  {
    part: '(path)',
    kind: 'two slashes',
    ...open,
    apply: withPath((path) => path.replace(/\/(?=[^/]*$)/, '//')),
  },
  { part: '(path)', kind: 'other case', ...open, apply: withPath((path) => path.toUpperCase()) },
  {
    part: '(path)',
    kind: 'broken percent sign',
    ...sure,
    apply: withPath((path, rng) => `${path}${rng.pick(['%', '%z', '%zz', '%f'])}`),
  },
  {
    part: '(path)',
    kind: 'bytes that are not UTF-8',
    ...sure,
    apply: withPath((path, rng) => `${path}${rng.pick(['%ff', '%c0%80', '%ed%a0%80'])}`),
  },
  { part: '(path)', kind: 'NUL', ...sure, apply: withPath((path) => `${path}%00`) },
  {
    part: '(path)',
    kind: 'dots',
    ...open,
    apply: withPath((path, rng) =>
      path.replace('/api/', rng.pick(['/api/../api/', '/./api/', '/api/%2e%2e/api/'])),
    ),
  },
  {
    part: '(path)',
    kind: 'very long',
    ...sure,
    apply: withPath((path, rng) => `${path}/${'p'.repeat(rng.pick([2_000, 12_000]))}`),
  },
  { part: '(path)', kind: 'one segment more', ...sure, apply: withPath((path) => `${path}/zz/zz`) },
  { part: '(path)', kind: 'one letter less', ...sure, apply: withPath((path) => path.slice(0, -1)) },
  { part: '(query)', kind: 'unknown parameter', ...open, apply: withQuery(() => 'zz=7') },
  { part: '(query)', kind: 'the same parameter twice', ...open, apply: withQuery(() => 'zz=7&zz=8&zz[]=9') },
  {
    part: '(query)',
    kind: 'very many parameters',
    ...open,
    apply: withQuery(() => Array.from({ length: 1_000 }, (_, at) => `z${at}`).join('&')),
  },
  {
    part: '(query)',
    kind: 'broken percent sign',
    ...open,
    apply: withQuery((rng) => `zz=${rng.pick(['%', '%zz', '%ff', '%00'])}`),
  },
  { part: '(query)', kind: 'very long', ...open, apply: withQuery(() => `zz=${'q'.repeat(10_000)}`) },
  {
    part: '(method)',
    kind: 'another method',
    ...sure,
    apply: (request, rng) => ({
      ...request,
      method: rng.pick(['PUT', 'PATCH', 'DELETE', request.method === 'GET' ? 'POST' : 'GET']),
    }),
  },
];

const keyDamages: readonly RequestDamage[] = [
  { part: '(key)', kind: 'unknown key', ...sure, apply: withKey((rng) => `sk-app-${rng.hex(32)}`) },
  { part: '(key)', kind: 'empty key', ...sure, apply: withKey(() => '') },
  { part: '(key)', kind: 'very long key', ...sure, apply: withKey(() => `sk-app-${'k'.repeat(8_000)}`) },
  {
    part: '(key)',
    kind: 'key that is no key',
    ...sure,
    apply: withKey((rng) => rng.pick(["' or 1=1 --", '../../x', '%00', 'null', '[object Object]'])),
  },
  {
    part: '(key)',
    kind: 'no key',
    ...sure,
    apply: (request) => ({
      ...request,
      path: request.path.replace(/[?&]key=[^&]*/, ''),
      headers: without(request.headers, 'authorization', 'x-api-key'),
    }),
  },
  {
    part: '(key)',
    kind: 'another scheme',
    ...open,
    apply: (request) => ({
      ...request,
      headers: {
        ...request.headers,
        ...('authorization' in request.headers ? { authorization: `Basic ${keySlot}` } : {}),
      },
    }),
  },
];

const headerDamages: readonly RequestDamage[] = [
  {
    part: '(headers)',
    kind: 'very long header',
    ...open,
    apply: withHeaders(() => ({ 'x-long': 'h'.repeat(7_000) })),
  },
  {
    part: '(headers)',
    kind: 'two hundred headers',
    ...open,
    apply: withHeaders(() =>
      Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-many-${at}`, 'h'])),
    ),
  },
  {
    part: '(headers)',
    kind: 'bytes beyond ASCII',
    ...open,
    apply: withHeaders(() => ({ 'x-latin': 'caf\u00e9 \u00ff' })),
  },
  {
    part: '(headers)',
    kind: 'names that break lookups',
    ...open,
    apply: withHeaders(() => ({ __proto__x: '1', constructor: 'x', 'has-own-property': 'x' })),
  },
  {
    part: '(headers)',
    kind: 'another address of the caller',
    ...open,
    apply: withHeaders((rng) => ({
      'x-forwarded-for': rng.pick(['127.0.0.1', '::1', 'not an address', '1, 2, 3', '9'.repeat(3_000)]),
      'x-real-ip': '127.0.0.1',
      forwarded: 'for="_hidden"',
    })),
  },
  {
    part: '(headers)',
    kind: 'another host',
    ...open,
    apply: withHeaders((rng) => ({
      'x-forwarded-host': rng.pick(['evil.example', 'a b', '[::1']),
      'x-original-url': '/api/admin/accounts',
    })),
  },
  {
    part: '(headers)',
    kind: 'odd id of the request',
    ...open,
    apply: withHeaders((rng) => ({
      'x-request-id': rng.pick(['', 'x'.repeat(5_000), '<b>', '../..', '{"a":1}']),
    })),
  },
  {
    part: '(headers)',
    kind: 'odd wishes',
    ...open,
    apply: withHeaders((rng) =>
      rng.pick([
        { accept: 'image/png' },
        { accept: 'text/html;q=zz' },
        { 'accept-encoding': 'zz;q=9, gzip;q=x' },
        { range: 'bytes=0-1' },
        { 'if-none-match': '*' },
        { te: 'trailers' },
        { 'accept-language': 'zz'.repeat(500) },
        { cookie: 'a=b; '.repeat(500) },
      ]),
    ),
  },
];

const bodyPartDamages: readonly RequestDamage[] = [
  {
    part: '(media type)',
    kind: 'none',
    ...openBody,
    apply: (request) => ({ ...request, headers: { ...request.headers, 'content-type': '' } }),
  },
  {
    part: '(media type)',
    kind: 'another one',
    ...openBody,
    apply: withHeaders((rng) => ({
      'content-type': rng.pick([
        'text/plain',
        'text/html',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencoded',
        'application/octet-stream',
        'application/cbor',
      ]),
    })),
  },
  {
    part: '(media type)',
    kind: 'broken',
    ...openBody,
    apply: withHeaders((rng) => ({
      'content-type': rng.pick([
        'json',
        '/',
        ';;;',
        'application/json; charset',
        'application/json, text/plain',
        'x'.repeat(4_000),
      ]),
    })),
  },
  {
    part: '(media type)',
    kind: 'another charset',
    ...openBody,
    apply: withHeaders((rng) => ({
      'content-type': `application/json; charset=${rng.pick(['utf-16', 'latin1', 'zz', 'utf-7'])}`,
    })),
  },
  {
    part: '(coding)',
    kind: 'gzip',
    ...openBody,
    apply: withBody((body) => gzipSync(body), { 'content-encoding': 'gzip' }),
  },
  {
    part: '(coding)',
    kind: 'deflate',
    ...openBody,
    apply: withBody((body) => deflateSync(body), { 'content-encoding': 'deflate' }),
  },
  {
    part: '(coding)',
    kind: 'brotli',
    ...openBody,
    apply: withBody((body) => brotliCompressSync(body), { 'content-encoding': 'br' }),
  },
  {
    part: '(coding)',
    kind: 'gzip that is none',
    ...openBody,
    apply: withHeaders(() => ({ 'content-encoding': 'gzip' })),
  },
  {
    part: '(coding)',
    kind: 'unknown',
    ...openBody,
    apply: withHeaders((rng) => ({
      'content-encoding': rng.pick(['zz', 'identity', 'gzip, gzip, gzip', 'x'.repeat(2_000)]),
    })),
  },
  {
    part: '(coding)',
    kind: 'gzip of very much',
    ...openBody,
    apply: withBody(() => bomb, { 'content-encoding': 'gzip' }),
  },
  { part: '(coding)', kind: 'gzip without telling', ...sureBody, apply: withBody((body) => gzipSync(body)) },
  {
    part: '(body)',
    kind: 'byte order mark',
    ...openBody,
    apply: withBody((body) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])),
  },
  {
    part: '(body)',
    kind: 'UTF-16',
    ...sureBody,
    apply: withBody((body, rng) =>
      rng.int(2) === 0
        ? Buffer.from(body.toString(), 'utf16le')
        : Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(body.toString(), 'utf16le')]),
    ),
  },
  {
    part: '(body)',
    kind: 'garbage after it',
    ...sureBody,
    apply: withBody((body, rng) =>
      Buffer.concat([body, Buffer.from(rng.pick(['x', '{}', '\u0000', ']', ',']))]),
    ),
  },
  {
    part: '(body)',
    kind: 'cut off',
    ...sureBody,
    apply: withBody((body, rng) => body.subarray(0, Math.max(1, rng.int(Math.max(2, body.length - 1))))),
  },
  { part: '(body)', kind: 'a flipped bit', ...openBody, apply: withBody((body, rng) => flipped(body, rng)) },
  {
    part: '(body)',
    kind: 'no object',
    ...sureBody,
    apply: withBody((_, rng) => rng.pick(malformedBodies)[1]),
  },
  {
    part: '(body)',
    kind: 'white space around it',
    ...openBody,
    apply: withBody((body) =>
      Buffer.concat([Buffer.from(' \r\n\t'.repeat(5_000)), body, Buffer.from(' \n'.repeat(5_000))]),
    ),
  },
  {
    part: '(body)',
    kind: 'several documents',
    ...sureBody,
    apply: withBody((body) => Buffer.concat([body, Buffer.from('\n'), body])),
  },
];

/** 8 MB of spaces, gzipped to a few kilobytes. */
const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, ' '));

function flipped(body: Buffer, rng: Rng): Buffer {
  const copy = Buffer.from(body);
  const at = rng.int(Math.max(1, copy.length));
  copy[at] = (copy[at] ?? 0) ^ (1 << rng.int(8));
  return copy;
}

/** Every kind of damage outside the fields of a body. */
export const requestDamages: readonly RequestDamage[] = [
  ...pathDamages,
  ...keyDamages,
  ...headerDamages,
  ...bodyPartDamages,
];
