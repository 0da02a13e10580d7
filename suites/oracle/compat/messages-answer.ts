import { flag, must } from '../../rules/violation.ts';
import { type Exchange, excerpt, jsonOf, mediaType } from '../../wire/exchange.ts';
import { shapeFault } from '../../wire/shapes.ts';
import { type Json, objectOf, readJson } from '../native/json.ts';
import { judgeIsServed } from '../served.ts';

/** An answer of compat path A whose form has been judged, non-streamed or assembled from a stream. */
export interface MessageAnswer {
  readonly id: string;
  readonly model: string;
  /** The blocks in order, with exact numbers (see {@link readJson}). */
  readonly content: readonly Json[];
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly usage: Json;
}

export interface ExpectedMessage {
  /** The rule that acceptance itself proves. */
  readonly requirement: string;
  readonly aspect: string;
  /** The requested model, which the answer must name. */
  readonly model: string;
  readonly maxTokens?: number | undefined;
  readonly twin?: Exchange | undefined;
}

/** The rule about the form of answers on compat path A. */
export const answerRule = 'COMPA-010';

/**
 * Judges a non-streamed answer of compat path A by its native form (specification, "Endpoints"; reading B-89). It
 * judges status, media type, members, counts, and whether the blocks fit the stop reason. Returns what it read.
 */
export function judgeMessage(exchange: Exchange, expected: ExpectedMessage): MessageAnswer {
  judgeServed(exchange, expected, 'application/json', 'content-type');
  const body = jsonOf(exchange);
  judgeMessageShape(body, exchange);
  const message = objectOf(readJson(exchange.response?.body.toString('utf8') ?? ''));
  const answer = answerOf(message);
  judgeMembers(answer, expected, exchange);
  return answer;
}

/** Judges status 200, a complete body and the media type. */
export function judgeServed(
  exchange: Exchange,
  expected: ExpectedMessage,
  media: string,
  aspect: string,
): void {
  const own = { requirement: expected.requirement, aspect: expected.aspect, exchange, twin: expected.twin };
  judgeIsServed(exchange, {
    own: expected,
    what: 'a message',
    status: { requirement: answerRule, aspect: 'success-status' },
  });
  must(exchange.response.complete, {
    ...own,
    expected: 'a whole body',
    actual: exchange.error ?? 'a body cut short',
  });
  must(mediaType(exchange) === media, {
    requirement: answerRule,
    aspect,
    expected: `content type ${media}`,
    actual: `${mediaType(exchange) || '(none)'}: ${excerpt(exchange, 120)}`,
    exchange,
  });
}

export function judgeMessageShape(body: unknown, exchange: Exchange): void {
  const fault = shapeFault('message-a', body);
  must(fault === null, {
    requirement: answerRule,
    aspect: 'shape',
    expected: 'the members of a native message with their types',
    actual: `${fault?.path || 'the body'} ${fault?.reason}: ${excerpt(exchange, 200)}`,
    exchange,
  });
}

/** The members of a message whose shape has been judged. */
export function answerOf(message: Json): MessageAnswer {
  const { id, model, content, stop_reason: reason, stop_sequence: sequence = null } = message;
  return {
    id: String(id),
    model: String(model),
    content: (content as unknown[]).map(objectOf),
    stopReason: String(reason),
    stopSequence: typeof sequence === 'string' ? sequence : null,
    usage: objectOf(message.usage),
  };
}

/** Why answers of the core path end. The native protocol has other words. */
const coreReasons = ['stop', 'length', 'tool_calls', 'content_filter'];

/** Judges the members against each other and against the request. */
export function judgeMembers(answer: MessageAnswer, expected: ExpectedMessage, exchange: Exchange): void {
  const { content, stopReason, stopSequence, usage, model } = answer;
  const own = { requirement: answerRule, exchange };
  flag(model === expected.model, {
    ...own,
    aspect: 'model-name',
    expected: `model ${expected.model}, the requested id`,
    actual: model,
  });
  const ids = toolUses(answer).map(({ id }) => id);
  flag(new Set(ids).size === ids.length, {
    ...own,
    aspect: 'tool-use-ids',
    expected: 'a unique id for each tool_use block',
    actual: JSON.stringify(ids),
  });
  flag(stopReason !== 'tool_use' || content.some(({ type }) => String(type).endsWith('tool_use')), {
    ...own,
    aspect: 'stop-reason-fits',
    expected: 'a tool_use block for stop_reason tool_use',
    actual: `stop_reason tool_use with ${JSON.stringify(content.map(({ type }) => type))}`,
  });
  flag(!coreReasons.includes(stopReason), {
    ...own,
    aspect: 'stop-reason-fits',
    expected: 'a stop_reason of the native protocol, as end_turn',
    actual: stopReason,
  });
  flag(stopSequence === null || stopReason === 'stop_sequence', {
    ...own,
    aspect: 'stop-sequence-fits',
    expected: 'a stop_sequence only with stop_reason stop_sequence',
    actual: `stop_reason ${stopReason} with stop_sequence ${JSON.stringify(stopSequence)}`,
  });
  const { maxTokens = Number.POSITIVE_INFINITY } = expected;
  flag(Number(usage.output_tokens) <= maxTokens, {
    ...own,
    aspect: 'within-max-tokens',
    expected: `at most ${maxTokens} output_tokens`,
    actual: String(usage.output_tokens),
  });
}

/** The joined text of an answer's blocks. */
export function textIn({ content }: Pick<MessageAnswer, 'content'>): string {
  return content.map((block) => (block.type === 'text' ? String(block.text) : '')).join('');
}

export function toolUses({ content }: Pick<MessageAnswer, 'content'>): readonly Json[] {
  return content.filter(({ type }) => type === 'tool_use');
}
