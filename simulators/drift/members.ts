import { readFileSync } from 'node:fs';
import type { ChatDialectName } from '../answers/native-answer.ts';

/** The types of each member of an answer, by its path: `choices[].index` to `number`. */
export type Members = ReadonlyMap<string, ReadonlySet<string>>;

/** Members whose content the caller defines. */
const free = /(?:^|\.)(?:input|args|metadata)$/;

/** The members of several JSON documents, merged. */
export function membersOf(documents: readonly unknown[]): Members {
  const found = new Map<string, Set<string>>();
  for (const document of documents) walk(document, '', found);
  return found;
}

function walk(value: unknown, path: string, found: Map<string, Set<string>>): void {
  if (path !== '') found.set(path, (found.get(path) ?? new Set<string>()).add(typeOf(value)));
  if (free.test(path)) return;
  if (Array.isArray(value)) for (const one of value) walk(one, `${path}[]`, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      walk(member, path === '' ? name : `${path}.${name}`, found);
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

/** The members that the client libraries declare for an answer. Types below the listed depth are unknown. */
export function clientMembers(dialect: ChatDialectName, kind: 'plain' | 'stream'): Members {
  // This dialect has one type for plain answers and streams.
  const answer = `${dialect} ${dialect === 'generate-content' ? 'plain' : kind} `;
  const file = new URL('../../fixtures/clients/answer-members.txt', import.meta.url);
  const members = new Map<string, Set<string>>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!line.startsWith(answer)) continue;
    const at = line.indexOf(': ');
    const holder = line.slice(answer.length, at);
    for (const member of line.slice(at + 2).split(' ')) {
      const [name = '', types = ''] = member.split('=');
      members.set(holder === '' ? name : `${holder}.${name}`, new Set(types.split('|')));
    }
  }
  return members;
}
