import { type Body, objectsIn } from '../../../suites/rewrite/json.ts';
import { completion, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import { front, type Mutant, source, upstream } from '../../edits/mutant.ts';
import { endOfCandidate, fromUpstream } from '../../edits/native-edits.ts';

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

const errors: readonly Mutant[] = [
  source(
    [
      'err.hunted.null-error',
      'an error in a list that begins with null is an error of the gateway',
      'ERR-029',
      'odd-shape',
    ],
    'upstreams/generate-content/classify.ts',
    'if (!isObject(holder) || !isObject(holder.error)) return null;',
    "if (typeof holder !== 'object' || !isObject((holder as JsonObject).error)) return null;",
  ),
  source(
    [
      'err.hunted.key-reason-unread',
      'a refused key of the gateway is known by the text alone, not by the reason beside it',
      'ERR-010',
      'not-the-callers-natively',
    ],
    'upstreams/generate-content/classify.ts',
    "some(({ reason }) => typeof reason === 'string' && reason.startsWith('API_KEY_'))",
    'some(() => undefined)',
  ),
  source(
    [
      'err.hunted.inner-code-unread',
      'a policy block is not seen where only an inner error names it',
      'ERR-027',
      'provoked-within',
    ],
    'upstreams/chat-completions/classify.ts',
    'const named = [error.code, error.type, inner].flatMap',
    'const named = [error.code, error.type].flatMap',
  ),
];

/** Gateways that report upstream failures wrongly, or mistake them for something else. */
export const errUpstreamMutants: readonly Mutant[] = [
  upstream(
    [
      'err.generate-block-unknown',
      'a prompt that a generate-content upstream blocked is a broken answer',
      'ERR-027',
      'provoked',
    ],
    fromUpstream('generate-content', (part) => {
      delete part.promptFeedback;
    }),
  ),
  upstream(
    [
      'err.generate-nothing-as-empty',
      'a generate-content answer without candidates counts as an empty one',
      'ERR-029',
      'provoked',
    ],
    fromUpstream('generate-content', (part) => {
      if (objectsIn(part.candidates).length === 0) part.candidates = endOfCandidate.candidates;
    }),
  ),
  upstream(
    [
      'err.messages-too-long-unknown',
      'only one wording of a prompt that is too long is known',
      'ERR-025',
      'provoked',
    ],
    fromUpstream('messages', (part) => {
      const error = part.error as Body | undefined;
      if (error) error.message = String(error.message).replace('prompt is too long', 'that is too much');
    }),
  ),
  ...errors,
];
