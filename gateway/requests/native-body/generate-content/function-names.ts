import type { ChatFields } from '../../chat-schema.ts';

/** Legal function names of the generate-content dialect: they start with a letter or an underscore. */
const legalNamePattern = /^[A-Za-z_][A-Za-z0-9_.:-]*$/;
const maxNameLength = 64;

/** Native names of the functions of one request. */
export interface FunctionNames {
  native(name: string): string;
  /** The caller's names by native name, where the two differ: answers must use the caller's. */
  readonly given: ReadonlyMap<string, string>;
}

/**
 * Gives every tool a unique native name; a legal name stays. Functions that occur only in the history may share
 * one.
 */
export function functionNames({ tools }: ChatFields): FunctionNames {
  const names = (tools ?? []).map((tool) => tool.function.name);
  const taken = new Set(names.filter((name) => legalNamePattern.test(name)));
  const given = new Map<string, string>();
  const native = new Map<string, string>();
  for (const name of names) {
    if (legalNamePattern.test(name)) continue;
    let legal = legalName(name, '_');
    for (let i = 1; taken.has(legal); i += 1) legal = legalName(name, `_${i}_`);
    taken.add(legal);
    given.set(legal, name);
    native.set(name, legal);
  }
  return {
    native: (name) => native.get(name) ?? (legalNamePattern.test(name) ? name : legalName(name, '_')),
    given,
  };
}

function legalName(name: string, prefix: string): string {
  return `${prefix}${name.replaceAll(/[^A-Za-z0-9_.:-]/g, '_')}`.slice(0, maxNameLength);
}
