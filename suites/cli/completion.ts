import type { Command } from 'commander';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';

/** `gatecheck completion SHELL`: a script that completes commands, their options and files. */
export function completionCommand(program: Command, shell: string): ExitCode {
  if (shell !== 'bash' && shell !== 'zsh') throw new UsageError(`completion ${shell}: give bash or zsh`);
  // zsh can read scripts of bash after bashcompinit.
  const start = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  process.stdout.write(start + scriptFor(program));
  return exitCodes.conforming;
}

function scriptFor(program: Command): string {
  const commands = program.commands.map((command) => command.name());
  const cases = program.commands.map((command) => {
    const options = command.options.filter(({ hidden }) => !hidden).map(({ long, short }) => long ?? short);
    const nested = command.commands.map((one) => one.name());
    return `    ${command.name()}) words='${[...options, ...nested, '--help'].join(' ')}' ;;`;
  });
  return [
    `_gatecheck() {
  local words cur=\${COMP_WORDS[COMP_CWORD]}
  case \${COMP_WORDS[1]} in`,
    ...cases,
    '  esac',
    `  if [ "$COMP_CWORD" = 1 ]; then words='${commands.join(' ')} --help --version'; fi`,
    '  COMPREPLY=($(compgen -W "$words" -- "$cur"))',
    '}',
    'complete -o default -F _gatecheck gatecheck',
    '',
  ].join('\n');
}
