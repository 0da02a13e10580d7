import { headerOf } from '../../../suites/rewrite/proxy-headers.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that accept only some legal forms of a request. */
export const requestFormMutants: readonly Mutant[] = [
  front(['ep.media-type-bare', 'a media type with parameters is refused', 'EP-003', 'media-type-accepted'], {
    request: (request) =>
      headerOf(request.headers, 'content-type').includes(';') ? refusal('invalid_param') : request,
  }),
  source(
    ['ep.chunks-first-only', 'of a body in chunks only the first is read', 'EP-003', 'chunked-accepted'],
    'http/read-body.ts',
    'else pieces.add(chunk);',
    "else if (pieces.length === 0 || incoming.headers['content-length'] !== undefined) pieces.add(chunk);",
  ),
];
