import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { program } from './program.ts';

const all = [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)];

describe.each(all.map((command) => [command.name(), command] as const))('--help of %s', (_, command) => {
  it('prints each command and option in one terminal line', () => {
    expect(continuedLines(command)).toEqual([]);
  });
});

it('has every command in a group', () => {
  expect(program.commands.filter((command) => command.helpGroup() === '').map((one) => one.name())).toEqual(
    [],
  );
});

/** Help lines that continue the line before, at 80 columns. */
function continuedLines(command: Command): string[] {
  command.configureOutput({ getOutHelpWidth: () => 80 });
  const lines = command.helpInformation().split('\n');
  return lines.filter((line) => /^ {12,}\S/.test(line));
}
