import { completion, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';

/** Gateways that mishandle broken HTTP or oversized requests. */

/** The limit that the reference stack sets, bytes. */
const bodyBytes = 32 * 1024 * 1024;

export const errHttpMutants: readonly Mutant[] = [
  front(
    ['err.body-limit-less', 'the limit on bodies is one byte less', 'ERR-002', 'limit-accepted'],
    says(({ body }) => body.length >= bodyBytes, { ...refusal('invalid_param'), status: 413 }),
  ),
  front(['err.body-limit-none', 'there is no limit on bodies', 'ERR-002', 'oversized-refused'], {
    request: (request) => (request.body.length > bodyBytes ? completion(request) : request),
  }),
  source(
    ['err.broken-http-silent', 'broken bytes are not answered', 'ERR-002', 'broken-http-answered'],
    'http/parser-faults.ts',
    'lingeringClose(socket, options.clock,',
    'if (refusal.status > 600) lingeringClose(socket, options.clock,',
  ),
  source(
    ['err.broken-http-500', 'broken bytes are our fault', 'ERR-001', 'broken-http-4xx'],
    'http/parser-faults.ts',
    "return invalidParam(null, 'The request is not valid HTTP.')",
    "return new GatewayError('internal_error')",
  ),
  source(
    ['err.broken-http-ends', 'a broken header ends the process', 'ERR-002', 'lives-on'],
    'http/parser-faults.ts',
    'const fault = faultOf(code);',
    "const fault = faultOf(code);\n  if (code === 'HPE_INVALID_HEADER_TOKEN') process.exit(1);",
  ),
  source(
    ['err.slow-head-waits', 'a slow head has all the time', 'ERR-002', 'slow-head-ended'],
    'http/server.ts',
    'headersTimeout: limits.header_timeout_ms',
    'headersTimeout: 0',
  ),
  source(
    ['err.slow-head-500', 'a slow head is our fault', 'ERR-001', 'slow-head-status'],
    'http/parser-faults.ts',
    "return new GatewayError('request_timeout')",
    "return new GatewayError('internal_error')",
  ),
];
