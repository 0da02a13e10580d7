import type { Check } from '../../engine/check.ts';
import { cacheHintChecks } from './cache-hints.ts';
import { messageFormChecks } from './forms.ts';
import { messageForwardingChecks } from './forwarded.ts';
import { longTranscriptsAreAccepted } from './long-transcript.ts';
import { mediaChecks } from './media.ts';
import { mediaBytesArrive } from './media-bytes.ts';
import { mediaKeepTheirPlaces } from './media-in-place.ts';
import { systemPlaceChecks } from './system-place.ts';
import { systemTextIsDelivered } from './system-text.ts';
import { refusedMediaAreMapped, unusableMediaEndCleanly } from './unusable-media.ts';

/** The area MSG: messages and their content blocks. */
export const msgChecks: readonly Check[] = [
  ...messageFormChecks,
  ...systemPlaceChecks,
  systemTextIsDelivered,
  ...messageForwardingChecks,
  longTranscriptsAreAccepted,
  ...mediaChecks,
  mediaBytesArrive,
  mediaKeepTheirPlaces,
  unusableMediaEndCleanly,
  refusedMediaAreMapped,
  ...cacheHintChecks,
];
