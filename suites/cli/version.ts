import { createRequire } from 'node:module';
import type { Report } from 'gatecheck-reports/report';

const require = createRequire(import.meta.url);

function versionOf(packageFile: string): string {
  return (require(packageFile) as { version: string }).version;
}

export const gatecheckVersion = versionOf('../package.json');

/** What a report needs so that its seed means the same cases again. */
export function versions(): Report['versions'] {
  return {
    gatecheck: gatecheckVersion,
    node: process.versions.node,
    fast_check: versionOf('fast-check/package.json'),
  };
}
