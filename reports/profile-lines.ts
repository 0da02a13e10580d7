import { parse, stringify } from 'yaml';
import type { MissingFacts } from './missing-facts.ts';
import type { Report } from './report.ts';

/** The profile lines that together declare all facts of a group; empty if one fact has none. */
export function profileLines(
  { facts }: Pick<MissingFacts, 'facts'>,
  known: Report['missing_facts'] = {},
): string[] {
  const parts = facts.map((fact) => known[fact]?.yaml ?? null);
  if (parts.length === 0 || parts.includes(null)) return [];
  const whole = parts.map((part): unknown => parse(part ?? '')).reduce(together);
  return stringify(whole, { lineWidth: 110 }).trimEnd().split('\n');
}

function together(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  if (!isObject(one) || !isObject(other)) return other;
  const shared = Object.keys(other).map((name) => [
    name,
    name in one ? together(one[name], other[name]) : other[name],
  ]);
  return { ...one, ...Object.fromEntries(shared) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
