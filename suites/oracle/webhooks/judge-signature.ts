import { createHmac } from 'node:crypto';
import { type Finding, must } from '../../rules/violation.ts';
import { eventHeader, type ReceivedEvent } from '../../wire/received-event.ts';
import { secretBytes } from './sign.ts';
import { verifySignature } from './signature.ts';

/** Usual names of signature headers. */
const signatureName = /signature|hmac/i;

/**
 * Judges that an event is signed ("Events"). With a known secret, the signature must cover its id, timestamp and
 * bytes (reading B-111). Otherwise only its presence can be judged.
 */
export function judgeSignature(event: ReceivedEvent, secret: string | null): void {
  const own = { exchange: event.exchange };
  const isSigned = event.headers.some(([name, value]) => signatureName.test(name) && value.trim() !== '');
  must(isSigned, {
    ...own,
    requirement: 'HOOK-007',
    aspect: 'signed',
    expected: 'an event with a signature',
    actual: event.headers.map(([name]) => name).join(', '),
  });
  if (secret === null) return;
  const verdict = verifySignature(event, [secret]);
  if (verdict.ok) return;
  const { fault, detail } = verdict;
  must(false, {
    ...own,
    ...(fault === 'mismatch' ? ruleOf(event, secret) : verifies),
    expected: 'a signature over id, timestamp and raw body, by the secret of the account',
    actual: detail,
  });
}

type Rule = Pick<Finding, 'requirement' | 'aspect'>;
const verifies: Rule = { requirement: 'HOOK-007', aspect: 'verifies' };

/** The part that a wrong signature does not cover, if this is its only error. */
function ruleOf(event: ReceivedEvent, secret: string): Rule {
  const [id, timestamp] = ['webhook-id', 'webhook-timestamp'].map((name) => eventHeader(event, name) ?? '');
  const given = (eventHeader(event, 'webhook-signature') ?? '').split(' ');
  const isOver = (...before: readonly string[]): boolean => {
    const mac = createHmac('sha256', secretBytes(secret));
    for (const part of before) mac.update(`${part}.`);
    return given.includes(`v1,${mac.update(event.body).digest('base64')}`);
  };
  if (isOver() || isOver(id ?? '')) return { requirement: 'HOOK-010', aspect: 'covers-timestamp' };
  return isOver(timestamp ?? '') ? { requirement: 'HOOK-007', aspect: 'covers-id' } : verifies;
}
