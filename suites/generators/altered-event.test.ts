import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventHeaders } from '../oracle/webhooks/sign.ts';
import { verifySignature } from '../oracle/webhooks/signature.ts';
import { sampleSecret } from '../testing/sample-event.ts';
import { type Alteration, alterations, altered } from './altered-event.ts';

const event = { id: 'evt_1', timestamp: '1800000000', body: Buffer.from('{"task_id":"task_1"}') };

describe('an altered event', () => {
  const verifies = (alteration: Alteration): boolean =>
    verifySignature(altered(event, eventHeaders([sampleSecret], event), alteration), [sampleSecret]).ok;

  it('never verifies, whichever bit is flipped', () => {
    fc.assert(
      fc.property(alterations, (alteration) => !verifies(alteration)),
      { seed: 7, numRuns: 2_000 },
    );
  });

  it('can be sent in headers', () => {
    fc.assert(
      fc.property(alterations, (alteration) => {
        const { headers } = altered(event, eventHeaders([sampleSecret], event), alteration);
        return headers.every(([, value]) => /^[\x21-\x7e]+$/.test(value));
      }),
      { seed: 8, numRuns: 2_000 },
    );
  });

  it.for(['no-signature', 'no-id', 'no-timestamp', 'empty-signature', 'other-secret'] as const)(
    'does not verify with %s',
    (what) => {
      expect(verifies({ what })).toBe(false);
    },
  );
});
