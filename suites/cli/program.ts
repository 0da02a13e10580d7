import { Command, Option } from 'commander';
import type { ExitCode } from '../process/exit-codes.ts';
import {
  address,
  isoDate,
  minutes,
  repeated,
  seed,
  sizeOption,
  wait,
  waits,
  wholeNumber,
} from './option-values.ts';
import { gatecheckVersion } from './version.ts';

/** The commands of `gatecheck` and their options. Each hands over to a file of its own. */
export const program = new Command('gatecheck')
  .description('Judges a gateway to generative models, and simulates its upstreams.')
  .version(gatecheckVersion)
  .exitOverride()
  .showHelpAfterError('(see --help)')
  .configureHelp({
    subcommandTerm: (command) => command.name(),
    optionDescription: (option) => describedOption(option),
  })
  .addHelpText(
    'after',
    `
Examples:
  gatecheck run --base-url https://gw.example --key KEY    judge a gateway by its URL
  gatecheck init --base-url https://gw.example             write a profile, to judge more
  gatecheck run --target my-gateway.yaml --only AUTH,ERR   judge two areas
  gatecheck replay reports/out/report.json                 repeat the first failure
  gatecheck simulate --port 9400 --control-port 9401       start simulated upstreams
  gatecheck up --ui                                        start everything, with a console

Exit codes:
  0    conforming
  1    a check failed
  2    a mistake in arguments, profile or credentials
  3    unreachable, another interface, or too little evidence
  4    a defect of Gatecheck
  5    a stale, expired or unmatched waiver
  130  interrupted; the report is still written`,
  );

/** The text of an option in `--help`: with its choices and its default, unless that only means that it is off. */
export function describedOption({ description, argChoices, defaultValue }: Option): string {
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  const isOff = [undefined, false, true].includes(defaultValue);
  return `${description}${choices}${isOff ? '' : ` (default ${defaultValue})`}`;
}

/** Loads a command when it is asked for (most need no test runner), runs it, and keeps its exit code. */
export const finish =
  (load: () => Promise<(...args: never[]) => Promise<ExitCode>>) =>
  async (...args: unknown[]): Promise<void> => {
    const command = await load();
    process.exitCode = await command(...(args as never[]));
  };

/** The options that name a deployment, as `run` has them. */
function ofDeployment(command: Command): Command {
  return command
    .option('--target <file>', 'profile of the deployment (YAML), else gatecheck.yaml')
    .option('--reference', 'judge the reference stack instead')
    .option('--base-url <url>', 'URL of the deployment')
    .option('--key <key>', 'business key, else the variable GATECHECK_KEY')
    .option('--header <name: value>', 'header for each request to the deployment; repeatable', repeated)
    .option('--ca <file>', 'extra certificate authority (PEM)');
}

program
  .command('run')
  .description('judge a deployment; write HTML, JSON and JUnit reports')
  .option('--target <file>', 'profile of the deployment (YAML), else gatecheck.yaml')
  .option('--reference', 'judge the reference stack instead')
  .option('--base-url <url>', 'URL of the deployment; overrides the profile')
  .option('--key <key>', 'business key, else the variable GATECHECK_KEY')
  .option('--header <name: value>', 'header for each request to the deployment; repeatable', repeated)
  .option('--ca <file>', 'extra certificate authority (PEM)')
  .option('--checks <file>', 'file with your own checks; repeatable', repeated)
  .option('--only <words>', 'areas, rules, checks or kinds, separated by commas')
  .option('--exclude <words>', 'checks to leave out, named as in --only')
  .option('--only-failed <file>', 'only the failures of an earlier report, with its seed')
  .option('--shard <i/n>', 'a part of the checks, for several machines: 1/3')
  .addOption(sizeOption('cases of each check'))
  .option('--full', 'the same as --size full', false)
  .option('--seed <n>', 'seed of everything that is generated; random draws one', seed)
  .option('--path <path>', 'one generated case: the path that a failure printed')
  .option('--store <url>', 'PostgreSQL server for the reference gateway')
  .option('--processes <n>', 'gateways behind a balancer, with --store', wholeNumber)
  .option('--workers <n>', 'worker processes of each gateway, with --store', wholeNumber)
  .option('--out <dir>', 'folder of the reports', 'reports/out')
  .option('--bail <n>', 'stop after so many failures', wholeNumber, 0)
  .option('--quiet', 'print only the result')
  .option('--verbose', 'print each check as it ends')
  .option('--fail-on-flaky', 'exit with 1 if a failure did not repeat', false)
  .option('--minutes <n>', 'stop after so many minutes, most rules first', minutes)
  .option('--budget <bounds>', 'stop at a bound: exchanges=2000,tokens=500000,usd=5')
  .option('--prices <file>', 'list prices (YAML, like pricing.models of a profile)')
  .option('--require <profiles>', 'parts that must be judged, else 3: core-chat,tasks:80')
  .option('--har <file>', 'write the exchanges of failures as an HTTP archive')
  .option('--history <dir>', 'keep a summary of the run, and show the last ones')
  .option('--write-waivers <file>', 'write a waiver for each failed rule and aspect')
  .option('--waiver-reason <text>', 'reason of these waivers')
  .option('--waiver-owner <name>', 'owner of these waivers')
  .option('--waiver-until <date>', 'last day of these waivers: 2027-03-31', isoDate)
  .action(finish(async () => (await import('./run.ts')).runCommand));

