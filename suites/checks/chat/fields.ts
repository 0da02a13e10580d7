import { type Check, defineCheck } from '../../engine/check.ts';
import type { JsonObject, Kit } from '../../engine/kit.ts';
import { absent, type ChatField, chatFields, type FieldCell } from '../../oracle/chat-fields.ts';
import type { ErrorCode } from '../../oracle/error-table.ts';
import { judgeErrorShape } from '../../oracle/refusal.ts';
import type { Exchange } from '../../wire/exchange.ts';

/**
 * One check for each field of the chat request. Each cell of the oracle's table is sent as the one thing that is
 * special about an otherwise minimal body; the minimal body itself is the positive twin of every refusal.
 */
export const chatFieldChecks: readonly Check[] = chatFields.map((field) =>
  defineCheck({
    id: `chat.field.${field.name.replaceAll('_', '-')}`,
    title: `${field.name} takes its legal values, and every other value is refused by name`,
    requirements: [...field.requirements, 'CHAT-049'],
    kind: 'example',
    needs: [],
    run: (kit) => judgeField(kit, field),
  }),
);

async function judgeField(kit: Kit, field: ChatField): Promise<void> {
  const model = kit.anyModel();
  const twin = await kit.chat(kit.scene().minimal(model), { label: 'positive twin' });
  kit.completed(twin, { requirement: field.requirements[0], aspect: 'accepts-legal', model });
  for (const cell of field.cells) {
    const body = bodyOf(kit, cell, field.name, kit.anyModel());
    const exchange = await kit.chat(body, { label: `${field.name} = ${describe(cell.value)}` });
    kit.countCase();
    judgeCell(kit, field.name, cell, body, exchange, twin);
  }
}

function judgeCell(kit: Kit, field: string, cell: FieldCell, body: JsonObject, exchange: Exchange, twin: Exchange): void {
  const rule = { requirement: cell.requirement, aspect: cell.aspect };
  const model = String(body.model);
  const maxTokens = typeof body.max_tokens === 'number' && body.max_tokens > 0 ? body.max_tokens : undefined;
  if (cell.verdict === 'accept' || (cell.verdict === 'open' && exchange.response?.status === 200)) {
    kit.completed(exchange, { ...rule, model, maxTokens });
    if (cell.verdict === 'open') kit.note(`accepts ${field} = ${describe(cell.value)}`);
    return;
  }
  if (cell.verdict === 'open') {
    const { code } = judgeErrorShape(exchange);
    kit.refused(exchange, { ...rule, codes: ['invalid_param', 'unsupported_capability', 'context_too_long'] });
    kit.note(`refuses ${field} = ${describe(cell.value)} with ${code}`);
    return;
  }
  const codes: ErrorCode[] = cell.orUnknownModel ? ['invalid_param', 'model_not_found'] : ['invalid_param'];
  kit.refused(exchange, { ...rule, codes, param: field, twin });
}

function bodyOf(kit: Kit, cell: FieldCell, field: string, model: string): JsonObject {
  const body: JsonObject = { ...kit.scene().minimal(model), ...cell.beside };
  if (cell.value === absent) delete body[field];
  else body[field] = cell.value;
  return body;
}

function describe(value: unknown): string {
  if (value === absent) return '(left out)';
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
