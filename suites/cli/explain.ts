import type { CheckFacts } from '../engine/check.ts';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { type Register, type Requirement, requirementOf } from '../rules/register.ts';
import { factHints } from '../runner/fact-hints.ts';
import type { KnownChecks } from '../runner/known-checks.ts';
import { checkFlags, knownWithOwn } from '../runner/own-checks.ts';
import { isAboutFault } from '../runner/select.ts';
import { nearest } from '../values/nearest.ts';

/** `gatecheck explain ID`: a requirement with its checks and mutants, or a check with its rules and facts. */
export async function explainCommand(
  id: string,
  options: { readonly checks?: readonly string[] },
): Promise<ExitCode> {
  const { register, ...known } = await knownWithOwn(options.checks);
  const row = register.get(id.toUpperCase());
  const check =
    known.checks.find((candidate) => candidate.id === id) ??
    known.checks.find((candidate) => isAboutFault(candidate, id.toLowerCase()));
  if (row === undefined && check === undefined) {
    const names = [...register.keys(), ...known.checks.map((candidate) => candidate.id)];
    throw new UsageError(`unknown rule or check ${id}; did you mean ${nearest(id, names)}?`);
  }
  const text =
    row === undefined
      ? explainCheck(check as CheckFacts, register, { known, flags: checkFlags(options) })
      : explainRequirement(row, known);
  process.stdout.write(`${text}\n`);
  return exitCodes.conforming;
}

function explainRequirement(row: Requirement, known: KnownChecks): string {
  const checks = known.checks.filter((check) => check.requirements.includes(row.id));
  const mutants = known.mutants.filter((mutant) => mutant.requirement === row.id);
  return [
    `${row.id} (${row.level})`,
    `  ${row.statement}`,
    `  Specification: ${row.section}`,
    ...(checks.length > 0
      ? ['Checks', ...checks.map((check) => `  ${check.id}: ${check.title}`)]
      : [withoutCheck(row)]),
    ...(mutants.length > 0
      ? [
          'Gateways with this defect that the checks catch',
          ...mutants.map((mutant) => `  ${mutant.id} (${mutant.aspect}): ${mutant.title}`),
        ]
      : []),
  ].join('\n');
}

function withoutCheck(row: Requirement): string {
  return row.not_checked === undefined ? 'No check yet' : `Not checked: ${row.not_checked}`;
}

function explainCheck(
  check: CheckFacts,
  register: Register,
  { known, flags }: { readonly known: KnownChecks; readonly flags: string },
): string {
  const needs = check.needs.map((fact) => `  ${fact}: ${factHints[fact]}`);
  const mutants = known.mutants.filter((mutant) => check.requirements.includes(mutant.requirement));
  return [
    `${check.id} (${check.kind})`,
    `  ${check.title}`,
    'Proves',
    ...check.requirements.map((id) => {
      const row = requirementOf(register, id);
      return `  ${id} (${row.level}) ${row.statement} [${row.section}]`;
    }),
    ...(needs.length > 0 ? ['Needs', ...needs] : ['Needs only a URL and a key']),
    ...(mutants.length > 0
      ? [
          'Mutants of these requirements',
          ...mutants.map(
            (mutant) => `  ${mutant.id} (${mutant.requirement}, ${mutant.aspect}): ${mutant.title}`,
          ),
        ]
      : []),
    `Run it: npx gatecheck run${flags} --only ${check.id}`,
  ].join('\n');
}
