import { readdirSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
const files = readdirSync(folder, { encoding: 'utf8', recursive: true })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /^[a-z0-9]+\/[a-z]\d+-[^/]+\.ts$/.test(file) && !file.endsWith('.test.ts'));

/** Every file of a fault. In a package, `scripts/bundle.mjs` replaces this module by a single file. */
export const faultModules: readonly object[] = await Promise.all(
  files.map((file) => import(new URL(file, folder).href) as Promise<object>),
);
