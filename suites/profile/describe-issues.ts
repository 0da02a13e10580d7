import type { z } from 'zod';
import { likeness, meant } from '../values/nearest.ts';

type Schema = z.core.$ZodType;
type Path = readonly PropertyKey[];

/** A fault at one place of a document. */
export interface Fault {
  readonly path: Path;
  readonly text: string;
}

/** The faults that a schema found, each at its own place. An unknown member comes with the nearest known one. */
export function describeIssues(schema: Schema, issues: readonly z.core.$ZodIssue[]): Fault[] {
  return issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') {
      const known = membersAt(schema, issue.path);
      return issue.keys.map((key) => ({
        path: [...issue.path, key],
        text: `unknown member${meant(key, known)}`,
      }));
    }
    if (issue.code === 'invalid_union') {
      // The closest form gives the most useful fault.
      const [closest = []] = issue.errors.toSorted((a, b) => a.length - b.length);
      const within = closest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
      const isWithin = within.some(
        ({ code, path }) => code === 'unrecognized_keys' || path.length > issue.path.length,
      );
      if (isWithin) return describeIssues(schema, within as z.core.$ZodIssue[]);
    }
    return [{ path: issue.path, text: inWords(issue) }];
  });
}

/** The kinds of values, in words for messages. */
const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of members',
  record: 'a group of members',
};

/** The verb for a limit that counts the length of a text or list; other limits are about the value itself. */
const limited: Readonly<Record<string, string>> = { string: 'have a length of', array: 'have a length of' };

/** Formats of texts, each with an example. */
const formats: Readonly<Record<string, string>> = {
  url: 'must be a URL, such as http://host:port',
  date: 'must be a date, such as 2027-03-31',
};

/** The fault of one value in words. It suggests a similar word only when the parser reports the input. */
function inWords(issue: z.core.$ZodIssue): string {
  const isOwn = !/^(?:Invalid|Too (?:small|big))\b/.test(issue.message);
  if (isOwn) return issue.message;
  switch (issue.code) {
    case 'invalid_type': {
      const kind = kinds[issue.expected];
      if (issue.message.endsWith('received undefined'))
        return kind === undefined ? 'is missing' : `is missing (${kind})`;
      return kind === undefined ? issue.message : `must be ${kind}`;
    }
    case 'invalid_value': {
      const known = issue.values.map(String);
      const [only] = known;
      const hint = typeof issue.input === 'string' ? likeness(issue.input, known) : '';
      return known.length === 1 ? `must be ${only}` : `must be one of ${known.join(', ')}${hint}`;
    }
    case 'too_small':
      return `must ${limited[issue.origin] ?? 'be'} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must ${limited[issue.origin] ?? 'be'} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    case 'invalid_format':
      return formats[issue.format] ?? issue.message;
    default:
      return issue.message;
  }
}

/** The members that a schema knows at a place; none where it accepts any member, or only a plain value. */
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
      return first === undefined ? wordsOf(def.keyType) : membersAt(def.valueType, rest);
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

/** The permitted names; none where any name is permitted. */
function wordsOf(schema: Schema): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'enum' ? Object.values(def.entries).map(String) : [];
}
