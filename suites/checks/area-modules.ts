import { readdirSync } from 'node:fs';

/** Loads every file of an area. A package has its files in one, which `scripts/bundle.mjs` puts in place of this. */
export async function modulesOf(area: string): Promise<readonly object[]> {
  const folder = new URL(`./${area}/`, import.meta.url);
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return Promise.all(files.map((file) => import(new URL(file, folder).href) as Promise<object>));
}
