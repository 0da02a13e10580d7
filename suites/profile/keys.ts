import { z } from 'zod';

/**
 * A secret: the value itself, or `env:NAME` to read it from the environment, so that a profile can be committed.
 */
export const secret = z.string().min(1);

const optional = (what: string): z.ZodOptional<z.ZodString> => secret.optional().describe(what);

/** Business keys, named by their purpose. */
export const keys = z.strictObject({
  K1: secret.describe('the main business key'),
  K2: optional('another key of the same user as K1'),
  K3: optional('a key of another account'),
  K4: optional('a key of another user of the same account as K1'),
  K5: optional('a key of the same user as K1, of another app with another markup'),
  disabled: optional('a key that was disabled'),
  expired: optional('a key past its expiry'),
  ip_restricted: optional('a key whose allow-list excludes the machine that runs the suites'),
  ip_allowed: optional('a key whose allow-list includes that machine'),
  unexpired: optional('a key whose expiry lies well ahead'),
  ip_first: optional('a key with one range, whose first address is that machine'),
  ip_last: optional('a key with one range, whose last address is that machine'),
  ip_before: optional('a key with one range, which begins right after that machine'),
  ip_after: optional('a key with one range, which ends right before that machine'),
  no_model: optional('a key of an account for which `models.disabled_for_no_model` is not enabled'),
  no_credits: optional('a key of an account whose credits are spent, with quota left'),
  no_quota: optional('a key of an account whose monthly tokens are spent, with credits left'),
  fuse: optional('a key of an account with so little credit that a few calls spend it'),
  raised: optional('a key of a user whose cap was raised to `cap.raised`'),
});

/** The keys of the account of K1, whose secret signs its events. */
export const accountKeys = ['K1', 'K2', 'K4', 'K5'] as const;
