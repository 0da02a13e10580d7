import { objectIn } from '../../../suites/rewrite/json.ts';
import { jsonAnswer } from '../../../suites/rewrite/mutation.ts';
import { codeOf, inErrors, miscalls, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source, upstream } from '../../edits/mutant.ts';

/** Gateways whose error answers are wrong. */

export const shape: readonly Mutant[] = [
  front(
    ['err.status-200', 'errors come with 200', 'ERR-001', 'error-status'],
    inErrors(() => 200),
  ),
  front(['err.html', 'errors are HTML', 'ERR-002', 'error-content-type'], {
    answer: (answer) =>
      codeOf(answer) === null
        ? answer
        : { ...answer, headers: [['content-type', 'text/html']], body: Buffer.from('<h1>Error</h1>') },
  }),
  front(['err.flat', 'the error object is not at the top level', 'ERR-002', 'error-shape'], {
    answer: (answer) =>
      codeOf(answer) === null ? answer : jsonAnswer(answer.status, { detail: objectIn(answer.body) }),
  }),
  front(
    ['err.no-type', 'errors have no type', 'ERR-003', 'error-shape'],
    inErrors((error) => {
      delete error.type;
    }),
  ),
  front(
    ['err.no-code', 'errors have no code', 'ERR-004', 'error-shape'],
    inErrors((error) => {
      delete error.code;
    }),
  ),
  front(
    ['err.no-message', 'errors have an empty message', 'ERR-005', 'error-shape'],
    inErrors((error) => {
      error.message = '';
    }),
  ),
  front(
    ['err.stack-trace', 'errors show where they were thrown', 'ERR-005', 'no-stack-trace'],
    inErrors((error) => {
      error.message = `Error: ${error.message}\n    at chat (file:///srv/app/chat.ts:12:3)`;
    }),
  ),
  front(
    ['err.key-shown', 'errors repeat the key', 'ERR-005', 'no-key'],
    inErrors((error, _answer, request) => {
      error.message = `${error.message} (${request.path} ${request.headers.map(([, value]) => value).join(' ')})`;
    }),
  ),
  front(
    ['err.numeric-channel', 'error.channel is a number', 'ERR-006', 'error-shape'],
    inErrors((error) => {
      error.channel = 5;
    }),
  ),
  front(
    ['err.early-channel', 'an unknown model names a channel', 'ERR-006', 'channel-of-code'],
    inErrors((error) => {
      if (error.code === 'model_not_found') error.channel = 'ch-1';
    }),
  ),
  front(
    ['err.vendor-channel', 'error.channel is the name of the vendor', 'ERR-006', 'channel-declared'],
    inErrors((error) => {
      if (error.channel !== null) error.channel = 'vendor';
    }),
  ),
  front(
    ['err.list-param', 'error.param is a list', 'ERR-007', 'error-shape'],
    inErrors((error) => {
      error.param = [error.param];
    }),
  ),
  front(
    [
      'err.param-of-upstream',
      'a field is named as a generate-content upstream calls it',
      'ERR-007',
      'param-of-request',
    ],
    inErrors((error) => {
      if (error.channel !== null && error.param === 'messages') error.param = 'contents[0].parts';
    }),
  ),
  front(
    ['err.no-channel-member', 'error.channel is left out', 'ERR-006', 'channel-present'],
    inErrors((error) => {
      delete error.channel;
    }),
  ),
  front(
    ['err.no-param-member', 'error.param is left out', 'ERR-007', 'param-present'],
    inErrors((error) => {
      delete error.param;
    }),
  ),
  front(
    ['err.status-400', 'every refusal of a caller is 400', 'ERR-008', 'triple'],
    inErrors((_error, { status }) => (status < 500 ? 400 : status)),
  ),
  source(
    ['err.cut-off', 'errors break the connection off', 'ERR-023', 'answers'],
    'endpoints/serve.ts',
    'if (!outgoing.headersSent) {',
    'if (refusal.status < 500 && facts.keyId !== null) outgoing.destroy();\n  else if (!outgoing.headersSent) {',
  ),
];

/** Number of times each body was rejected. */
const asked = new Map<string, number>();

let isDown = false;
let hasFailed = false;

export const codes: readonly Mutant[] = [
  front(
    ['err.unknown-key-miscalled', 'an unknown key is called disabled', 'ERR-014', 'provoked'],
    miscalls('invalid_api_key', 'sk_disabled'),
  ),
  front(
    ['err.unknown-model-miscalled', 'an unknown model is an invalid_param', 'ERR-023', 'provoked'],
    miscalls('model_not_found', 'invalid_param'),
  ),
  front(
    ['err.invalid-param-miscalled', 'an invalid_param is called too long', 'ERR-024', 'provoked'],
    miscalls('invalid_param', 'context_too_long'),
  ),
  front(
    ['err.capability-miscalled', 'a lacking capability is an invalid_param', 'ERR-026', 'provoked'],
    miscalls('unsupported_capability', 'invalid_param'),
  ),
  front(
    ['err.timeout-miscalled', 'a silent upstream is an upstream_error', 'ERR-031', 'provoked'],
    miscalls('upstream_timeout', 'upstream_error'),
  ),
  front(
    ['err.internal-miscalled', 'a failure of the gateway is put down to the upstream', 'ERR-032', 'provoked'],
    miscalls('internal_error', 'upstream_error'),
  ),
  front(
    ['err.internal-tells', 'a failure of the gateway shows where its store is', 'ERR-005', 'no-internals'],
    inErrors((error) => {
      if (error.code === 'internal_error') error.message = 'connect ECONNREFUSED 127.0.0.1:5432';
    }),
  ),
  front(
    ['err.internal-for-ever', 'after one internal failure the gateway always fails', 'ERR-032', 'recovers'],
    {
      answer: (answer) => {
        hasFailed ||= codeOf(answer) === 'internal_error';
        return hasFailed ? refusal('internal_error') : answer;
      },
    },
  ),
  front(
    ['err.cap-miscalled', 'the cap is called a rate limit', 'LIM-001', 'one-too-many'],
    miscalls('concurrency_exceeded', 'rate_limit_exceeded'),
  ),
  front(
    ['err.code-wavers', 'the same fault names its field every other time', 'ERR-013', 'same-again'],
    inErrors((error, _answer, { body }) => {
      const times = (asked.get(String(body)) ?? 0) + 1;
      asked.set(String(body), times);
      if (error.code === 'model_not_found' && times % 2 === 0) error.param = null;
    }),
  ),
  source(
    ['err.disabled-model-served', 'a model that is not enabled works', 'ERR-023', 'not-enabled'],
    'services/available-models.ts',
    'caller.models.includes(id)) &&',
    'caller.models.length > 0) &&',
  ),
];

export const upstreamText: readonly Mutant[] = [
  upstream(
    [
      'err.upstream-never-again',
      'after one failure the upstream counts as failing for ever',
      'ERR-009',
      'recovers',
    ],
    {
      answer: (answer) => {
        isDown ||= answer.status >= 400;
        return isDown ? jsonAnswer(418, {}) : answer;
      },
    },
  ),
  front(
    ['err.upstream-500', 'failures of the upstream are our own', 'ERR-009', 'normalized'],
    miscalls('upstream_error', 'internal_error'),
  ),
  front(
    [
      'err.upstream-account-passed',
      'a failure of the upstream account is the caller’s',
      'ERR-010',
      'not-the-callers',
    ],
    miscalls('upstream_error', 'invalid_api_key'),
  ),
];
