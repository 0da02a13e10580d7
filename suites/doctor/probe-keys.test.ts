import { expect, it } from 'vitest';
import { profileSchema } from '../profile/profile.ts';
import type { WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import { probeKeys } from './probe-keys.ts';

/** A deployment whose answer follows from the key: `200`, or the code of a refusal. */
function answering({ headers = {} }: WireRequest): Promise<Exchange> {
  const [, word = ''] = /^Bearer \w+-(\w+)$/.exec(headers.authorization ?? '') ?? [];
  if (word === 'none') return Promise.resolve({ response: null, error: 'closed' } as Exchange);
  const body = Buffer.from(word === '200' ? '{}' : JSON.stringify({ error: { code: word } }));
  const response = {
    status: word === '200' ? 200 : 401,
    headers: [['content-type', 'application/json']],
    body,
  };
  return Promise.resolve({ response, error: null } as unknown as Exchange);
}

it('tries declared keys, and reports each wrong one with the answer it got', async () => {
  const profile = profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'a-200', K2: 'b-sk_expired', disabled: 'c-200', expired: 'd-sk_expired', K3: 'e-none' },
  });
  const probes = await probeKeys(profile, { send: answering });
  expect(Object.fromEntries(probes.map(({ name, fault }) => [name, fault]))).toEqual({
    'keys.K1': null,
    'keys.K2': 'it should be accepted; got HTTP 401 sk_expired',
    'keys.K3': 'no answer (closed)',
    'keys.disabled': 'it should be refused as sk_disabled; got HTTP 200',
    'keys.expired': null,
  });
});
