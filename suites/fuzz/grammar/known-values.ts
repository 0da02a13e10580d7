import { blockFamilies } from '../../oracle/block-forms.ts';
import { chatFields, type FieldCell } from '../../oracle/chat-fields.ts';
import { optionalCells, requiredCells } from '../../oracle/compat/message-fields.ts';
import type { FormFamily } from '../../oracle/form-family.ts';
import { absent } from '../../oracle/json-text.ts';
import { messageFamilies } from '../../oracle/message-forms.ts';
import { toolFamilies } from '../../oracle/tool-forms.ts';
import type { BodyField } from './body-field.ts';
import { generalOf, placeIn, valueAt } from './body-tree.ts';
import { type JsonType, jsonTypeOf, printBody } from './raw-json.ts';

/** The verdict of the tables on one value of a field; `absent` means that the field is left out. */
export interface KnownValue {
  readonly field: string;
  readonly value: unknown;
  readonly verdict: 'accept' | 'refuse' | 'open';
  /** Members that must accompany it. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** What is certain about a damaged value: it must be refused, or the specification leaves it open. */
export type Certainty = 'refuse' | 'open';

type Kind = JsonType | 'absent';

/** What the tables of the suites know of the values of one endpoint's fields. */
export class KnownValues {
  readonly #byField: ReadonlyMap<string, readonly KnownValue[]>;

  constructor(values: readonly KnownValue[]) {
    this.#byField = Map.groupBy(values, ({ field }) => field);
  }

  /** The values of a field that the tables refuse. */
  refused(field: string): readonly KnownValue[] {
    return (this.#byField.get(field) ?? []).filter(
      ({ value, verdict }) => verdict === 'refuse' && value !== absent,
    );
  }

  /** The types of the values of a field that the tables accept. */
  acceptedTypes(field: string): ReadonlySet<JsonType> {
    const accepted = (this.#byField.get(field) ?? []).filter(({ verdict }) => verdict === 'accept');
    return new Set(accepted.flatMap(({ value }) => jsonTypeOf(value) ?? []));
  }

  /**
   * Whether a value is certainly refused. It is when the tables refuse it. It also is when its type is not one of the field's
   * and the tables refuse every value of that type.
   */
  certaintyOf({ name: field, forms }: BodyField, value: unknown): Certainty {
    const known = this.#byField.get(field) ?? [];
    const kind = kindOf(value);
    if (kind === null) return 'refuse';
    const printed = kind === 'absent' ? '' : String(printBody(value));
    const same = known.filter((one) => kindOf(one.value) === kind);
    const exact = same.find((one) => kind === 'absent' || String(printBody(one.value)) === printed);
    if (exact !== undefined) return exact.verdict === 'refuse' ? 'refuse' : 'open';
    if (kind !== 'absent' && isLegalType(kind, forms)) return 'open';
    return same.length > 0 && same.every(({ verdict }) => verdict === 'refuse') ? 'refuse' : 'open';
  }
}

function isLegalType(type: JsonType, forms: BodyField['forms']): boolean {
  return type !== 'null' && forms.has(type === 'string' ? 'text' : type);
}

function kindOf(value: unknown): Kind | null {
  return value === absent ? 'absent' : jsonTypeOf(value);
}

const fromCells = (field: string, cells: readonly FieldCell[]): KnownValue[] =>
  cells.map(({ value, verdict, beside }) => ({
    field,
    value,
    verdict,
    ...(beside === undefined ? {} : { beside }),
  }));

/** Types that the content of no role accepts; other types depend on the role. */
const wrongInAnyRole: readonly Kind[] = ['number', 'boolean', 'object'];

/** The form tables build whole bodies, so the value in question is the one that the refusal names. */
function fromForms(families: readonly FormFamily[]): KnownValue[] {
  const refused = families.flatMap(({ cells }) =>
    cells.filter(({ verdict, commonExtra }) => verdict === 'refuse' && commonExtra === undefined),
  );
  return refused.flatMap(({ field, members }) => {
    const place = placeIn(field);
    const value = valueAt(members('Hello.'), place) ?? absent;
    const general = generalOf(place);
    const kind = kindOf(value);
    const isSure = general !== 'messages[].content' || (kind !== null && wrongInAnyRole.includes(kind));
    return isSure ? [{ field: general, value, verdict: 'refuse' as const }] : [];
  });
}

/** The chat request: its fields, and the forms of messages, tools and blocks. */
export const chatValues: readonly KnownValue[] = [
  ...chatFields.flatMap(({ name, cells }) => fromCells(name, cells)),
  ...fromForms([...messageFamilies, ...toolFamilies, ...blockFamilies]),
  // A word that is legal in one kind of block or message may be wrong in another.
  { field: 'messages[].role', value: 'user', verdict: 'accept' },
  { field: 'messages[].content[].type', value: 'text', verdict: 'accept' },
  { field: 'messages[].content[].text', value: 'Hello.', verdict: 'accept' },
  { field: 'messages[].tool_call_id', value: 'call_1', verdict: 'accept' },
  { field: 'tools[].type', value: 'function', verdict: 'accept' },
  { field: 'tools[].function.name', value: 'look_up', verdict: 'accept' },
];

/** Compat path A. */
export const messagesValues: readonly KnownValue[] = [...requiredCells, ...optionalCells].flatMap(
  ({ field, members, verdict }) =>
    Object.hasOwn(members, field) ? [{ field, value: members[field], verdict }] : [],
);

/** Compat path B (COMPB-003): turns, their roles, their parts and texts. */
export const generateValues: readonly KnownValue[] = [
  ...refusedIn('contents', [absent, 7, 'hello', true, null, {}]),
  ...refusedIn('contents[].role', [5, {}, 'assistant', 'system']),
  ...refusedIn('contents[].parts', [5, 'hello', {}]),
  ...refusedIn('contents[].parts[].text', [5, true, {}, []]),
  ...['user', 'model'].map((value) => ({ field: 'contents[].role', value, verdict: 'accept' as const })),
];

function refusedIn(field: string, values: readonly unknown[]): KnownValue[] {
  return values.map((value) => ({ field, value, verdict: 'refuse' }));
}
