import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { UsageError } from '../exit-codes.ts';
import { type Profile, profileSchema } from './profile.ts';

/**
 * Reads a profile file. It reports all faults at once, each with its line and member. `env:NAME` values are
 * resolved against `env`; a missing variable is a fault, never an empty key.
 * @throws UsageError when the file cannot be read, is not YAML, or does not fit the schema.
 */
export function loadProfile(path: string, env: NodeJS.ProcessEnv): Profile {
  const text = readText(path);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const broken = document.errors[0];
  if (broken) throw new UsageError(`${path} is not YAML: ${broken.message.split('\n')[0]}`);
  const faults: string[] = [];
  const value = resolveEnv(document.toJS(), env, [], faults);
  const parsed = profileSchema.safeParse(value);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) faults.push(describeIssue(issue, document, lines));
  }
  if (faults.length > 0 || !parsed.success) {
    throw new UsageError(
      `${path} is not a usable profile:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
  return parsed.data;
}

/** A profile of an address and a key only, for `run --base-url --key`. */
export function minimalProfile(baseUrl: string, key: string): Profile {
  const parsed = profileSchema.safeParse({
    name: new URL(baseUrl).host,
    base_url: baseUrl,
    keys: { K1: key },
  });
  if (!parsed.success) throw new UsageError(`${baseUrl} is not an http(s) address`);
  return parsed.data;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `cannot read the profile ${path}: ${(error as NodeJS.ErrnoException).code ?? 'unknown error'}`,
    );
  }
}

function resolveEnv(value: unknown, env: NodeJS.ProcessEnv, path: string[], faults: string[]): unknown {
  if (typeof value === 'string' && value.startsWith('env:')) {
    const name = value.slice(4);
    const found = env[name];
    if (found === undefined || found === '')
      faults.push(`${path.join('.')}: the environment variable ${name} is not set`);
    return found ?? value;
  }
  if (Array.isArray(value))
    return value.map((item, index) => resolveEnv(item, env, [...path, String(index)], faults));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, resolveEnv(item, env, [...path, name], faults)]),
    );
  }
  return value;
}

function describeIssue(
  issue: z.core.$ZodIssue,
  document: ReturnType<typeof parseDocument>,
  lines: LineCounter,
): string {
  const path = issue.path.map(String);
  const node = document.getIn(issue.path, true) as { range?: [number, number, number] } | undefined;
  const at = node?.range ? ` (line ${lines.linePos(node.range[0]).line})` : '';
  return `${path.join('.') || 'the file'}${at}: ${issue.message}`;
}
