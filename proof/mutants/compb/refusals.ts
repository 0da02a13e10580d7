import { objectIn } from '../../../suites/rewrite/json.ts';
import { editRequest } from '../../../suites/rewrite/mutation.ts';
import { codeOf, inErrors, miscalls, refusal } from '../../../suites/rewrite/refusal-edits.ts';
import {
  answersB,
  candidateOf,
  frontB,
  modelOf,
  pathsB,
  refusesB,
  turnsOf,
} from '../../edits/compat-b-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { source } from '../../edits/mutant.ts';

/** Gateways that admit or refuse the wrong calls on compat path B, or refuse with wrong errors. */

export const models: readonly Mutant[] = [
  frontB(
    ['compb.flash-missing', 'gamma-3-flash is not served', 'COMPB-001', 'served'],
    refusesB((_, sent) => modelOf(sent) === 'gamma-3-flash', 'model_not_found'),
  ),
  frontB(
    ['compb.path-lowered', 'the case of letters in the path does not count', 'COMPB-002', 'exact-spelling'],
    pathsB((path) => path.replace(/models\/[^:]+/, (model) => model.toLowerCase())),
  ),
  frontB(
    ['compb.unknown-served', 'an unknown model is another word for gamma-3-flash', 'COMPB-002', 'unknown-id'],
    pathsB((path) => path.replace(/models\/zz[^:]+/, 'models/gamma-3-flash')),
  ),
  frontB(
    ['compb.encoded-fails', 'an encoded path is a failure of the gateway', 'COMPB-002', 'encoded-clean'],
    refusesB((_, { path }) => /%3a|%2d/i.test(path), 'internal_error'),
  ),
  frontB(
    [
      'compb.body-model-wins',
      'a model in the body stands over that of the path',
      'COMPB-002',
      'path-decides',
    ],
    pathsB((path, { model }) =>
      typeof model === 'string' && model.startsWith('gamma')
        ? path.replace(/models\/[^:]+/, `models/${model}`)
        : path,
    ),
  ),
  frontB(
    ['compb.image-model-served', 'the gamma image model is served', 'COMPB-012', 'other-refused'],
    pathsB((path) => path.replace('gamma-3-pro-image', 'gamma-3-pro')),
  ),
  frontB(
    [
      'compb.refused-too-late',
      'a model of another family is refused after its upstream was asked',
      'COMPB-012',
      'no-upstream-call',
    ],
    {
      request: (sent) =>
        /^(?:alpha|beta|delta)-/.test(modelOf(sent))
          ? {
              ...sent,
              path: sent.path.replace(/models\/[^:]+/, 'models/gamma-3-flash'),
              headers: [...sent.headers, ['x-late', '1']],
            }
          : sent,
      answer: (got, sent) =>
        sent.headers.some(([name]) => name === 'x-late') ? refusal('model_not_found') : got,
    },
  ),
];

const first = (contents: unknown): unknown => (Array.isArray(contents) ? contents : [contents]);

/** A mutant that repairs a faulty body before the gateway judges it. */
function repairs(id: string, title: string, repair: Parameters<typeof editRequest>[0]): Mutant {
  return frontB([`compb.${id}`, title, 'COMPB-003', 'contents-refused'], { request: editRequest(repair) });
}

export const contents: readonly Mutant[] = [
  repairs('contents-one-turn', 'one turn may stand for an array', (body) => {
    if (body.contents !== undefined && typeof body.contents === 'object' && body.contents !== null)
      body.contents = first(body.contents);
  }),
  frontB(
    ['compb.contents-unnamed', 'no refusal names its field', 'COMPB-003', 'contents-named'],
    inErrors((error) => {
      error.param = null;
    }),
  ),
  frontB(
    ['compb.turns-few', 'more than ten turns are refused', 'COMPB-003', 'contents-accepted'],
    refusesB((body) => turnsOf(body).length > 10),
  ),
  frontB(
    [
      'compb.no-object-fails',
      'a body that is not an object counts as an internal failure',
      'COMPB-003',
      'no-object',
    ],
    {
      request: (sent) => (objectIn(sent.body) === null ? refusal('internal_error') : sent),
    },
  ),
  frontB(
    [
      'compb.empty-part-fails',
      'parts that are empty are a failure of the gateway',
      'COMPB-003',
      'doubtful-clean',
    ],
    refusesB(
      (body) => turnsOf(body).some((turn) => Array.isArray(turn.parts) && turn.parts.length === 0),
      'internal_error',
    ),
  ),
];

