import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { ChatOptions, RequestBody } from '../../engine/requests.ts';
import type { MediaRound } from '../../generators/media-rounds.ts';
import { fieldsOf } from '../../oracle/media/fields.ts';
import type { MediaModel } from '../../oracle/media/models.ts';
import { type Rule, ruleOf, webhookRule } from '../../oracle/media/rules.ts';
import { namesField } from '../../oracle/refusal.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

/** Sends a request to the endpoint of its model. */
export async function sendMedia(
  { images, tasks }: CheckParts,
  model: MediaModel,
  body: RequestBody,
  options: ChatOptions = {},
): Promise<Exchange> {
  return model.endpoint === 'images' ? images.generate(body, options) : tasks.submit(body, options);
}

/**
 * Sends a legal request, which must be accepted. A refusal counts against the field that it names. Returns the
 * task's id if a task was made.
 */
export async function judgeLegal(
  parts: CheckParts,
  { model, tag, body }: MediaRound,
  twin?: Exchange,
): Promise<{ exchange: Exchange; taskId: string | null }> {
  parts.cases.count();
  const exchange = await sendMedia(parts, model, { ...body }, { label: `${model.id}, legal ${tag}` });
  return { exchange, taskId: judgeTaken(parts, model, body, exchange, twin) };
}

/** Judges the answer to a request that must be, or was, accepted. */
export function judgeTaken(
  { tasks, images }: CheckParts,
  model: MediaModel,
  body: Readonly<Record<string, unknown>>,
  exchange: Exchange,
  twin?: Exchange,
  rule: Rule = ruleOfRefusal(model, body, exchange),
): string | null {
  if (model.endpoint === 'tasks') return tasks.accepted(exchange, { ...rule, twin }).taskId;
  const n = typeof body.n === 'number' ? body.n : 1;
  const form = body.response_format === 'b64_json' ? 'b64_json' : 'url';
  images.pictured(exchange, { ...rule, n, form, twin });
  return null;
}

/** The rule that a refusal of a legal request breaks. */
function ruleOfRefusal(model: MediaModel, body: Readonly<Record<string, unknown>>, exchange: Exchange): Rule {
  const { error } = (jsonOf(exchange) ?? {}) as { error?: { param?: unknown } };
  const param = typeof error?.param === 'string' ? error.param : null;
  if (namesField(param, 'webhook_url')) return webhookRule(model, 'accept');
  const field = fieldsOf(model.id).find(({ name }) => namesField(param, name));
  return field === undefined
    ? { requirement: model.row, aspect: 'accepts-legal' }
    : ruleOf(model, field, 'accepts-legal', body[field.name]);
}
