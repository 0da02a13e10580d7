import type { Fault } from '../../fault-contract/fault.ts';
import { acceptThenHang } from './t6-accept-then-hang.ts';
import { resetBeforeHead } from './t7-reset-before-head.ts';
import { emptyReply } from './t8-empty-reply.ts';
import { keepaliveRace } from './t9-keepalive-race.ts';
import { halfClose } from './t10-half-close.ts';
import { neverClose } from './t11-never-close.ts';
import { dribble } from './t12-dribble.ts';
import { headDribble } from './t13-head-dribble.ts';
import { contentLengthShort } from './t14-content-length-short.ts';
import { contentLengthLong } from './t15-content-length-long.ts';
import { badChunk } from './t16-bad-chunk.ts';
import { garbage } from './t17-garbage.ts';
import { hugeHeaders } from './t18-huge-headers.ts';
import { interimOrElsewhere } from './t19-interim-or-elsewhere.ts';
import { flood } from './t20-flood.ts';

/** The faults of this group that a script can name, in the order of the catalogue; T1 to T5 are broken listeners. */
export const transportFaults: readonly Fault[] = [
  acceptThenHang,
  resetBeforeHead,
  emptyReply,
  keepaliveRace,
  halfClose,
  neverClose,
  dribble,
  headDribble,
  contentLengthShort,
  contentLengthLong,
  badChunk,
  garbage,
  hugeHeaders,
  interimOrElsewhere,
  flood,
];
