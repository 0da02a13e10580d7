import { fileURLToPath } from 'node:url';
import { UsageError } from '../exit-codes.ts';

/** Programs of the other packages, by the name under which their package exports them. */
const programs = {
  gateway: 'gatecheck-gateway/main',
  simulators: 'gatecheck-simulators/main',
  capture: 'gatecheck-simulators/capture',
} as const;

/**
 * The file of a program that Node can start. The package that has it is an optional peer of this one.
 * @throws UsageError with the line that installs it, where it is missing
 */
export function programOf(name: keyof typeof programs): string {
  const specifier = programs[name];
  try {
    return fileURLToPath(import.meta.resolve(specifier));
  } catch {
    const [missing] = specifier.split('/');
    throw new UsageError(
      `this needs the package ${missing}, which is not installed: npm install ${missing} (to judge a deployment by its URL, pass --base-url or --target)`,
    );
  }
}
