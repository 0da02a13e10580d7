import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
import {
  contentCells,
  type NativeCell,
  optionalCells,
  requiredCells,
} from '../../oracle/compat/message-fields.ts';
import { absent } from '../../oracle/json-text.ts';
import { compatA } from '../../steps/protocols/protocol.ts';
import { formsOn } from '../../steps/protocols/protocol-model.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';
import { answered, betaModel, betaModels, refused } from './message-calls.ts';

export const bodyChecks: readonly Check[] = [
  cellCheck(
    'compa.body.required',
    'model, max_tokens and messages are required; missing or malformed is refused by name',
    'COMPA-002',
    requiredCells,
  ),
  cellCheck(
    'compa.body.content',
    'messages have a role and content, a string or native blocks; anything else is refused',
    'COMPA-003',
    contentCells,
  ),
  cellCheck(
    'compa.body.optional',
    'native fields beside the required ones take their native values, and no others',
    'COMPA-002',
    optionalCells,
  ),
];

function cellCheck(id: string, title: string, requirement: string, cells: readonly NativeCell[]): Check {
  return defineCheck({
    id,
    title,
    requirements: [requirement as 'COMPA-002', 'COMPA-011'],
    kind: 'example',
    needs: ['compat.a'],
    run: async (parts) => {
      const { newScene, http, target, cases } = parts;
      const minimal = newScene().minimalA(betaModel(target));
      const twin = await http.compatA(minimal, { label: 'positive twin' });
      answered(cases, twin, minimal, { requirement, aspect: 'twin-served' });
      const forms = await formsOn(parts, { protocol: compatA, model: betaModel(target) });
      for (const cell of target.few(cells, ({ verdict }) => verdict)) {
        const models = cell.verdict === 'accept' ? target.few(betaModels(target)) : [betaModel(target)];
        const isStreamedToo = cell.verdict === 'refuse' && cell.field !== 'stream';
        for (const model of models)
          for (const stream of isStreamedToo ? forms : [false])
            await judgeCell(parts, cell, { model, stream }, { requirement, twin });
      }
    },
  });
}

async function judgeCell(
  { newScene, http, cases, judge }: CheckParts,
  cell: NativeCell,
  { model, stream }: { readonly model: string; readonly stream: boolean },
  { requirement, twin }: { requirement: string; twin: Exchange },
): Promise<void> {
  const scene = newScene();
  const members = { ...scene.minimalA(model), ...(stream ? { stream } : {}), ...cell.members };
  const body = bodyOf(members, scene.prompt());
  const exchange = await http.compatA(body, {
    label: `${cell.label} on ${model}${stream ? ', stream' : ''}`,
  });
  const refusal = stream ? 'refused-streamed' : 'refused';
  const rule = { requirement, aspect: cell.verdict === 'accept' ? 'accepted' : refusal, twin };
  const accepted = isSuccess(exchange);
  if (cell.verdict === 'accept' || (cell.verdict === 'open' && accepted)) {
    answered(cases, exchange, body, rule);
  } else {
    cases.count();
    refused(judge, exchange, {
      ...rule,
      codes: cell.field === 'model' ? ['invalid_param', 'model_not_found'] : ['invalid_param'],
      ...(cell.verdict === 'open' ? {} : { param: cell.field, paramRule: requirement }),
    });
  }
  if (cell.verdict === 'open') judge.note(`${accepted ? 'accepts' : 'refuses'} ${cell.label}`);
}

/** The body without its absent members, and with the prompt where a cell needs one. */
function bodyOf(members: JsonObject, prompt: string): JsonObject {
  const kept = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== absent));
  const { messages } = kept;
  return messages === undefined
    ? kept
    : {
        ...kept,
        messages: JSON.parse(
          JSON.stringify(messages).replaceAll('{marker}', prompt.replaceAll('"', '')),
        ) as unknown,
      };
}
