import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../control/journal.ts';
import { parseScript } from '../schemas/script-schema.ts';
import { copiesOf, replyOf } from './copies.js';

describe('copies of a request', () => {
  const entry: JournalEntry = {
    ...{ n: 7, tenant: 'default', channel: 'alpha', received_at_ms: 1000 },
    request: {
      method: 'POST',
      path: '/default/alpha/v1/chat/completions',
      headers: [
        ['Host', '127.0.0.1:9400'],
        ['Authorization', 'Bearer sk-secret'],
        ['Content-Type', 'application/json'],
      ],
      body_base64: Buffer.from(`{"it's": "a body"}`).toString('base64'),
      complete: true,
    },
    reply: {
      ...{ script: null, status: 200, waiting_at: null, ended: 'complete', ended_at_ms: 1030 },
      headers: [
        ['Retry-After', '7'],
        ['Content-Length', '9'],
      ],
      sends: [
        { label: 'head', intended_ms: 1010, actual_ms: 1010, bytes: 0 },
        { label: 'delta-0', intended_ms: 1020, actual_ms: 1020, bytes: 9 },
      ],
      body_base64: Buffer.from('data: a\n\n').toString('base64'),
    },
  };

  it('contain no key', () => {
    const copies = copiesOf(entry, 'http://127.0.0.1:9401');
    expect(copies.map(({ name }) => name)).toEqual([
      ...['curl', 'Script', 'Scenario file', 'node:test', 'Vitest', 'pytest'],
    ]);
    expect(JSON.stringify(copies)).not.toContain('sk-secret');
    expect(copies[0]?.text).toContain(`--data-raw '{"it'\\''s": "a body"}'`);
    expect(copies[0]?.text).toContain("-H 'Authorization: Bearer any'");
  });

  it('replay the same bytes at the same times, in a valid script', () => {
    const reply = replyOf(entry);
    expect(reply.replay?.chunks.map(({ at_ms }) => at_ms)).toEqual([0, 20]);
    expect(reply.replay?.chunks[0]?.text).toBe(
      'HTTP/1.1 200 \r\nRetry-After: 7\r\nconnection: close\r\n\r\n',
    );
    expect(reply.replay?.chunks[1]?.text).toBe('data: a\n\n');
    expect(parseScript({ channel: 'alpha', replies: [reply] })).toMatchObject({ ok: true });
  });

  it('break off in the middle again, also before the head', () => {
    const cut = { ...entry.reply, ended: 'cut' } as const;
    expect(replyOf({ ...entry, reply: cut }).replay).toMatchObject({ ended: 'rst' });
    expect(replyOf({ ...entry, reply: cut }).replay?.chunks[0]?.text).toContain('content-length: 10\r\n');
    const none = { ...cut, status: null, headers: [], sends: [], body_base64: '' };
    expect(replyOf({ ...entry, reply: none }).replay?.chunks).toEqual([]);
  });

  it('keep any number of bytes that are not text', () => {
    const body = Buffer.alloc(400_000, 0xff);
    const sends = [{ label: 'body', intended_ms: 1010, actual_ms: 1010, bytes: body.length }];
    const reply = { ...entry.reply, sends, body_base64: body.toString('base64') };
    expect(replyOf({ ...entry, reply }).replay?.chunks[1]?.base64).toBe(body.toString('base64'));
  });

  it('name a fault instead of its bytes', () => {
    const reply = { ...entry.reply, fault: { id: 'S3', form: null, after: 2, applied: true } };
    expect(replyOf({ ...entry, reply })).toEqual({ fault: { id: 'S3', after: 2 } });
  });
});
