import { fileURLToPath } from 'node:url';
import { UsageError } from '../process/exit-codes.ts';

/** Programs of the other packages, by the names that these packages export. */
const programs = {
  gateway: 'gatecheck-gateway/main',
  simulators: 'gatecheck-simulators/main',
  capture: 'gatecheck-simulators/capture',
  drift: 'gatecheck-simulators/drift',
} as const;
type Program = keyof typeof programs;

/**
 * The file of a program for Node. Its package is an optional peer of this one.
 * @throws UsageError with the install command, when the package is missing
 */
export function programOf(name: Program): string {
  assertInstalled(name);
  return fileURLToPath(import.meta.resolve(programs[name]));
}

/**
 * Throws before any process starts, when a package for the reference stack is missing.
 * @throws UsageError with the install command for what is missing
 */
export function assertInstalled(...names: readonly Program[]): void {
  const needed = names.length > 0 ? names : (['gateway', 'simulators'] as const);
  const missing = needed
    .filter((name) => !isThere(programs[name]))
    .map((name) => programs[name].split('/')[0]);
  if (missing.length === 0) return;
  const isOne = missing.length === 1;
  throw new UsageError(
    `the ${isOne ? 'package' : 'packages'} ${missing.join(' and ')} ${isOne ? 'is' : 'are'} not installed: npm install ${missing.join(' ')}, packed in a clone while they are not published`,
  );
}

function isThere(specifier: string): boolean {
  try {
    import.meta.resolve(specifier);
    return true;
  } catch {
    return false;
  }
}
