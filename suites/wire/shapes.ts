import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The shapes with a JSON Schema in `fixtures/schemas/`: answers on the wire, and the facts about faults. */
export const shapes = [
  'error',
  'chat-completion',
  'chat-completion-chunk',
  'model-list',
  'message-a',
  'fault-facts',
  'hooks/usage',
  'hooks/ledger',
  'hooks/balance',
  'hooks/accounts',
  'hooks/clock',
  'generate-b',
  'images-answer',
  'task-submitted',
  'task-record',
] as const;
export type Shape = (typeof shapes)[number];

const ajv = new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true });
const compiled = new Map<Shape, ValidateFunction>();

/**
 * The first error of `value` as an answer of this shape, or null.
 * The path is a JSON Pointer to the invalid or missing member.
 */
export function shapeFault(shape: Shape, value: unknown): { path: string; reason: string } | null {
  const validate = compiled.get(shape) ?? compile(shape);
  if (validate(value)) return null;
  const error = validate.errors?.[0];
  const missing = error?.keyword === 'required' ? `/${String(error.params.missingProperty)}` : '';
  return { path: (error?.instancePath ?? '') + missing, reason: error?.message ?? 'does not fit its schema' };
}

function compile(shape: Shape): ValidateFunction {
  const file = new URL(`../../fixtures/schemas/${shape}.json`, import.meta.url);
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  compiled.set(shape, validate);
  return validate;
}