const plan = ofDeployment(program.command('plan'))
  .description('show what a run would send and cost; sends three free requests')
  .option('--checks <file>', 'file with your own checks; repeatable', repeated)
  .option('--only <words>', 'areas, rules, checks or kinds, separated by commas')
  .option('--exclude <words>', 'checks to leave out, named as in --only')
  .option('--only-failed <file>', 'only the failures of an earlier report, with its seed')
  .option('--shard <i/n>', 'a part of the checks, for several machines: 1/3')
  .addOption(sizeOption('cases of each check'))
  .option('--full', 'the same as --size full', false)
  .option('--prices <file>', 'list prices (YAML, like pricing.models of a profile)')
  .option('--answer-ms <n>', 'time of a paid answer, else that of a refusal', wait)
  .option('--minutes <n>', 'stop after so many minutes', minutes)
  .option('--budget <bounds>', 'stop at a bound: exchanges=2000,tokens=500000,usd=5')
  .option('--json', 'print JSON', false)
  .action(finish(async () => (await import('./plan.ts')).planCommand));
// A line of `run` works with `plan` in its place: these change nothing of what is sent.
for (const flags of [
  ...['--out <dir>', '--har <file>', '--history <dir>', '--require <profiles>', '--fail-on-flaky'],
  ...['--write-waivers <file>', '--waiver-reason <text>', '--waiver-owner <name>', '--quiet', '--verbose'],
])
  plan.addOption(new Option(flags).hideHelp());
plan.addOption(new Option('--seed <n>').argParser(seed).hideHelp());
plan.addOption(new Option('--bail <n>').argParser(wholeNumber).hideHelp());
plan.addOption(new Option('--waiver-until <date>').argParser(isoDate).hideHelp());

program
  .command('init')
  .description('write a profile: what is detected, and the rest as comments')
  .option('--base-url <url>', 'URL of the deployment; without it you are asked')
  .option('--key <key>', 'business key for detection; it is not written')
  .option('--key-env <name>', 'variable that holds this key', 'GATECHECK_KEY')
  .option('--header <name: value>', 'header for each request to the deployment; repeatable', repeated)
  .option('--ca <file>', 'extra certificate authority (PEM)')
  .option('--name <name>', 'name in reports, else the host')
  .option('--out <file>', 'file to write', 'gatecheck.yaml')
  .action(finish(async () => (await import('./init.ts')).initCommand));

program
  .command('publish')
  .description('write the row, badges and profile of a judged deployment')
  .argument('<report>', 'a report.json of `run`')
  .requiredOption('--profile <file>', 'profile of the run; secrets in it are rejected')
  .requiredOption('--implementation <name>', 'what was judged')
  .requiredOption('--release <version>', 'its exact version')
  .requiredOption('--into <dir>', 'folder for row.json and profile.yaml')
  .action(finish(async () => (await import('./publish-result.ts')).publishCommand));

ofDeployment(program.command('doctor'))
  .description('check a deployment and its profile; list missing facts')
  .option('--all', 'list every missing fact', false)
  .option('--json', 'print JSON', false)
  .action(finish(async () => (await import('./doctor.ts')).doctorCommand));

