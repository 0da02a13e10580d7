import { Command, type Option } from 'commander';
import { finish } from './command-options.ts';
import { addGatewayCommands } from './gateway-commands.ts';
import { addJudgeCommands } from './judge-commands.ts';
import { repeated } from './option-values.ts';
import { addUpstreamCommands } from './upstream-commands.ts';
import { gatecheckVersion } from './version.ts';

/** The commands of `gatecheck` and their options. Each runs from its own file. */
export const program = new Command('gatecheck')
  .description('Judges a gateway to generative models, and simulates its upstreams.')
  .version(gatecheckVersion)
  .exitOverride()
  .helpCommand(false)
  .showHelpAfterError('(see --help)')
  .configureHelp({
    subcommandTerm: (command) => command.name(),
    optionDescription: (option) => describedOption(option),
  })
  .addHelpText(
    'after',
    `
Examples, each after npx gatecheck:
  run --base-url https://gw.example --key KEY    judge a gateway by its URL
  init --base-url https://gw.example             write a profile, to judge more
  run --target my-gateway.yaml --only AUTH,ERR   judge two areas
  replay reports/out/report.json                 repeat the first failure
  simulate --port 9400 --control-port 9401       start simulated upstreams
  up --ui                                        start all, with a console

Exit codes:
  0    conforming
  1    a check failed
  2    a mistake in arguments, profile or credentials
  3    unreachable, a different API, or too little evidence
  4    a defect of Gatecheck
  5    a stale, expired or unmatched waiver
  130  interrupted; the report is still written`,
  );

/** The text of an option in `--help`, with its choices and its default, unless the default is just "off". */
export function describedOption({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  const isOff = [undefined, false, true].includes(defaultValue);
  return `${description}${choices}${isOff ? '' : ` (default ${defaultValue})`}`;
}

addJudgeCommands(program);
addUpstreamCommands(program);
addGatewayCommands(program);

program.commandsGroup('Look up and prove checks:');

program
  .command('list')
  .description('list the checks')
  .option('--checks <file>', 'file with your own checks; repeatable', repeated)
  .option('--only <words>', 'areas, rules, checks or kinds, separated by commas')
  .option('--json', 'print JSON', false)
  .action(finish(async () => (await import('./list.ts')).listCommand));

program
  .command('explain')
  .argument('<id>', 'rule (CHAT-012), area (CHAT), check or reading (B-35)')
  .description('explain a rule, an area, a check or a reading')
  .option('--checks <file>', 'file with your own checks; repeatable', repeated)
  .action(finish(async () => (await import('./explain.ts')).explainCommand));

program
  .command('coverage')
  .description('list all rules with their checks and mutants')
  .option('--run <report.json>', 'rules by endpoint in this report instead')
  .option('--json', 'print JSON', false)
  .action(finish(async () => (await import('./coverage.ts')).coverageCommand));

program
  .command('completion')
  .argument('<shell>', 'bash or zsh')
  .description('print a script that completes commands and options')
  .addHelpText('after', '\nExample:\n  source <(gatecheck completion bash)')
  .action(
    finish(
      async () => async (shell: string) =>
        (await import('./completion.ts')).completionCommand(program, shell),
    ),
  );
