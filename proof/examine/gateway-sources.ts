import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** A source file of the gateway, as text. */
export interface SourceFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The files that the gateway runs, in alphabetical order, without tests and test helpers. */
export function gatewaySources(): SourceFile[] {
  const folder = fileURLToPath(new URL('gateway', root));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `gateway/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/testing/'))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }));
}
