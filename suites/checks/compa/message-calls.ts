import type { Cases } from '../../engine/parts/cases.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { judgeMessage, type MessageAnswer } from '../../oracle/compat/messages-answer.ts';
import { judgeMessageStream } from '../../oracle/compat/messages-stream.ts';
import { memberOf } from '../../oracle/compat/same-json.ts';
import { messagesDifferences } from '../../oracle/compat/same-messages.ts';
import { errorTable } from '../../oracle/error-table.ts';
import { objectOf } from '../../oracle/native/json.ts';
import { readNative } from '../../oracle/native/read.ts';
import { turnFault } from '../../oracle/native/same-turns.ts';
import type { ErrorBody, ExpectedRefusal } from '../../oracle/refusal.ts';
import { flag, must, revising, Untestable } from '../../rules/violation.ts';
import { type NativeRequest, nativeRequest, shown } from '../../steps/chat/upstream-view.ts';
import { compatA } from '../../steps/protocols/protocol.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

/** The rule that a served call proves. */
export interface CallRule {
  readonly requirement: string;
  readonly aspect: string;
  readonly twin?: Exchange | undefined;
}

/** The enabled beta models; at least one. */
export function betaModels(target: Target): readonly string[] {
  const models = target.nativeModels.filter((id) => compatA.serves(id));
  if (models.length === 0) throw new Untestable('models.enabled with a beta model');
  return models;
}

/** A beta model, drawn by seed. */
export function betaModel(target: Target): string {
  return target.draw(betaModels(target));
}

/** A beta model that accepts images for certain. */
export function seeingModel(target: Target): string {
  const models = betaModels(target).filter((id) => chatModel(id)?.vision === true);
  if (models.length === 0) throw new Untestable('models.enabled with a beta model that has Vision');
  return target.draw(models);
}

/** Judges a plain or streamed answer that must be served. */
export function answered(cases: Cases, exchange: Exchange, body: JsonObject, rule: CallRule): MessageAnswer {
  const { max_tokens: asked } = body;
  const expected = {
    ...rule,
    model: String(body.model),
    maxTokens: typeof asked === 'number' ? asked : undefined,
  };
  cases.count();
  return body.stream === true ? judgeMessageStream(exchange, expected) : judgeMessage(exchange, expected);
}

/** Judges a streamed call; returns null after a clean refusal by a deployment without streams here (reading B-91). */
export function streamedOrRefused(
  { judge, cases }: CheckParts,
  exchange: Exchange,
  body: JsonObject,
  rule: CallRule,
): MessageAnswer | null {
  if (refusesStream(judge, exchange)) return null;
  return answered(cases, exchange, body, rule);
}

/** Whether this path streams, for checks that script a stream. */
export async function streamsHere(parts: CheckParts): Promise<boolean> {
  const { newScene, http, target } = parts;
  const body = { ...newScene().minimalA(betaModel(target)), stream: true };
  const exchange = await http.compatA(body, { label: 'a stream to begin with' });
  return (
    streamedOrRefused(parts, exchange, body, { requirement: 'COMPA-010', aspect: 'stream-served' }) !== null
  );
}

/** Whether a deployment declines to stream, by a clean 400 that names the field. */
export function refusesStream(judge: Judge, exchange: Exchange): boolean {
  if (exchange.response?.status !== 400 || paramIn(exchange) !== 'stream') return false;
  refused(judge, exchange, {
    requirement: 'COMPA-010',
    aspect: 'stream-served-or-refused',
    codes: ['invalid_param', 'unsupported_capability'],
  });
  judge.note('does not stream on compat path A (reading B-91)');
  return true;
}

/** The `param` of a refusal in our error shape. */
export function paramIn(exchange: Exchange): unknown {
  return objectOf(objectOf(jsonOf(exchange)).error).param;
}

/** Judges that a scene's one request arrived unchanged. For another dialect it compares what both can express. */
export async function arrivedAsSent(
  scene: Scene,
  body: JsonObject,
  exchange: Exchange,
  requirement: string,
): Promise<NativeRequest> {
  const request = await nativeRequest(scene, requirement, exchange);
  const sent = JSON.stringify(body);
  if (request.view.dialect === 'messages') {
    for (const { requirement, aspect, path, expected, actual } of messagesDifferences(sent, request.text))
      flag(false, {
        ...{ requirement, aspect, member: memberOf(path), exchange, upstream: shown(request) },
        expected: `${path} as sent: ${expected}`,
        actual,
      });
    return request;
  }
  const view = readNative('/v1/messages', sent);
  const fault = view === null ? null : turnFault(view, request.view);
  must(fault === null, {
    requirement: 'COMPA-021',
    aspect: fault?.aspect === 'turn-order' ? 'turns-arrive' : 'content-arrives',
    expected: fault?.expected ?? '',
    actual: fault?.actual ?? '',
    exchange,
    upstream: shown(request),
  });
  return request;
}

/**
 * Judges a refusal, whose wrong members break this path's own rule (reading B-90). A call with a good key may also
 * be refused for streaming.
 */
export function refused(judge: Judge, exchange: Exchange, expected: ExpectedRefusal): ErrorBody {
  const mayBeStream = expected.codes.every((code) => errorTable[code].type !== 'auth_error');
  const isStream = mayBeStream && paramIn(exchange) === 'stream' && askedToStream(exchange);
  const { param: _, ...rest } = expected;
  const wanted: ExpectedRefusal = isStream
    ? { ...rest, codes: ['invalid_param', ...expected.codes] }
    : expected;
  return underErrorRule(() => judge.refused(exchange, wanted));
}

/** Converts a violation of a general error rule into a violation of this path's rule. */
export function underErrorRule<T>(judge: () => T): T {
  return revising(
    (finding) =>
      /^(?:ERR|AUTH)-/.test(finding.requirement) ? { ...finding, requirement: 'COMPA-011' } : finding,
    judge,
  );
}

function askedToStream({ request }: Exchange): boolean {
  return request.body.includes('"stream":true');
}
