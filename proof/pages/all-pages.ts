import type { Command } from 'commander';
import { allChecks } from '../../suites/checks/all-checks.ts';
import { describedOption, program } from '../../suites/cli/program.ts';
import type { CheckFacts } from '../../suites/engine/check.ts';
import { type Fact, facts } from '../../suites/engine/facts.ts';
import { missingFacts } from '../../suites/engine/has-fact.ts';
import { profileSchema } from '../../suites/profile/profile.ts';
import { factHints } from '../../suites/runner/fact-hints.ts';
import { faultPage } from './fault-page.ts';
import { profilePage } from './profile-page.ts';
import { rulePage } from './rule-page.ts';
import { tableOf } from './table-of.ts';

/** The generated pages of `docs/`, by path: `npm run generate` renews them. */
export function generatedPages(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/checks.md', rulePage(allChecks)],
    ['docs/fault-list.md', faultPage()],
    ['docs/options.md', optionPage()],
    ['docs/profile.md', profilePage()],
    ['docs/untestable.md', factPage(allChecks)],
  ]);
}

const factBeginning = `# Why is this check untestable?

A check is *untestable* when your profile lacks a fact that it needs. The report names the fact. Find it below, and declare what the
second column names. [The annotated profile](../fixtures/targets/example.yaml) shows how to write it.

    # The facts that unlock most checks, and the lines to add:
    npx gatecheck doctor --target my-gateway.yaml

If your gateway does not have the feature at all, list the fact under \`absent\`. Its checks are then *not applicable*.`;

/** The page that lists every fact of a profile, with what to declare and the checks that need it. */
function factPage(checks: readonly CheckFacts[]): string {
  const rows = facts
    .filter((fact) => fact !== 'keys.K1' && checks.some(({ needs }) => needs.includes(fact)))
    .map((fact) => [`\`${fact}\``, factHints[fact], ...needing(fact, checks)])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const table = tableOf(['fact', 'declare', 'checks', 'of them without other facts', 'areas'], rows);
  return `${factBeginning}\n\n${table}\n`;
}

/** What everybody declares. */
const least = profileSchema.parse({ base_url: 'http://127.0.0.1:4000', keys: { K1: 'key' } });

function needing(fact: Fact, checks: readonly CheckFacts[]): string[] {
  const needed = checks.filter(({ needs }) => needs.includes(fact));
  const alone = needed.filter(
    ({ needs }) =>
      missingFacts(
        needs.filter((one) => one !== fact),
        least,
      ).length === 0,
  );
  const areas = new Set(needed.map(({ requirements: [first] }) => first.split('-')[0] ?? ''));
  return [String(needed.length), String(alone.length), [...areas].toSorted().join(', ')];
}

const optionBeginning = `# Every command and option

\`npx gatecheck COMMAND --help\` prints the same.`;

/** The page that lists every command with its arguments and options. */
function optionPage(): string {
  const sections = [...new Set(program.commands.map((command) => command.helpGroup()))].map((group) =>
    [
      `## ${group.replace(/:$/, '')}`,
      ...program.commands
        .filter((command) => command.helpGroup() === group)
        .flatMap((command) => [sectionOf(command), ...command.commands.map((below) => sectionOf(below))]),
    ].join('\n\n'),
  );
  return `${[optionBeginning, ...sections].join('\n\n')}\n`;
}

function sectionOf(command: Command): string {
  const { name, usage } = namesOf(command);
  const options = command.options.filter(({ hidden }) => !hidden);
  const rows = [
    ...command.registeredArguments
      .filter(({ description }) => description !== '')
      .map((argument) => [`\`${argument.name()}\``, argument.description]),
    ...options.map((option) => [`\`${option.flags}\``, describedOption(option)]),
  ];
  const text = command.description();
  return `### ${name}\n\n${text[0]?.toUpperCase()}${text.slice(1)}.\n\n\`${usage}\`\n\n${tableOf(['option', 'meaning'], rows)}`;
}

function namesOf(command: Command): { name: string; usage: string } {
  const above = command.parent === program || command.parent === null ? '' : `${command.parent.name()} `;
  const name = `${above}${command.name()}`;
  return { name, usage: `npx gatecheck ${name} ${command.usage()}` };
}
