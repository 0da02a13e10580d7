import type { Check } from '../../engine/check.ts';
import { adminIsClosed, adminNeedsItsOwnToken } from './admin.ts';
import { allowListIsCidr, forwardingHeadersAreNotTrusted } from './allow-list.ts';
import { authenticationComesFirst } from './comes-first.ts';
import { greyKeyChecks, unexpiredKeyIsAccepted } from './grey-keys.ts';
import { malformedHeaderIsRefused, schemeCaseIsClean } from './header-malformed.ts';
import { missingHeaderIsRefused } from './header-missing.ts';
import { keyIsAccepted } from './key-accepted.ts';
import { keyStaysInside } from './key-stays-inside.ts';
import { unknownKeyIsRefused } from './key-unknown.ts';
import { refusedKeyHasNoEffect } from './no-effect.ts';
import { misplacedKeyIsRefused } from './wrong-place.ts';

export const authChecks: readonly Check[] = [
  keyIsAccepted,
  missingHeaderIsRefused,
  malformedHeaderIsRefused,
  schemeCaseIsClean,
  unknownKeyIsRefused,
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
];
