import { z } from 'zod';
import { isObject, parseJson } from '../../json/json-body.ts';
import { badPayload, type FieldViolation, type NativeError } from './errors.ts';

export type ParsedPayload<T> = { ok: true; payload: T } | { ok: false; error: NativeError };

/**
 * Reads a body by the JSON mapping of protocol buffers, which this dialect follows. Names are in camel or snake
 * case, null means absent, and whole numbers may be strings. It reports every invalid field, not just the first.
 */
export function parsePayload<T>(schema: z.ZodType<T>, body: Buffer): ParsedPayload<T> {
  const json = parseJson(body);
  if (!isObject(json)) return refuse([{ description: unreadable('the body must be one JSON object') }]);
  if (isDeeperThan(json, deepestLevel)) {
    return refuse([{ description: unreadable(`it is nested deeper than ${deepestLevel} levels`) }]);
  }
  const parsed = schema.safeParse(normalise(json, false));
  if (parsed.success) return { ok: true, payload: parsed.data };
  return refuse(parsed.error.issues.flatMap(violationsOf));
}

/** A field path as errors name it: `contents[0].inline_data.mime_type`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) =>
      typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${snakeCase(String(part))}`,
    )
    .join('');
}

/** A 32-bit number, which may be written in quotes. */
export const int32 = z.preprocess(numberFromText, z.int32());

/** A 64-bit number; here only those that a double can hold exactly. */
export const int64 = z.preprocess(numberFromText, z.int());

/** Bytes stay base64 text as received, in either alphabet, with or without padding. */
export const bytes = z.string().regex(/^[A-Za-z0-9+/_-]*={0,2}$/);

/** Any JSON object; the caller defines its members. */
export const struct = z.record(z.string(), z.unknown());

const deepestLevel = 100;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

/** Members with content that the caller defines: the protocol's rules for names and nulls do not apply inside. */
const opaqueMembers = new Set(['args', 'response', 'responseJsonSchema', 'parametersJsonSchema', 'default']);

/** Maps: the caller defines the keys, and the values are messages again. */
const mapMembers = new Set(['properties', 'labels', 'headers']);

function normalise(value: unknown, isMap: boolean): unknown {
  if (Array.isArray(value)) return value.map((inner) => normalise(inner, false));
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (isMap) return [[key, normalise(inner, false)]];
    if (inner === null) return [];
    const name = camelCase(key);
    return [[name, opaqueMembers.has(name) ? inner : normalise(inner, mapMembers.has(name))]];
  });
  return Object.fromEntries(members);
}

function violationsOf(issue: z.core.$ZodIssue): FieldViolation[] {
  const field = fieldPath(issue.path);
  const place = field === '' ? {} : { field };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const where = field === '' ? '' : ` at '${field}'`;
      return { ...place, description: unreadable(`there is no field "${key}"${where}`) };
    });
  }
  return [{ ...place, description: `Invalid value at '${field}': ${issue.message}` }];
}

function unreadable(reason: string): string {
  return `Invalid JSON payload received: ${reason}.`;
}

function refuse(violations: readonly FieldViolation[]): { ok: false; error: NativeError } {
  return { ok: false, error: badPayload(violations) };
}

function numberFromText(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
