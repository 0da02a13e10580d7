import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostileReport, hostileTexts } from 'gatecheck-reports/testing/hostile-report';
import { sampleReport } from 'gatecheck-reports/testing/sample-report';
import { afterAll, expect, it } from 'vitest';
import { publish } from './publish.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-publish-'));
afterAll(() => rmSync(folder, { recursive: true }));

function published(env: NodeJS.ProcessEnv): string {
  const printed: string[] = [];
  publish(sampleReport(), folder, { env, print: (text) => printed.push(text) });
  return printed.join('');
}

it('does nothing outside a CI service', () => {
  expect(published({})).toBe('');
  expect(readdirSync(folder)).toEqual([]);
});

it('annotates a GitHub job, and extends its summary', () => {
  const summary = join(folder, 'summary');
  writeFileSync(summary, 'Another step was here.\n');
  expect(published({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary })).toMatch(
    /^::group::.+^::endgroup::$.+^::error title=/ms,
  );
  expect(readFileSync(summary, 'utf8')).toMatch(/^Another step was here\.\n## Gatecheck: /);
  rmSync(summary);
});

it.each(hostileTexts)(
  'writes outputs that are safe in a shell, with any text of the deployment: %s',
  (_, text) => {
    const file = join(folder, 'outputs');
    publish(hostileReport(text), folder, { env: { GITHUB_OUTPUT: file }, print: () => undefined });
    const outputs = readFileSync(file, 'utf8');
    expect(outputs).toMatch(
      /^verdict=failures\npassed=\d+\nfailed=\d+\njudged=\d+\nselected=\d+\nwaived=\d+\ncauses=[\w. ,-]+\n$/,
    );
    rmSync(file);
  },
);

it('writes a Code Quality report for GitLab', () => {
  expect(published({ GITLAB_CI: 'true' })).toBe('');
  expect(readdirSync(folder)).toEqual(['gl-code-quality-report.json']);
});
