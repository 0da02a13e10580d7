import type { ReceiverCheck } from './check.ts';
import { future, recent, signedAge, stale } from './checks/age.ts';
import { altered } from './checks/altered.ts';
import { forgedFirst, reordered, sameBody } from './checks/apart.ts';
import { anything, forged } from './checks/forged.ts';
import { fresh } from './checks/fresh.ts';
import { rawBody } from './checks/raw-body.ts';
import { atOnce, duplicate } from './checks/repeated.ts';
import { signatures } from './checks/signatures.ts';
import { timestamp } from './checks/timestamp.ts';

/**
 * Every check of a receiver in execution order. A check comes after those whose failure would explain its own.
 */
export const receiverChecks: readonly ReceiverCheck[] = [
  fresh,
  anything,
  forged,
  altered,
  rawBody,
  signatures,
  reordered,
  stale,
  future,
  recent,
  signedAge,
  timestamp,
  duplicate,
  atOnce,
  forgedFirst,
  sameBody,
];
