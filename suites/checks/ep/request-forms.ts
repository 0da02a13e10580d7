import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';

/** Spellings of the one media type: for JSON, parameters and case mean nothing (RFC 9110, RFC 8259). */
const mediaTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'Application/JSON',
] as const;

/** The time limit for the answer to a handwritten request, ms. */
const timeoutMs = 10_000;

export const jsonByEveryName = defineCheck({
  id: 'ep.json.media-type',
  title: 'a body is taken as JSON whatever parameters and case its media type has',
  requirements: ['EP-003'],
  kind: 'example',
  needs: [],
  run: async ({ cases, target, http, newScene, judge }) => {
    for (const type of mediaTypes) {
      cases.count();
      const model = target.anyModel();
      const headers = { 'content-type': type };
      const exchange = await http.chat(newScene().minimal(model), {
        label: `Content-Type: ${type}`,
        headers,
      });
      judge.completed(exchange, { requirement: 'EP-003', aspect: 'media-type-accepted', model });
    }
  },
});

export const bodyInChunks = defineCheck({
  id: 'ep.json.chunked',
  title: 'a body without a declared length, sent in chunks of any size, is read whole',
  requirements: ['EP-003'],
  kind: 'example',
  needs: [],
  raw: true,
  run: async (parts) => {
    const { cases, target, newScene, http, judge } = parts;
    for (const size of [1, 7, 4_096]) {
      cases.count();
      const model = target.anyModel();
      const body = Buffer.from(JSON.stringify(newScene().minimal(model, 'The sea 🌊 the sea.')));
      const { exchange } = await http.raw([chunkedRequest(parts, body, size)], timeoutMs);
      judge.completed(exchange, { requirement: 'EP-003', aspect: 'chunked-accepted', model });
    }
  },
});

function chunkedRequest({ target, keys }: CheckParts, body: Buffer, size: number): Buffer {
  const { host, pathname } = new URL(target.profile.base_url);
  const head = [
    `POST ${pathname.replace(/\/+$/, '')}/api/v1/chat/completions HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${keys.K1}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Connection: close',
    '\r\n',
  ].join('\r\n');
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    chunks.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]);
}
