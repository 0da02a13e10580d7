import type { NativeAnswer } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { editJson, type JsonObject } from '../native/answer-json.ts';
import { ofForm } from '../native/refusal.ts';

/** Fewer images than requested, with or without an explanation. */
export const nShort: Fault = {
  id: 'M12',
  kind: 'edit',
  answer: (given, context): NativeAnswer => {
    const answer = ofForm(context, answers);
    return editJson(given, (document) => answer(document, Array.isArray(document.data) ? document.data : []));
  },
};

type Edit = (document: JsonObject, data: readonly unknown[]) => JsonObject;

const answers: Readonly<Record<string, Edit>> = {
  fewer: (document, data) => ({ ...document, data: data.slice(0, -1) }),
  none: (document) => ({ ...document, data: [] }),
  'fewer-filtered': (document, data) => ({ ...document, data: data.slice(0, -1), ...filtered(1) }),
  'none-filtered': (document, data) => ({ ...document, data: [], ...filtered(data.length) }),
  absent: ({ created }) => ({ created }),
};

function filtered(count: number): JsonObject {
  return { filtered: { count, code: 'content_policy_violation' } };
}
