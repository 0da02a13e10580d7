import { expect, it } from 'vitest';
import { Blocked, Unresolved } from '../outbound/outbound.ts';
import { failureOf } from './failure-of.ts';

const coded = (code: string): Error => Object.assign(new Error('words of whoever'), { code });

it.each([
  [new Blocked(), 'blocked'],
  [new Unresolved(), 'unresolved'],
  [coded('ENOTFOUND'), 'unresolved'],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls'],
  [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'tls'],
  [coded('CERT_HAS_EXPIRED'), 'tls'],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls'],
  [coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls'],
  [coded('EPROTO'), 'tls'],
  [coded('ECONNREFUSED'), 'connection'],
  [coded('ECONNRESET'), 'connection'],
  [coded('UND_ERR_SOCKET'), 'connection'],
  [coded('HPE_INVALID_CONSTANT'), 'connection'],
  [new Error('DEPTH_ZERO_SELF_SIGNED_CERT'), 'connection'],
  ['a text', 'connection'],
])('takes %s for %s', (error, failure) => {
  expect(failureOf(error)).toBe(failure);
});
