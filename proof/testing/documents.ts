import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A page in Markdown. */
export interface Document {
  /** Its path relative to the root. */
  readonly name: string;
  readonly folder: string;
  readonly text: string;
}

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
const ignored = ['node_modules', 'bench/node_modules', 'clients/node_modules', '.git', 'reports/out'];

/** All documents of the repository. */
export const documents: readonly Document[] = markdownBelow(root).map((file) => ({
  name: relative(root, file),
  folder: dirname(file),
  text: readFileSync(file, 'utf8'),
}));

function markdownBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // A package being built contains copies.
    if (entry.name === 'dist' || ignored.includes(relative(root, path))) return [];
    if (entry.isDirectory()) return markdownBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