program
  .command('merge')
  .argument('<report.json...>', 'the reports of all parts of a run (run --shard)')
  .description('combine the parts of a sharded run: one report, one exit code')
  .option('--checks <file>', 'file with your own checks; repeatable', repeated)
  .option('--require <profiles>', 'parts that must be judged, else 3: core-chat,tasks:80')
  .option('--history <dir>', 'keep a summary of the run, and show the last ones')
  .option('--out <dir>', 'folder of the reports', 'reports/out')
  .action(finish(async () => (await import('./merge.ts')).mergeCommand));

program
  .command('replay')
  .argument('<report.json>', 'the report of a run')
  .argument('[which]', 'a failed check or a cause, else the first')
  .description('repeat a failure of a report; show request and answer')
  .option('--beside', 'also send it to the reference gateway, and compare', false)
  .option('--target <file>', 'profile, else that of the report')
  .option('--base-url <url>', 'URL, else that of the report')
  .option('--key <key>', 'business key, else the variable GATECHECK_KEY')
  .option('--header <name: value>', 'header for each request to the deployment; repeatable', repeated)
  .option('--ca <file>', 'extra certificate authority (PEM)')
  .option('--checks <file>', 'file with your own checks; repeatable', repeated)
  .action(finish(async () => (await import('./replay.ts')).replayCommand));

ofDeployment(program.command('fuzz'))
  .description('find crashes, leaks and stalls with damaged requests')
  .option('--store <url>', 'PostgreSQL server for the reference gateway')
  .option('--processes <n>', 'gateways behind a balancer, with --store', wholeNumber)
  .option('--workers <n>', 'worker processes of each gateway, with --store', wholeNumber)
  .option('--requests <n>', 'number of damaged requests', wholeNumber, 3_000)
  .option('--bodies <n>', 'number of costly bodies to try', wholeNumber, 150)
  .option('--parts <list>', 'parts to run', 'raw,costs,fields')
  .option('--only <words>', 'only damage with one of these words')
  .option('--seed <n>', 'seed of everything that is generated', wholeNumber)
  .option('--minutes <n>', 'stop after so many minutes', minutes)
  .option('--usd <dollars>', 'budget; without it every request is certainly rejected')
  .option('--prices <file>', 'list prices (YAML, like pricing.models of a profile)')
  .option('--stall-ms <n>', 'delay of another caller that is a finding', wait, 50)
  .option('--pid <n>', 'process of the gateway, to watch its memory', wholeNumber)
  .option('--memory-mb <n>', 'growth of that memory that is a finding', wholeNumber)
  .option('--out <dir>', 'folder of fuzz.json and fuzz.md', 'reports/out')
  .option('--replay <id>', 'send this finding of fuzz.json again')
  .action(finish(async () => (await import('./fuzz.ts')).fuzzCommand));

const drill = program
  .command('drill')
  .argument('[scenario]', 'a YAML file with thresholds, or a name: b1-brownout')
  .description('rehearse an outage: load during a scenario, and thresholds')
  .option('--target <file>', 'profile of a deployment with simulated upstreams')
  .option('--rate <n>', 'calls a second, on average', minutes, 5)
  .option('--minutes <n>', 'duration, else that of the scenario', minutes)
  .option('--speed <n>', 'factor of real time, for a stack with a clock', minutes, 1)
  .option('--seed <n>', 'seed of times and contents of calls', wholeNumber, 1)
  .option('--out <dir>', 'folder of drill.json and drill.html', 'reports/out')
  .action(finish(async () => (await import('./drill.ts')).drillCommand));

drill
  .command('diff')
  .argument('<old.json>', 'drill.json of the older drill')
  .argument('<new.json>', 'drill.json of the newer drill')
  .description('compare two drills')
  .option('--json', 'print JSON', false)
  .action(finish(async () => (await import('./drill.ts')).drillDiffCommand));

