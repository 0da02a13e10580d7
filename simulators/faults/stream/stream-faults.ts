import type { Fault } from '../../fault-contract/fault.ts';
import { noDone } from './s1-no-done.ts';
import { truncated } from './s2-truncated.ts';
import { resetMid } from './s3-reset-mid.ts';
import { stallMid } from './s4-stall-mid.ts';
import { pingsOnly } from './s5-pings-only.ts';
import { commentLines } from './s6-comment-lines.ts';
import { errorFirst } from './s7-error-first.ts';
import { errorMid } from './s8-error-mid.ts';
import { errorThenDone } from './s9-error-then-done.ts';
import { badRequestInside } from './s10-400-inside-200.ts';
import { emptyChoicesFirst } from './s11-empty-choices-first.ts';
import { noDeltaChunk } from './s12-no-delta-chunk.ts';
import { usageLast } from './s13-usage-last.ts';
import { usageOnContent } from './s14-usage-on-content.ts';
import { usageEveryChunk } from './s15-usage-every-chunk.ts';
import { usageNever } from './s16-usage-never.ts';
import { usageZero } from './s17-usage-zero.ts';
import { splitUtf8 } from './s18-split-utf8.ts';
import { splitLine } from './s19-split-line.ts';
import { lineEnds } from './s20-line-ends.ts';
import { noLastBlank } from './s21-no-last-blank.ts';
import { coalesced } from './s22-coalesced.ts';
import { roleOddities } from './s23-dup-role.ts';
import { toolFragments } from './s24-tool-fragments.ts';
import { dupFrames } from './s25-dup-frames.ts';
import { lateFrames } from './s26-late-frames.ts';
import { interleavedChoices } from './s27-interleaved-n.ts';
import { finishOdd } from './s28-finish-odd.ts';
import { slowStream } from './s29-client-gone.ts';
import { eventOrder } from './s30-anthropic-order.ts';
import { arrayStream } from './s31-gemini-array.ts';

/** The faults of this group, in the order of the catalogue. */
export const streamFaults: readonly Fault[] = [
  noDone,
  truncated,
  resetMid,
  stallMid,
  pingsOnly,
  commentLines,
  errorFirst,
  errorMid,
  errorThenDone,
  badRequestInside,
  emptyChoicesFirst,
  noDeltaChunk,
  usageLast,
  usageOnContent,
  usageEveryChunk,
  usageNever,
  usageZero,
  splitUtf8,
  splitLine,
  lineEnds,
  noLastBlank,
  coalesced,
  roleOddities,
  toolFragments,
  dupFrames,
  lateFrames,
  interleavedChoices,
  finishOdd,
  slowStream,
  eventOrder,
  arrayStream,
];
