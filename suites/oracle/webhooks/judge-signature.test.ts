import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findingOf } from '../../testing/finding-of.ts';
import { sampleEvent, sampleSecret } from '../../testing/sample-event.ts';
import { judgeSignature } from './judge-signature.ts';
import { secretBytes } from './sign.ts';

/** The violation of an event that is signed over this text before its body. */
function signedOver(before: (id: string, timestamp: string) => string): string | null {
  const { body, headers } = sampleEvent();
  const value = (name: string): string => headers.find(([key]) => key === name)?.[1] ?? '';
  const mac = createHmac('sha256', secretBytes(sampleSecret))
    .update(before(value('webhook-id'), value('webhook-timestamp')))
    .update(body);
  const signature = `v1,${mac.digest('base64')}`;
  const event = sampleEvent({
    headers: (all) => all.map(([key, text]) => [key, key === 'webhook-signature' ? signature : text]),
  });
  return findingOf(() => judgeSignature(event, sampleSecret));
}

describe('a signature that does not cover everything', () => {
  it('is reported with the part that it does not cover', () => {
    expect(signedOver((id, timestamp) => `${id}.${timestamp}.`)).toBeNull();
    expect(signedOver(() => '')).toBe('HOOK-010 covers-timestamp');
    expect(signedOver((id) => `${id}.`)).toBe('HOOK-010 covers-timestamp');
    expect(signedOver((_, timestamp) => `${timestamp}.`)).toBe('HOOK-007 covers-id');
    expect(signedOver(() => 'constant.')).toBe('HOOK-007 verifies');
  });
});
