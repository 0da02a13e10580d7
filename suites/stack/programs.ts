import { fileURLToPath } from 'node:url';
import { UsageError } from '../process/exit-codes.ts';

/** Programs of the other packages, by the name under which their package exports them. */
const programs = {
  gateway: 'gatecheck-gateway/main',
  simulators: 'gatecheck-simulators/main',
  capture: 'gatecheck-simulators/capture',
  drift: 'gatecheck-simulators/drift',
} as const;
type Program = keyof typeof programs;

/**
 * The file of a program that Node can start. The package that has it is an optional peer of this one.
 * @throws UsageError with the line that installs it, where it is missing
 */
export function programOf(name: Program): string {
  assertInstalled(name);
  return fileURLToPath(import.meta.resolve(programs[name]));
}

/**
 * Refuses to start the reference stack where one of its packages is missing, before any process runs.
 * @throws UsageError with the line that installs what is missing
 */
export function assertInstalled(...names: readonly Program[]): void {
  const needed = names.length > 0 ? names : (['gateway', 'simulators'] as const);
  const missing = needed
    .filter((name) => !isThere(programs[name]))
    .map((name) => programs[name].split('/')[0]);
  if (missing.length === 0) return;
  const isOne = missing.length === 1;
  throw new UsageError(
    `the ${isOne ? 'package' : 'packages'} ${missing.join(' and ')} ${isOne ? 'is' : 'are'} not installed: npm install ${missing.join(' ')} (to judge a deployment by its URL, pass --base-url or --target)`,
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
