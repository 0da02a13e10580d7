import { readFileSync } from 'node:fs';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads a file of facts and expands its verdicts. A verdict may be a name from `verdicts.json` in the same folder. Or its
 * member `as` has this name, and its other members override the named verdict.
 * @throws Error for a name that does not exist.
 */
export function readFacts(file: URL): readonly Members[] {
  const named = readJson(new URL('verdicts.json', file)) as Readonly<Record<string, Record<string, Members>>>;
  return (readJson(file) as readonly Members[]).map((facts) => ({
    ...facts,
    ...('verdict' in facts ? { verdict: inFull(facts.verdict, named.calls) } : {}),
    ...('task' in facts ? { task: inFull(facts.task, named.tasks) } : {}),
  }));
}

function inFull(given: unknown, named: Readonly<Record<string, Members>> = {}): Members {
  const { as, ...own }: Members = typeof given === 'string' ? { as: given } : Object(given);
  if (as === undefined) return own;
  const base = named[String(as)];
  if (base === undefined) throw new Error(`verdicts.json has no ${String(as)}`);
  return { ...base, ...own };
}

function readJson(file: URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
