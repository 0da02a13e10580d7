import { UsageError } from '../../suites/exit-codes.ts';

/**
 * For commands that change the gateway's sources, which a package does not have.
 * @param url that of the module, which is TypeScript only in a clone of the repository
 * @throws UsageError in an installed package
 */
export function needSources(command: string, url: string): void {
  if (!url.endsWith('.ts'))
    throw new UsageError(
      `${command} changes the sources of the gateway: run it in a clone of the repository`,
    );
}