program
  .command('watch')
  .description('judge traffic that passes between clients and a deployment')
  .option('--upstream <url>', 'URL of the deployment')
  .option('--listen <n>', 'port for clients; 0: a free one', wholeNumber, 8787)
  .option('--host <address>', 'address to listen at', '127.0.0.1')
  .option('--ca <file>', 'extra certificate authority (PEM)')
  .option('--har <file>', 'judge a recording (HTTP archive) instead')
  .option('--target <file>', 'profile: prices, hooks, secrets of events')
  .option('--prices <file>', 'list prices (YAML); overrides the profile')
  .option('--events-listen <n>', 'port for events, to judge and pass on', wholeNumber)
  .option('--events-to <url>', 'receiver of these events')
  .option('--events-cert <file>', 'certificate for --events-listen (PEM)')
  .option('--events-key <file>', 'key of that certificate (PEM)')
  .option('--sample <percent>', 'percent of the traffic to judge', minutes, 100)
  .option('--minutes <n>', 'stop after so many minutes; else at SIGINT', minutes)
  .option('--body-mb <n>', 'larger bodies pass without being judged', minutes, 8)
  .option('--memory-mb <n>', 'bound of bodies in memory', minutes, 256)
  .option('--out <dir>', 'folder of the reports', 'reports/out')
  .action(finish(async () => (await import('./watch.ts')).watchCommand));

program
  .command('diff')
  .argument('<old.json>', 'report.json of the older run')
  .argument('<new.json>', 'report.json of the newer run')
  .description('compare two runs; exits with 1 if a check fails that did not')
  .option('--json', 'print JSON', false)
  .action(finish(async () => (await import('./diff.ts')).diffCommand));

program
  .command('up')
  .description('start the reference stack: upstreams, gateway, receiver')
  .option('--target-out <file>', 'file for its profile')
  .option('--port <n>', 'port of the gateway', wholeNumber, 0)
  .option('--data-dir <dir>', 'data of the gateway, else a temporary folder')
  .option('--store <url>', 'PostgreSQL server for the reference gateway')
  .option('--processes <n>', 'gateways behind a balancer, with --store', wholeNumber)
  .option('--workers <n>', 'worker processes of each gateway, with --store', wholeNumber)
  .option('--seed <n>', 'seed of the simulators', wholeNumber, 1)
  .option('--timeout-ms <n>', 'how long the gateway waits for an upstream', wait)
  .option('--cool-down-ms <list>', 'cool-downs of the circuit breaker: 2000,4000', waits)
  .option('--no-clock', 'without a clock that checks can move')
  .option('--extensions', 'with all extensions of the specification', false)
  .option('--ui', 'serve the console at the printed console_url', false)
  .option('--webhook-host <host:port>', 'private receiver that may get events; repeatable', repeated)
  .option('--webhook-ca <file>', 'certificate authority of such receivers (PEM)')
  .action(finish(async () => (await import('./up.ts')).upCommand));

program
  .command('deployment')
  .description('write configuration and profile of gateways in containers')
  .requiredOption('--url <url>', 'address of the deployment for callers', address)
  .requiredOption('--provider-url <url>', 'simulators, as gateways reach them', address)
  .requiredOption('--control-url <url>', 'their control API, as the judge reaches it', address)
  .option('--hooks-url <url>', 'one address for all hooks (gatecheck hooks)', address)
  .option('--door <kind=url>', 'broken listener of the simulators; repeatable', repeated)
  .option('--events-url <url>', 'receiver of events (gatecheck inbox)', address)
  .option('--events-control-url <url>', 'its control API, as the judge reaches it', address)
  .option('--events-ca <file>', 'its certificate authority, for gateways (PEM)')
  .option('--kit-url <url>', 'receiver that verifies events', address)
  .option('--port <n>', 'port of each gateway', wholeNumber, 8080)
  .option('--media-dir <dir>', 'media folder', '/var/lib/gatecheck/media')
  .option('--processes <n>', 'number of gateways', wholeNumber, 2)
  .option('--tenants <n>', 'number of tenants', wholeNumber, 32)
  .option('--out <dir>', 'folder of the files', 'deployment')
  .action(finish(async () => (await import('./deployment.ts')).deploymentCommand));

program
  .command('hooks')
  .description('one address for the test hooks of several gateways')
  .requiredOption('--to <url>', 'URL of a gateway; repeatable', repeated)
  .option('--host <address>', 'address to listen at', '127.0.0.1')
  .option('--port <n>', 'port to listen at', wholeNumber, 0)
  .action(finish(async () => (await import('./hooks.ts')).hooksCommand));

