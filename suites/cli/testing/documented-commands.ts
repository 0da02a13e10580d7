import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse } from 'yaml';

/** Finds the commands that documents show. */

/** One step of a document: a command, or its output. */
export interface Step {
  /**
   * `command`: a shell command. `script`: a block of JavaScript. `inline`: a command within a sentence. `printed`: JSON that
   * the command before it prints. `data`: a file, or a part of one.
   */
  readonly kind: 'command' | 'script' | 'inline' | 'printed' | 'data';
  /** The text without its remark; continued lines are joined. */
  readonly text: string;
}

export interface Document {
  /** Its path below the root. */
  readonly name: string;
  readonly steps: readonly Step[];
}

const ignored = ['.git', 'reports/out'];

/** The README, the pages of `docs/`, the package READMEs, and CONTRIBUTING.md. */
export function documentsBelow(root: string): Document[] {
  return pathsBelow(root, root)
    .filter((name) => /(?:^|\/)README\.md$|^docs\/|^CONTRIBUTING\.md$/.test(name))
    .map((name) => ({ name, steps: stepsOf(readFileSync(join(root, name), 'utf8')) }));
}

function pathsBelow(folder: string, root: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const name = relative(root, path);
    // The benchmark has its own packages, and a package under construction contains copies.
    if (['node_modules', 'dist'].includes(entry.name) || ignored.includes(name)) return [];
    if (entry.isDirectory()) return pathsBelow(path, root);
    return name.endsWith('.md') ? [name] : [];
  });
}

/** The steps in a Markdown text, those of its blocks first. */
export function stepsOf(text: string): Step[] {
  return [...blocksOf(text).flatMap(stepsOfBlock), ...inlineCommands(text)];
}

/** Fenced blocks, and blocks indented by four columns after an empty line. */
function blocksOf(text: string): string[] {
  const fenced = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, body = '']) => body);
  const rest = text.replaceAll(/^```\w*\n[\s\S]*?^```/gm, '');
  const indented = [...rest.matchAll(/(?<=^|\n\n)(?: {4}.*(?:\n|$))+/g)].map(([body]) =>
    body.replaceAll(/^ {4}/gm, ''),
  );
  return [...fenced, ...indented].map((body) => body.trimEnd());
}

function stepsOfBlock(block: string): Step[] {
  // The tests of the Python package run its examples.
  const isShown = /[│┌└]|^(?:FAIL|pass|warn) {2,}|^(?:Not c|C)onforming|^Report: |^from \S+ import /m.test(
    block,
  );
  if (isShown) return [];
  if (/^(?:new|const|let|import|await) /.test(block)) return [{ kind: 'script', text: block }];
  if (isData(block)) return [{ kind: 'data', text: block }];
  const joined = block
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/-d '\{[^']*'/g, (body) => body.replaceAll(/\n\s*/g, ' '));
  const lines = joined.split('\n');
  return lines
    .map((line) => withoutRemark(line).trim())
    .filter((line) => line !== '')
    .map((line) => ({ kind: line.startsWith('{') ? 'printed' : 'command', text: line }));
}

/** Whether a block is a part of a profile, a scenario, a workflow. */
function isData(block: string): boolean {
  try {
    const value: unknown = parse(block);
    if (value === null || typeof value !== 'object' || block.startsWith('{')) return false;
    // A command with a quoted header parses as a member, but none of our members has a name of several words.
    return Object.keys(value).every((name) => !name.includes(' '));
  } catch {
    return false;
  }
}

/** A remark begins with a separate mark outside of quotes. */
function withoutRemark(line: string): string {
  const [code = ''] = /^(?:'[^']*'|"[^"]*"|[^'"#]|(?<=\S)#)*/.exec(line) ?? [];
  return code;
}

function inlineCommands(text: string): Step[] {
  const prose = text.replaceAll(/^(?:```[\s\S]*?^```| {4}.*)/gm, '');
  return [...prose.matchAll(/`((?:npx gatecheck|gatecheck|npm|\S*\bnode) [^`]*)`/g)].map(
    ([, command = '']) => ({
      kind: 'inline',
      text: command.replaceAll(/\s+/g, ' '),
    }),
  );
}
