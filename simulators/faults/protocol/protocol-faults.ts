import type { Fault } from '../../fault-contract/fault.ts';
import { gzipUnasked } from './p1-gzip-unasked.ts';
import { gzipUnlabelled } from './p2-gzip-unlabelled.ts';
import { gzipCut } from './p3-gzip-cut.ts';
import { invalidUtf8 } from './p4-invalid-utf8.ts';
import { byteOrderMarkFirst } from './p5-bom.ts';
import { badJsonBody } from './p6-bad-json-body.ts';
import { missingFields } from './p7-missing-fields.ts';
import { wrongTypes } from './p8-wrong-types.ts';
import { unknownThings } from './p9-unknown.ts';
import { hugeJson } from './p10-huge-json.ts';
import { oddHeaders } from './p11-odd-headers.ts';
import { versionSkew } from './p12-version-skew.ts';

/** Group P: the encoding of an answer, and whether it conforms to its dialect. */
export const protocolFaults: readonly Fault[] = [
  gzipUnasked,
  gzipUnlabelled,
  gzipCut,
  invalidUtf8,
  byteOrderMarkFirst,
  badJsonBody,
  missingFields,
  wrongTypes,
  unknownThings,
  hugeJson,
  oddHeaders,
  versionSkew,
];