export const errors: readonly Mutant[] = [
  frontB(
    ['compb.number-code', 'code is the number of the status', 'COMPB-011', 'string-code'],
    inErrors((error, got) => {
      error.code = got.status;
    }),
  ),
  frontB(
    ['compb.native-error', 'errors have the members of the native ones', 'COMPB-011', 'normalised-members'],
    inErrors((error) => {
      delete error.type;
      delete error.channel;
      delete error.param;
    }),
  ),
  frontB(
    ['compb.all-400', 'every refusal is a 400', 'COMPB-011', 'status-of-code'],
    inErrors(() => 400),
  ),
  frontB(
    ['compb.unknown-way-fails', 'an unknown path is a failure of the gateway', 'COMPB-011', 'unknown-way'],
    {
      answer: (got) => (got.status === 404 && codeOf(got) === 'not_found' ? refusal('internal_error') : got),
    },
  ),
  frontB(
    ['compb.expired-unknown', 'every wrong key is an unknown one', 'COMPB-011', 'caller-told'],
    inErrors((error) => {
      if (!String(error.code).startsWith('sk_')) return undefined;
      error.code = 'invalid_api_key';
      return 401;
    }),
  ),
  frontB(
    ['compb.upstream-is-us', 'a failure of the upstream is our own', 'COMPB-011', 'upstream-told'],
    miscalls('upstream_error', 'internal_error'),
  ),
  frontB(
    ['compb.block-is-invalid', 'a blocked prompt is an invalid parameter', 'COMPB-011', 'prompt-blocked'],
    miscalls('content_filter', 'invalid_param'),
  ),
  frontB(
    ['compb.filter-as-stop', 'an answer that was held back ends in STOP', 'COMPB-011', 'answer-blocked'],
    answersB((part) => {
      const candidate = candidateOf(part);
      if (typeof candidate.finishReason === 'string' && candidate.finishReason !== 'maxTokens')
        candidate.finishReason = 'STOP';
    }),
  ),
  frontB(
    [
      'compb.param-in-core-words',
      'fields are called as on the core path',
      'COMPB-011',
      'param-in-callers-words',
    ],
    inErrors((error) => {
      const param = String(error.param ?? '');
      if (param.startsWith('generationConfig')) error.param = 'max_tokens';
    }),
  ),
  frontB(
    [
      'compb.objection-fails',
      'what the upstream objects to is a failure of the gateway',
      'COMPB-016',
      'objection-clean',
    ],
    miscalls('invalid_param', 'internal_error'),
  ),
  source(
    [
      'compb.top-p-miscalled',
      'a topP that the upstream refuses is put down to maxOutputTokens',
      'ERR-007',
      'fault-named',
    ],
    'requests/compat/generate-content/places.ts',
    "top_p: ['topP'],",
    "top_p: ['maxOutputTokens'],",
  ),
  source(
    ['compb.objection-repeated', 'an objection of the upstream is repeated', 'COMPB-016', 'no-upstream-text'],
    'upstreams/call-chat.ts',
    "  if (gone.aborted) return { kind: 'client_left' };\n  const { status, headers } = reply;",
    "  const { status, headers } = reply;\n  if (status === 400) throw new (await import('../errors/gateway-error.ts')).GatewayError('invalid_param', { message: 'The upstream said: ' + JSON.stringify(value ?? '').replaceAll('\\\\', '') });",
  ),
];
