import type { Level } from '../../reports/report.ts';
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
    'What carries neither id nor timestamp nor signature is no event, and is refused.',
  ],
  [
    'RECV-003',
    'MUST',
    'Events L393; reading B-111',
    'An event without a signature that was made with the shared secret is refused.',
  ],
  [
    'RECV-004',
    'MUST',
    'Events L393; reading B-111',
    'The signature is verified over id, timestamp and body: an event of which one bit was changed is refused.',
  ],
  [
    'RECV-005',
    'MUST',
    'Events L393; reading B-111',
    'The body is verified as the bytes that arrived, not as JSON that was read and written again.',
  ],
  [
    'RECV-006',
    'MUST',
    'Events L393; reading B-111',
    'One good signature among several is enough, at any place: others may be of another secret or of an unknown version.',
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
    'An event more than 300 seconds ahead of the time is refused.',
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
    'The age of an event is told by the timestamp that is signed, not by one that anybody could have changed.',
  ],
  [
    // Only the owner of the secret can sign such an event, so it is harmless while nobody else has the secret.
    'RECV-011',
    'SHOULD',
    'Events L394; reading B-112',
    'A timestamp is a whole number of seconds in plain digits; what merely begins like one is none.',
  ],
  [
    'RECV-012',
    'MUST',
    'Events L396; reading B-114',
    'An event that is delivered again is processed once: the gateway repeats whatever was not acknowledged.',
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
    'A forged event does not spoil its id: the genuine one that follows is processed.',
  ],
  [
    'RECV-015',
    'SHOULD',
    'Events L396; reading B-114',
    'Events are told apart by their ids: two of them with the same body are both processed.',
  ],
  [
    'RECV-016',
    'MUST',
    'Events L396; reading B-114',
    'Events may arrive in another order than they were sent in: each of them is processed.',
  ],
];

export const receiverRules: Register = new Map(
  rows.map(([id, level, section, statement]): [string, Requirement] => [
    id,
    { id, area: 'RECV', level, needs: '', statement, section },
  ]),
);
