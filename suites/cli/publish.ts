import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderAnnotations, renderGroups, renderOutputs } from 'gatecheck-reports/annotations';
import { renderCodeQuality } from 'gatecheck-reports/code-quality';
import { renderMarkdown } from 'gatecheck-reports/markdown';
import type { Report } from 'gatecheck-reports/report';

/** The name by which GitLab's documentation knows the file. */
export const codeQualityFile = 'gl-code-quality-report.json';

/**
 * Shows the report where a CI service expects it: annotations, outputs and the job summary on GitHub, Code Quality on GitLab.
 * Elsewhere it does nothing.
 * @param env the environment variables that identify the service
 * @param print writes to stdout
 */
export function publish(
  report: Report,
  folder: string,
  { env, print }: { env: NodeJS.ProcessEnv; print: (text: string) => unknown },
): void {
  if (env.GITHUB_ACTIONS === 'true') print(renderGroups(report) + renderAnnotations(report));
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, renderOutputs(report));
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, renderMarkdown(report));
  if (env.GITLAB_CI === 'true') writeFileSync(join(folder, codeQualityFile), renderCodeQuality(report));
}
