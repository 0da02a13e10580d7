import type { Level } from 'gatecheck-reports/report';
import type { Register, Requirement } from '../rules/register.ts';

/** What a receiver of events must do: the rules of `gatecheck receiver`. They bind customers, not gateways. */
const rows: readonly (readonly [id: string, level: Level, section: string, statement: string])[] = [
  [
    'RECV-001',
    'MUST',
    'Events L393; reading B-114',
    'An event that was signed just now with the shared secret is answered with 2xx within 15 seconds, and processed.',
  ],
  [
    'RECV-002',
    'MUST',
    'Events L393',
    'A request without id, timestamp and signature is no event, and is refused.',
  ],
  [
    'RECV-003',
    'MUST',
    'Events L393; reading B-111',
    'An event without a signature by the shared secret is refused.',
  ],
  [
    'RECV-004',
    'MUST',
    'Events L393; reading B-111',
    'The signature is verified over id, timestamp and body: an event with one changed bit is refused.',
  ],
  [
    'RECV-005',
    'MUST',
    'Events L393; reading B-111',
    'The body is verified as the bytes that arrived, not as JSON that was parsed and printed again.',
  ],
  [
    'RECV-006',
    'MUST',
    'Events L393; reading B-111',
    'One good signature among several is enough, at any position: others may be by another secret or of an unknown version.',
  ],
  [
    'RECV-007',
    'MUST',
    'Events L394; Errors L434; Limits L457; reading B-115',
    'An event older than 300 seconds is a replay, and is refused.',
  ],
  [
    'RECV-008',
    'MUST*',
    'Events L394; reading B-115',
    'An event with a timestamp more than 300 seconds in the future is refused.',
  ],
  [
    'RECV-009',
    'SHOULD',
    'Events L394; Limits L457; reading B-115',
    'An event that is not older than 300 seconds is recent, and is accepted.',
  ],
  [
    'RECV-010',
    'MUST*',
    'Events L394; readings B-111, B-112',
    'Only the signed timestamp determines the age of an event.',
  ],
  [
    // Only the owner of the secret can sign such an event, so it is harmless while the secret is safe.
    'RECV-011',
    'SHOULD',
    'Events L394; reading B-112',
    'A timestamp is a whole number of seconds in plain digits; a text that only begins with a number is none.',
  ],
  [
    'RECV-012',
    'MUST',
    'Events L396; reading B-114',
    'An event that is delivered again is processed once: the gateway repeats an event until it is acknowledged.',
  ],
  [
    'RECV-013',
    'MUST*',
    'Events L396; reading B-114',
    'Deliveries of one event that arrive together are processed once.',
  ],
  [
    'RECV-014',
    'MUST',
    'Events L393; reading B-114',
    'A forged event does not block the genuine event with its id, which is processed.',
  ],
  [
    'RECV-015',
    'SHOULD',
    'Events L396; reading B-114',
    'The id distinguishes events: two events with the same body are both processed.',
  ],
  [
    'RECV-016',
    'MUST',
    'Events L396; reading B-114',
    'Events may arrive in another order than they were sent: each of them is processed.',
  ],
];

export const receiverRules: Register = new Map(
  rows.map(([id, level, section, statement]): [string, Requirement] => [
    id,
    { id, area: 'RECV', level, statement, section },
  ]),
);