program
  .command('inbox')
  .description('receive events for judges on other machines, until SIGTERM')
  .requiredOption('--base-url <url>', 'its URL for the deployment (https)', address)
  .option('--listen <host:port>', 'address for events', '0.0.0.0:8443')
  .option('--control-listen <host:port>', 'address for judges', '0.0.0.0:9403')
  .requiredOption('--dir <dir>', 'folder of keys; trust receiver-ca.pem there')
  .action(finish(async () => (await import('./inbox.ts')).inboxCommand));

program
  .command('simulate')
  .argument('[scenario]', 'a YAML file, or a name: b1-brownout')
  .description('start simulated upstreams and print their addresses')
  .option('--port <n>', 'port of the upstreams', wholeNumber, 0)
  .option('--control-port <n>', 'port of the control API', wholeNumber, 0)
  .option('--listener-port <n>', 'first of seven ports with a broken transport', wholeNumber)
  .option('--http2-port <n>', 'port of the upstreams over HTTP/2 (TLS)', wholeNumber)
  .option('--receiver-port <n>', 'port of the reference receiver', wholeNumber)
  .option('--seed <n>', 'seed of everything that is drawn', wholeNumber, 1)
  .option('--host <address>', 'address; beyond loopback set GATECHECK_CONTROL_TOKEN')
  .option('--name <name>', 'host name in the printed addresses')
  .option('--tls-cert <file>', 'certificate for both servers (PEM)')
  .option('--tls-key <file>', 'key of that certificate (PEM)')
  .option('--play <version>', 'only this version: current or previous')
  .option('--variant <name>', 'variant of a dialect, such as groq; repeatable', repeated)
  .option('--test-clock', 'let the control API move the clock', false)
  .option('--fixtures <path>', 'file or folder of scripts; repeatable', repeated)
  .option('--strict', 'answer 501 to calls without a script', false)
  .option('--strict-models', 'reject unknown models', false)
  .option('--ui', 'serve the console at the printed console_url', false)
  .addOption(new Option('--door-port <n>', 'its name before this version').argParser(wholeNumber).hideHelp())
  .action(finish(async () => (await import('./simulate.ts')).simulateCommand));

program
  .command('capture')
  .description('record what an upstream answers, byte for byte, without secrets')
  .requiredOption('--upstream <url>', 'URL of the upstream')
  .option('--out <file>', 'file of the capture', 'capture.json')
  .option('--port <n>', 'port for requests', wholeNumber, 0)
  .action(finish(async () => (await import('./capture.ts')).captureCommand));

program
  .command('receiver')
  .argument('<url>', 'where the receiver takes events (http or https)')
  .description('judge your webhook receiver: signatures, ages, duplicates')
  .option('--secret <secret>', 'secret: whsec_ and base64')
  .option('--secret-env <name>', 'its variable', 'GATECHECK_WEBHOOK_SECRET')
  .option('--effects <url>', 'GET that returns the number of processed events')
  .option('--task-id <id>', 'task of all events')
  .option('--ca <file>', 'certificate authority of the receiver (PEM)')
  .option('--only <words>', 'checks (stale) or rules (RECV-007), by commas')
  .option('--seed <n>', 'seed of everything that is drawn', wholeNumber)
  .option('--out <dir>', 'folder of reports; none without it')
  .action(finish(async () => (await import('./receiver.ts')).receiverCommand));

program
  .command('list')
  .description('list the checks')
  .option('--checks <file>', 'file with your own checks; repeatable', repeated)
  .option('--only <words>', 'areas, rules, checks or kinds, separated by commas')
  .option('--json', 'print JSON', false)
  .action(finish(async () => (await import('./list.ts')).listCommand));

program
  .command('explain')
  .argument('<id>', 'a requirement (CHAT-012) or a check (chat.field.temperature)')
  .description('explain a rule or a check: text, checks, defects, facts')
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

/** The commands by what they are for, in the order of `--help`. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Judge a gateway:': [
    ...['run', 'plan', 'init', 'doctor', 'replay', 'diff', 'merge', 'publish', 'fuzz', 'watch', 'receiver'],
  ],
  'Simulate upstreams:': ['simulate', 'capture', 'drill'],
  'Run the reference gateway:': ['up', 'deployment', 'hooks', 'inbox'],
  'Look up and prove checks:': ['list', 'explain', 'coverage', 'completion'],
};
for (const [group, names] of Object.entries(groups))
  for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(group);
program.commandsGroup('Look up and prove checks:');
