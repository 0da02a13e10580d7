import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { hintOf, newSecret, signedHeaders } from './sign.ts';

const sentAtMs = 1_800_000_000_999;

describe('a signed event', () => {
  it('has its id, and its time in whole seconds under both header names', () => {
    expect(signedHeaders('evt_1', sentAtMs, '{}', [newSecret()])).toEqual({
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1800000000',
      'x-service-timestamp': '1800000000',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
  });

  it('has the signatures of another library, one for each valid secret', () => {
    const [current, before] = [newSecret(), newSecret()];
    const body = '{"data":"größer, \\u0000 \\ud800"}';
    const headers = signedHeaders('evt_1', sentAtMs, body, [current, before]);
    const wanted = [current, before].map((secret) =>
      new Webhook(secret).sign('evt_1', new Date(sentAtMs), body),
    );
    expect(headers['webhook-signature']).toBe(wanted.join(' '));
  });

  it('verifies only for its own id, time and body', () => {
    const secret = newSecret();
    const signature = (...[id, at, body]: [string, number, string]): string | undefined =>
      signedHeaders(id, at, body, [secret])['webhook-signature'];
    const own = signature('evt_1', sentAtMs, '{}');
    expect(signature('evt_1', sentAtMs, '{}')).toBe(own);
    expect(signature('evt_2', sentAtMs, '{}')).not.toBe(own);
    expect(signature('evt_1', sentAtMs + 1, '{}')).not.toBe(own);
    expect(signature('evt_1', sentAtMs, '{} ')).not.toBe(own);
  });
});

it('has secrets of 32 bytes, all different and not revealed by their last characters', () => {
  const secrets = Array.from({ length: 50 }, newSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(hintOf(secret)).toBe(secret.slice(-4));
  }
});
