import { describe, expect, it } from 'vitest';
import { findingOf } from '../testing/finding-of.ts';
import { answeredWith } from '../testing/sample-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { judgeOtherPath } from './other-path.ts';

const rule = { requirement: 'VER-001', aspect: 'other-version' };

function answered(status: number, type: string, body: string): Exchange {
  const sample = answeredWith(['content-type', type]);
  if (sample.response === null) throw new Error('the sample has an answer');
  return { ...sample, response: { ...sample.response, status, body: Buffer.from(body) } };
}

const page = answered(200, 'text/html; charset=utf-8', '<h1>Welcome</h1>');
const served = answered(200, 'application/json', '{"object":"chat.completion"}');
const stream = answered(200, 'text/event-stream', 'data: {}\n\n');
const unknown = answered(
  404,
  'application/json',
  '{"error":{"type":"invalid_request_error","code":"not_found","message":"No.","channel":null,"param":null}}',
);

describe('judgeOtherPath', () => {
  it.each<[string, string, Exchange, string | null]>([
    ['a refusal inside the interface', '/api/v2/models', unknown, null],
    ['a refusal outside', '/v1/models', unknown, null],
    ['a page outside', '/v1/models', page, null],
    ['a page inside', '/api/v2/models', page, 'VER-001 other-version'],
    ['a page below a compat prefix', '/compat-a/v2/messages', page, 'VER-001 other-version'],
    ['an answer outside', '/v1/chat/completions', served, 'VER-001 other-version'],
    ['a stream outside', '/v1/chat/completions', stream, 'VER-001 other-version'],
  ])('judges %s', (_, path, exchange, finding) => {
    expect(findingOf(() => judgeOtherPath(exchange, path, rule))).toBe(finding);
  });
});
