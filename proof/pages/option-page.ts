import type { Command } from 'commander';
import { describedOption, program } from '../../suites/cli/program.ts';
import { tableOf } from './table-of.ts';

const beginning = `# Every command and option

\`npx gatecheck COMMAND --help\` prints the same.`;

/** The page that lists every command with its arguments and options. */
export function optionPage(): string {
  const sections = [...new Set(program.commands.map((command) => command.helpGroup()))].map((group) =>
    [
      `## ${group.replace(/:$/, '')}`,
      ...program.commands
        .filter((command) => command.helpGroup() === group)
        .flatMap((command) => [sectionOf(command), ...command.commands.map((below) => sectionOf(below))]),
    ].join('\n\n'),
  );
  return `${[beginning, ...sections].join('\n\n')}\n`;
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
