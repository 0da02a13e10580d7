import type { CheckFacts } from '../engine/check.ts';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { loadReadings, type Reading } from '../rules/readings.ts';
import { type Register, type Requirement, requirementOf } from '../rules/register.ts';
import { factHints } from '../runner/fact-hints.ts';
import type { KnownChecks } from '../runner/known-checks.ts';
import { checkFlags, knownWithOwn } from '../runner/own-checks.ts';
import { isAboutFault } from '../runner/select.ts';
import { meant } from '../values/nearest.ts';

/** `gatecheck explain ID`: a rule with its checks, a check with its rules and facts, the rules of an area, or a reading. */
export async function explainCommand(
  id: string,
  options: { readonly checks?: readonly string[] },
): Promise<ExitCode> {
  process.stdout.write(`${explanationOf(id, await knownWithOwn(options.checks), checkFlags(options))}\n`);
  return exitCodes.conforming;
}

/** @throws UsageError for an id of nothing */
function explanationOf(
  id: string,
  { register, ...known }: KnownChecks & { readonly register: Register },
  flags: string,
): string {
  const [upper, lower] = [id.toUpperCase(), id.toLowerCase()];
  const row = register.get(upper);
  if (row !== undefined) return explainRequirement(row, known);
  const check =
    known.checks.find((candidate) => candidate.id === lower) ??
    known.checks.find((candidate) => isAboutFault(candidate, lower.replace(/^faults\./, '')));
  if (check !== undefined) return explainCheck(check, register, { known, flags });
  const area = [...register.values()].filter((one) => one.area === upper);
  if (area.length > 0) return area.map((one) => `${one.id} (${one.level}) ${one.statement}`).join('\n');
  const readings = loadReadings();
  const reading = readings.get(upper);
  if (reading !== undefined) return explainReading(reading, register);
  const names = [...register.keys(), ...known.checks.map((candidate) => candidate.id), ...readings.keys()];
  throw new UsageError(`no rule, area, check or reading is named ${id}${meant(id, names)}`);
}

function explainReading({ id, point, reading, kind, tolerated }: Reading, register: Register): string {
  const rules = [...register.values()].filter(({ statement }) => new RegExp(`\\b${id}\\b`).test(statement));
  return [
    `${id} (reading: ${kind})`,
    `  Open in the specification: ${point}`,
    `  Our reading: ${reading}`,
    `  Also accepted: ${tolerated}`,
    ...(rules.length === 0
      ? []
      : ['Rules that follow it', ...rules.map((rule) => `  ${rule.id}: ${rule.statement}`)]),
  ].join('\n');
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
