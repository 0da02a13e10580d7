import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { type ChatField, chatFields, type FieldCell, metadataValueCells } from '../../oracle/chat-fields.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { absent, JsonText } from '../../oracle/json-text.ts';
import { judgeCell } from '../../steps/chat/judge-cell.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';
import { inTurnsOfUsers } from '../../steps/fields/in-turns.ts';

/**
 * One check for each field. It sends each cell of the field's table in a minimal body, which is also every refusal's positive
 * twin.
 */
export const chatFieldChecks: readonly Check[] = chatFields.map((field) =>
  defineCheck({
    id: `chat.field.${field.name.replaceAll('_', '-')}`,
    title: `${field.name} takes its legal values, and every other value is refused by name`,
    requirements: [...field.requirements, 'CHAT-049'],
    kind: 'example',
    needs: [],
    run: (parts) => judgeField(parts, field),
  }),
);

async function judgeField(parts: CheckParts, field: ChatField): Promise<void> {
  const { target, http, newScene, judge } = parts;
  const model = target.anyModel();
  const twin = await http.chat(newScene().minimal(model), { label: 'positive twin' });
  judge.completed(twin, { requirement: 'CHAT-001', aspect: 'minimal-works', model });
  const declared =
    field.name === 'metadata' ? metadataValueCells(target.profile.chat.metadata_value_max) : [];
  const all = target.few(
    [...field.cells, ...declared],
    ({ requirement, verdict }) => `${requirement} ${verdict}`,
  );
  const cells = all.flatMap((cell) =>
    modelsFor(target, field, cell).map((id) => ({ cell, id, body: bodyOf(newScene, cell, field.name, id) })),
  );
  await inTurnsOfUsers(parts, cells, async ({ cell, id, body }, key) => {
    const title = `${field.name} = ${describe(cell.value)}`;
    const exchange = await http.chat(body, { key, label: `${title} on ${id}` });
    const sent = { ...cell, title, field: field.name, codes: codesOf(cell), body, twin };
    judgeCell(parts, sent, exchange);
  });
}

/** Tests boundaries on every model, and values that the specification leaves open on one model of each family. */
function modelsFor(target: Target, { name }: ChatField, { verdict }: FieldCell): readonly string[] {
  if (name === 'model') return [target.anyModel()];
  return verdict === 'open' ? familyModels(target) : target.eachModel;
}

function codesOf(cell: FieldCell): ErrorCode[] {
  return cell.orUnknownModel ? ['invalid_param', 'model_not_found'] : ['invalid_param'];
}

function bodyOf(newScene: () => Scene, cell: FieldCell, field: string, model: string): JsonObject {
  const prompt = field === 'response_format' ? 'Describe the sea as a short JSON object.' : undefined;
  const body: JsonObject = { ...newScene().minimal(model, prompt), ...cell.beside };
  if (cell.value === absent) delete body[field];
  else body[field] = cell.value;
  return body;
}

function describe(value: unknown): string {
  if (value === absent) return '(left out)';
  const text = value instanceof JsonText ? value.text : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
