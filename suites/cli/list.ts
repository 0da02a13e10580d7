import { type ExitCode, exitCodes } from '../process/exit-codes.ts';
import { requirementOf } from '../rules/register.ts';
import { knownWithOwn } from '../runner/own-checks.ts';
import { selectChecks } from '../runner/select.ts';

/** `gatecheck list`: the checks, one a line, or as JSON. */
export async function listCommand(options: {
  only?: string;
  checks?: readonly string[];
  json: boolean;
}): Promise<ExitCode> {
  const { register, checks: known } = await knownWithOwn(options.checks);
  const checks = selectChecks(known, register, options.only ?? null).map((check) => ({
    id: check.id,
    kind: check.kind,
    level: requirementOf(register, check.requirements[0]).level,
    requirements: check.requirements,
    needs: check.needs,
    title: check.title,
  }));
  if (options.json) {
    process.stdout.write(`${JSON.stringify(checks, null, 2)}\n`);
    return exitCodes.conforming;
  }
  const width = Math.max(...checks.map((check) => check.id.length));
  for (const check of checks)
    process.stdout.write(`${check.id.padEnd(width)}  ${check.title} [${check.requirements.join(' ')}]\n`);
  process.stdout.write(`${checks.length} checks\n`);
  return exitCodes.conforming;
}
