import type { ChatFields } from '../../chat-schema.ts';

/** What the generate-content dialect takes for the name of a function: no digit and no dash at its start. */
const legalNamePattern = /^[A-Za-z_][A-Za-z0-9_.:-]*$/;
const maxNameLength = 64;

/** Native names of the functions of one request. */
export interface FunctionNames {
  native(name: string): string;
  /** The caller's names by those native ones that differ: what the upstream calls has to get its own name back. */
  readonly given: ReadonlyMap<string, string>;
}

/** Gives every tool a native name, one for one; a legal one keeps its own. Functions of the past alone may share one. */
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
