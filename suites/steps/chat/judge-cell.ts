import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { CellVerdict } from '../../oracle/cell-verdict.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { advise, must, Untestable } from '../../rules/violation.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

/** One cell of an oracle's table, with its request and its answer. */
export interface SentCell {
  readonly title: string;
  readonly verdict: CellVerdict;
  readonly requirement: string;
  readonly aspect: string;
  /** The field that a refusal must name. */
  readonly field: string;
  /** Codes that a refusal may carry. */
  readonly codes: readonly ErrorCode[];
  readonly body: JsonObject;
  readonly twin: Exchange;
}

/**
 * Judges the answer to a cell. An accepted cell is judged as a whole answer, a refused one by its triple and
 * param. For an open cell either is fine if it is clean.
 */
export function judgeCell({ cases, judge }: CheckParts, cell: SentCell, exchange: Exchange): void {
  cases.count();
  const rule = { requirement: cell.requirement, aspect: cell.aspect };
  const accepted = isSuccess(exchange);
  if (cell.verdict === 'accept' || (cell.verdict === 'open' && accepted)) {
    judgeAccepted(judge, cell.body, exchange, { ...rule, twin: cell.twin });
  } else {
    // Where the specification is silent, the error need not name the field. Status, code, type and shape are enough.
    const named = cell.verdict === 'refuse' ? { param: cell.field } : {};
    judge.refused(exchange, { ...rule, ...named, codes: cell.codes, twin: cell.twin });
  }
  if (cell.verdict === 'open') judge.note(`${accepted ? 'accepts' : 'refuses'} ${cell.title}`);
  const { messages } = cell.body;
  const isEmpty = Array.isArray(messages) && messages.length === 0;
  const expected = 'a refusal of a conversation without messages (reading B-22)';
  advise(!accepted || !isEmpty, { ...rule, aspect: 'empty-list', expected, actual: 'HTTP 200', exchange });
}

/** Judges the answer to an accepted request, streamed or not as requested. */
export function judgeAccepted(
  judge: Judge,
  body: JsonObject,
  exchange: Exchange,
  rule: { requirement: string; aspect: string; twin?: Exchange },
): void {
  const { max_tokens: asked } = body;
  const maxTokens = typeof asked === 'number' && Number.isInteger(asked) && asked > 0 ? asked : undefined;
  const expected = { ...rule, model: String(body.model), maxTokens };
  if (body.stream === true) judge.streamed(exchange, expected);
  else judge.completed(exchange, expected);
}

/**
 * Judges that a caller's request does not make the gateway fail. The gateway must answer, and its error must blame neither
 * itself nor an upstream. Returns the status.
 */
export function judgeNoServerFault(exchange: Exchange, twin?: Exchange): number {
  const status = exchange.response?.status ?? 0;
  must(status > 0 && status < 500, {
    requirement: 'CHAT-053',
    aspect: 'never-5xx',
    expected: 'a completion or a refusal with 4xx',
    actual: status === 0 ? `no answer (${exchange.error})` : `HTTP ${status}`,
    exchange,
    twin,
  });
  return status;
}

/** An enabled model with the capability Vision, drawn by seed. */
export function visionModel(target: Target): string {
  return target.draw(visionModels(target));
}

export function visionModels(target: Target): readonly string[] {
  const models = target.models.filter((id) => chatModel(id)?.vision === true);
  if (models.length === 0) throw new Untestable('models.enabled with a model that has Vision');
  return models;
}

export function blindModels(target: Target): readonly string[] {
  const models = target.models.filter((id) => chatModel(id)?.vision === false);
  if (models.length === 0) throw new Untestable('models.enabled with a model that lacks Vision');
  return models;
}
