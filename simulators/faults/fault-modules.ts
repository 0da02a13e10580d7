import { readdirSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
const files = readdirSync(folder, { encoding: 'utf8', recursive: true })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /^[a-z0-9]+\/[a-z]\d+-[^/]+\.ts$/.test(file) && !file.endsWith('.test.ts'));

/** Every file of a fault. A package has them in one, which `scripts/bundle.mjs` puts in place of this. */
export const faultModules: readonly object[] = await Promise.all(
  files.map((file) => import(new URL(file, folder).href) as Promise<object>),
);
