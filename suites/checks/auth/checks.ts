import type { Check } from '../../engine/check.ts';
import { adminIsClosed, adminNeedsItsOwnToken } from './admin.ts';
import { adminTakesItsOwnToken, adminTokenIsNoKey } from './admin-token.ts';
import { allowListIsCidr, forwardingHeadersAreNotTrusted } from './allow-list.ts';
import { authenticationComesFirst } from './comes-first.ts';
import { expiryIsExact } from './expiry-second.ts';
import { greyKeyChecks, unexpiredKeyIsAccepted } from './grey-keys.ts';
import { rangesAreHalved } from './halved-ranges.ts';
import { malformedHeaderIsRefused, schemeCaseIsClean } from './header-malformed.ts';
import { missingHeaderIsRefused } from './header-missing.ts';
import { keyIsAccepted } from './key-accepted.ts';
import { changedKeyIsRefused } from './key-changed.ts';
import { keyStaysInside } from './key-stays-inside.ts';
import { unknownKeyIsRefused } from './key-unknown.ts';
import { wrongKeysAreAlike } from './keys-alike.ts';
import { refusedKeyCostsNothing } from './no-charge.ts';
import { refusedKeyHasNoEffect } from './no-effect.ts';
import { misplacedKeyIsRefused } from './wrong-place.ts';

export const authChecks: readonly Check[] = [
  keyIsAccepted,
  missingHeaderIsRefused,
  malformedHeaderIsRefused,
  schemeCaseIsClean,
  unknownKeyIsRefused,
  wrongKeysAreAlike,
  misplacedKeyIsRefused,
  ...greyKeyChecks,
  unexpiredKeyIsAccepted,
  allowListIsCidr,
  forwardingHeadersAreNotTrusted,
  adminNeedsItsOwnToken,
  adminIsClosed,
  authenticationComesFirst,
  refusedKeyHasNoEffect,
  keyStaysInside,
  expiryIsExact,
  changedKeyIsRefused,
  rangesAreHalved,
  adminTakesItsOwnToken,
  adminTokenIsNoKey,
  refusedKeyCostsNothing,
];
