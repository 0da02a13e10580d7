import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PublishedResult, tableOf } from 'gatecheck-reports/published-result';
import { expect, it, onTestFinished } from 'vitest';
import { publishCommand } from './publish-result.ts';

const results = new URL('../../results/', import.meta.url);

it('docs/results.md contains the table of results/ (npm run generate)', () => {
  const folders = readdirSync(results).toSorted();
  const rows = folders.map((folder) => ({
    ...(JSON.parse(readFileSync(new URL(`${folder}/row.json`, results), 'utf8')) as PublishedResult),
    folder,
  }));
  expect(readFileSync(new URL('../../docs/results.md', import.meta.url), 'utf8')).toContain(tableOf(rows));
});

it.each([
  ['keys: { K1: sk-app-1 }', 'keys.K1'],
  ['keys: { K1: env:KEY }\nupstream: { control: http://h, token: t }', 'upstream.token'],
  ['keys: { K1: env:KEY }\nbase_url: http://me:pw@h', 'base_url'],
])('rejects a profile with a secret: %j', async (text, member) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatecheck-publish-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const profile = join(folder, 'p.yaml');
  writeFileSync(profile, text);
  const options = { profile, implementation: 'x', release: '1', into: join(folder, 'out') };
  const published = publishCommand(join(folder, 'report.json'), options);
  await expect(published).rejects.toThrow(`has secrets: ${member}`);
  expect(existsSync(options.into)).toBe(false);
});
