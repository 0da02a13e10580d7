import { createRequire } from 'node:module';
import type { Report } from 'gatecheck-reports/report';

const require = createRequire(import.meta.url);

function versionOf(packageFile: string): string {
  return (require(packageFile) as { version: string }).version;
}

export const gatecheckVersion = versionOf('../package.json');

/** Versions that a report records, because a seed yields the same cases only with the same versions. */
export function versions(): Report['versions'] {
  return {
    gatecheck: gatecheckVersion,
    node: process.versions.node,
    fast_check: versionOf('fast-check/package.json'),
  };
}
