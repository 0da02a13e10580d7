import type { z } from 'zod';
import { nearest } from '../nearest.ts';

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** What is wrong at one place of a document that somebody wrote. */
export interface Fault {
  readonly path: Path;
  readonly text: string;
}

/** The faults that a schema found, each at its own place: a member that it does not know with the nearest that it does. */
export function describeIssues(schema: Schema, issues: readonly z.core.$ZodIssue[]): Fault[] {
  return issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') {
      const known = membersAt(schema, issue.path);
      return issue.keys.map((key) => ({
        path: [...issue.path, key],
        text: `there is no such member${known.length === 0 ? '' : `; did you mean ${nearest(key, known)}?`}`,
      }));
    }
    if (issue.code === 'invalid_union') {
      // The form that comes closest to what was meant tells most.
      const [closest = []] = issue.errors.toSorted((a, b) => a.length - b.length);
      const within = closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
      const isWithin = within.some(
        ({ code, path }) => code === 'unrecognized_keys' || path.length > issue.path.length,
      );
      if (isWithin) return describeIssues(schema, within as z.core.$ZodIssue[]);
    }
    return [{ path: issue.path, text: issue.message }];
  });
}

/** The members that a schema knows at a place; none where it takes any, or only a plain value. */
function membersAt(schema: Schema, path: Path): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [first, ...rest] = path;
  switch (def.type) {
    case 'object': {
      if (first === undefined) return Object.keys(def.shape);
      const member = def.shape[String(first)];
      return member === undefined ? [] : membersAt(member, rest);
    }
    case 'array':
      return membersAt(def.element, rest);
    case 'record':
      return membersAt(def.valueType, rest);
    case 'union':
      return [...new Set(def.options.flatMap((option) => membersAt(option, path)))];
    case 'pipe':
      return membersAt(def.in, path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return membersAt(def.innerType, path);
    default:
      return [];
  }
}
