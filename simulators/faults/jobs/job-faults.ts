import type { Fault } from '../../fault-contract/fault.ts';
import { submitRefused } from './j1-submit-refused.ts';
import { lostSubmitResponse } from './j2-lost-submit-response.ts';
import { submitNoId } from './j3-submit-no-id.ts';
import { stuck } from './j4-stuck.ts';
import { statusSynonyms } from './j5-status-synonyms.ts';
import { statusBackwards } from './j6-status-backwards.ts';
import { successNoUrl } from './j7-success-no-url.ts';
import { failNoReason } from './j8-fail-no-reason.ts';
import { urlExpired } from './j9-url-expired.ts';
import { urlShort } from './j10-url-short.ts';
import { moderationOutput } from './j11-moderation-output.ts';
import { pollFlap } from './j12-poll-flap.ts';
import { poll404Forever } from './j13-poll-404-forever.ts';
import { partial } from './j14-partial.ts';
import { durationMismatch } from './j15-duration-mismatch.ts';
import { lateSuccess } from './j16-late-success.ts';
import { cancelRace } from './j17-cancel-race.ts';
import { parentGone } from './j18-parent-gone.ts';

/** The faults of jobs (J): of a submit, or of everything after it. */
export const jobFaults: readonly Fault[] = [
  submitRefused,
  lostSubmitResponse,
  submitNoId,
  stuck,
  statusSynonyms,
  statusBackwards,
  successNoUrl,
  failNoReason,
  urlExpired,
  urlShort,
  moderationOutput,
  pollFlap,
  poll404Forever,
  partial,
  durationMismatch,
  lateSuccess,
  cancelRace,
  parentGone,
];
