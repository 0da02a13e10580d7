import type { MediaModel } from '../../catalogue/media-models.ts';
import { invalidParam } from '../../errors/gateway-error.ts';
import { isObject, type JsonObject, type ParsedBody } from '../../http/parse-json.ts';
import { firstIssue } from '../first-issue.ts';
import type { UrlRules } from './https-url.ts';
import type { MediaRequest, NamedParent } from './media-request.ts';
import { type MediaSchema, type MediaSchemas, mediaSchemas } from './media-schemas.ts';

/** Fields that do not reach the upstream under these names. */
const ourOwn: ReadonlySet<string> = new Set([
  'model',
  'action',
  'webhook_url',
  'parent_task_id',
  'parent_task_ids',
]);

/** Checks the fields of a request for images or for a task, and reports the first invalid one in document order. */
export function parseMediaRequest(body: ParsedBody, model: MediaModel, rules: UrlRules): MediaRequest {
  const schemas = mediaSchemas(rules).get(model.id);
  if (schemas === undefined) throw new Error(`no schema for the model ${model.id}`);
  const { action, schema } = stepOf(schemas, body.value.action);
  const parsed = schema.safeParse(body.value);
  if (!parsed.success) throw firstIssue(parsed.error, body.value);
  const values = withoutNulls(parsed.data);
  checkSection(values);
  const { webhook_url: webhookUrl } = values;
  return {
    model,
    fields: fieldsOf(values, body.exact),
    given: new Set(Object.keys(body.value).filter((name) => body.value[name] !== null)),
    webhookUrl: typeof webhookUrl === 'string' ? webhookUrl : null,
    action,
    parents: action === 'mashup' ? bothParents(values) : parentsIn(values),
  };
}

/** The schema for the step that a body names; an unknown step is reported before any other error. */
function stepOf(
  schemas: MediaSchemas,
  named: unknown,
): { readonly action: string | null; readonly schema: MediaSchema } {
  if (schemas.kind === 'single') return { action: null, schema: schemas.schema };
  const action = named ?? schemas.first;
  const schema = typeof action === 'string' ? schemas.schemas.get(action) : undefined;
  if (typeof action === 'string' && schema !== undefined) return { action, schema };
  throw invalidParam('action', `action must be one of ${[...schemas.schemas.keys()].join(', ')}.`);
}

function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null));
}

/** 64-bit integers are forwarded with the original digits. */
function fieldsOf(values: JsonObject, exact: JsonObject): JsonObject {
  const fields = Object.entries(values).filter(([name]) => !ourOwn.has(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, isRounded(value) ? exact[name] : value]));
}

function isRounded(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** A section must start before it ends. */
function checkSection({ start, end }: JsonObject): void {
  if (typeof start === 'number' && typeof end === 'number' && start >= end)
    throw invalidParam('end', 'end must be greater than start.');
}

function parentsIn({ parent_task_id: parent, image }: JsonObject): readonly NamedParent[] {
  if (typeof parent === 'string') return [{ taskId: parent, param: 'parent_task_id' }];
  if (isObject(image) && typeof image.task_id === 'string')
    return [{ taskId: image.task_id, param: 'image.task_id' }];
  return [];
}

/** The two parents of a mashup; one of them may be given in either field, or in both. */
function bothParents({ parent_task_id: first, parent_task_ids: list }: JsonObject): readonly NamedParent[] {
  const listed = Array.isArray(list) ? list : [];
  const named = [
    ...(typeof first === 'string' ? [{ taskId: first, param: 'parent_task_id' }] : []),
    ...listed.map((taskId, i) => ({ taskId: String(taskId), param: `parent_task_ids[${i}]` })),
  ];
  const parents = named.filter(({ taskId }, i) => named.findIndex((other) => other.taskId === taskId) === i);
  if (parents.length !== 2)
    throw invalidParam('parent_task_ids', 'parent_task_ids must name the two tasks to combine.');
  return parents;
}
