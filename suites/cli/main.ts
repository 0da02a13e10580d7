import { Command, CommanderError, Option } from 'commander';
import {
  type ExitCode,
  exitCodes,
  InterruptedError,
  UnreachableError,
  UsageError,
} from '../process/exit-codes.ts';
import { StartError } from '../stack/child.ts';
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
import { prepareOutputs } from './output.ts';
import { gatecheckVersion } from './version.ts';

prepareOutputs();

/** The command line: parses, hands over to one file a command, and turns what comes back into an exit code. */
const program = new Command('gatecheck')
  .description('Judges a generative-model gateway against its interface specification.')
  .version(gatecheckVersion)
  .exitOverride()
  .showHelpAfterError('(see --help)')
  .addHelpText(
    'after',
    `
Exit codes: 0 conforming, 1 failures, 2 usage, profile or credentials, 3 unreachable, not this interface or too little
evidence, 4 a fault of the suites, 5 a stale, expired or unmatched waiver, 130 interrupted (the report is still written).

Examples:
  gatecheck run --reference                                judge the embedded reference stack
  gatecheck run --base-url https://gw.example --key KEY    judge a deployment by its address alone
  gatecheck run --target my-gateway.yaml --only AUTH,ERR   judge two areas of a deployment with a profile`,
  );

/** Loads a command when it is asked for (most need no test runner), runs it, and keeps its exit code. */
const finish =
  (load: () => Promise<(...args: never[]) => Promise<ExitCode>>) =>
  async (...args: unknown[]): Promise<void> => {
    const command = await load();
    process.exitCode = await command(...(args as never[]));
  };

/** The options that name a deployment, as `run` has them. */
function ofDeployment(command: Command): Command {
  return command
    .option('--target <file>', 'profile of the deployment (YAML); else gatecheck.yaml of this folder')
    .option('--reference', 'the embedded reference stack in place of a deployment')
    .option('--base-url <url>', "the deployment's address, as for run")
    .option('--key <key>', 'a business key of it (or the environment variable GATECHECK_KEY)')
    .option('--header <name: value>', 'as for run', repeated)
    .option('--ca <file>', 'as for run');
}

program
  .command('run')
  .description('run the conformance checks and write report.json, junit.xml and report.html')
  .option('--target <file>', 'profile of the deployment (YAML); else gatecheck.yaml of this folder')
  .option('--reference', 'judge the embedded reference stack, which needs no profile')
  .option(
    '--base-url <url>',
    "the deployment's address; with --target it replaces only the profile's address",
  )
  .option('--key <key>', 'a business key of it (or the environment variable GATECHECK_KEY)')
  .option(
    '--header <name: value>',
    'a header to send with each request to the deployment; repeatable',
    repeated,
  )
  .option('--ca <file>', 'certificate authority of the deployment, beside those that are trusted (PEM)')
  .option(
    '--checks <file>',
    'a file with checks of your own (TypeScript or JavaScript); repeatable',
    repeated,
  )
  .option(
    '--only <words>',
    'areas, requirement ids, check ids (or how they begin), kinds; separated by commas',
  )
  .option('--exclude <words>', 'checks to leave out, named as for --only')
  .option('--only-failed <report.json>', 'only the checks that failed in an earlier run, with its seed')
  .option('--shard <i/n>', 'only a part of the checks, for several machines: 1/3, 2/3, 3/3; see merge')
  .addOption(sizeOption('how much of each check is tried: few cases, the quick number, all'))
  .option('--full', 'the same as --size full', false)
  .option('--seed <n>', 'seed of everything that is generated, else 1; random draws one', seed)
  .option('--path <path>', 'replay one generated case: the path that a failure printed')
  .option(
    '--store <url>',
    'a PostgreSQL server for the gateway of the embedded stack, in place of its own database',
  )
  .option('--processes <n>', 'gateways behind a balancer, on --store', wholeNumber)
  .option('--workers <n>', 'worker processes of each gateway, on --store', wholeNumber)
  .option('--out <dir>', 'folder of the reports', 'reports/out')
  .option('--bail <n>', 'stop after so many failures', wholeNumber, 0)
  .option('--quiet', 'print the result alone')
  .option('--verbose', 'print each check as it ends, not failures alone')
  .option('--fail-on-flaky', 'end with 1 also when a failure did not repeat', false)
  .option(
    '--minutes <n>',
    'stop after so many minutes, having judged as many rules as there was time for',
    minutes,
  )
  .option(
    '--budget <bounds>',
    'stop cleanly at a bound: exchanges=2000,tokens=500000,usd=5,minutes=10 (budget of the profile)',
  )
  .option('--prices <file>', 'list prices (YAML, as pricing.models of a profile), for plan and budget')
  .option(
    '--require <profiles>',
    'parts of the interface that must have been judged, else 3: core-chat,tasks:80 (percent of their rules)',
  )
  .option('--har <file>', 'write the exchanges of all failures as an HTTP archive (HAR)')
  .option('--history <dir>', 'leave a summary of the run there, and show the last runs in the report')
  .option(
    '--write-waivers <file>',
    'write a waiver for each rule and aspect that failed, to be moved into the profile',
  )
  .option('--waiver-reason <text>', 'the reason of these waivers')
  .option('--waiver-owner <name>', 'who answers for them')
  .option('--waiver-until <date>', 'their last day: 2027-03-31', isoDate)
  .action(finish(async () => (await import('./run.ts')).runCommand));

const plan = ofDeployment(program.command('plan'))
  .description('what a run would send, pay for and take; it sends three free requests')
  .option('--checks <file>', 'as for run', repeated)
  .option('--only <words>', 'as for run')
  .option('--exclude <words>', 'as for run')
  .option('--only-failed <report.json>', 'as for run')
  .option('--shard <i/n>', 'as for run')
  .addOption(sizeOption('as for run; only quick is measured'))
  .option('--full', 'the same as --size full', false)
  .option('--prices <file>', 'list prices (YAML, as pricing.models of a profile)')
  .option('--answer-ms <n>', 'how long an answer takes that is paid for (else as long as a refusal)', wait)
  .option('--minutes <n>', 'as for run', minutes)
  .option('--budget <bounds>', 'as for run')
  .option('--json', 'as JSON', false)
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
  .description('write the profile of a deployment: what can be seen of it, and the rest as comments')
  .option('--base-url <url>', "the deployment's address; without it you are asked")
  .option('--key <key>', 'a business key of it, to look at it with; it is not written')
  .option('--key-env <name>', 'the environment variable that holds this key', 'GATECHECK_KEY')
  .option('--header <name: value>', 'as for run', repeated)
  .option('--ca <file>', 'as for run')
  .option('--name <name>', 'the name under which reports list it (else its host)')
  .option('--out <file>', 'where to write it', 'gatecheck.yaml')
  .action(finish(async () => (await import('./init.ts')).initCommand));

program
  .command('publish')
  .description('write the row of a judged deployment, its badges and its profile, for others to read')
  .argument('<report>', 'a report.json of `run`')
  .requiredOption('--profile <file>', 'the profile that it was judged with; secrets in it are refused')
  .requiredOption('--implementation <name>', 'what was judged')
  .requiredOption('--release <version>', 'its exact version')
  .requiredOption('--into <dir>', 'where to write row.json and profile.yaml')
  .action(finish(async () => (await import('./publish-result.ts')).publishCommand));

ofDeployment(program.command('doctor'))
  .description('look at a deployment before it is judged, and say what its profile lacks; free of charge')
  .option('--all', 'every missing fact, not only the first ones', false)
  .option('--json', 'as JSON', false)
  .action(finish(async () => (await import('./doctor.ts')).doctorCommand));

program
  .command('merge')
  .argument('<report.json...>', 'the reports of all parts of a run (run --shard)')
  .description('put the parts of a run together: one report, one verdict')
  .option('--checks <file>', 'as for run', repeated)
  .option('--require <profiles>', 'as for run')
  .option('--history <dir>', 'as for run')
  .option('--out <dir>', 'folder of the reports', 'reports/out')
  .action(finish(async () => (await import('./merge.ts')).mergeCommand));

program
  .command('replay')
  .argument('<report.json>', 'the report of a run')
  .argument(
    '[which]',
    'a check that failed, or a cause: ERR-012, "ERR-012 param-names-field"; else the first',
  )
  .description('repeat one failing case of a report, and show request and answer')
  .option('--beside', 'also against the embedded reference, with what differs in its answer', false)
  .option('--target <file>', 'profile of the deployment (else as in the report)')
  .option('--base-url <url>', "the deployment's address (else as in the report)")
  .option('--key <key>', 'a business key of it (or the environment variable GATECHECK_KEY)')
  .option('--header <name: value>', 'as for run', repeated)
  .option('--ca <file>', 'as for run')
  .option('--checks <file>', 'as for run', repeated)
  .action(finish(async () => (await import('./replay.ts')).replayCommand));

ofDeployment(program.command('fuzz'))
  .description(
    'send damaged requests, raw bytes and dear bodies, and look for what breaks: crashes, leaks, wrong refusals, stalls',
  )
  .option('--store <url>', 'as for run')
  .option('--processes <n>', 'as for run', wholeNumber)
  .option('--workers <n>', 'as for run', wholeNumber)
  .option('--requests <n>', 'how many damaged requests', wholeNumber, 3_000)
  .option('--bodies <n>', 'how many bodies in the search for those that cost most', wholeNumber, 150)
  .option('--parts <list>', 'fields,raw,costs: which of the three parts', 'raw,costs,fields')
  .option(
    '--only <words>',
    'only damage with one of these words: an endpoint, a field, a kind; separated by commas',
  )
  .option('--seed <n>', 'seed of everything that is generated', wholeNumber)
  .option('--minutes <n>', 'stop after so many minutes', minutes)
  .option(
    '--usd <dollars>',
    'how much may be paid; without it every request to a deployment has a fault that is refused for certain',
  )
  .option('--prices <file>', 'list prices (YAML, as pricing.models of a profile), for --usd')
  .option('--stall-ms <n>', 'how much longer than in quiet another caller may wait', wait, 50)
  .option('--pid <n>', 'process of the gateway on this machine, to watch its memory', wholeNumber)
  .option(
    '--memory-mb <n>',
    'by how much that memory may grow in one part of the run, once warm',
    wholeNumber,
  )
  .option('--out <dir>', 'folder of fuzz.json and fuzz.md', 'reports/out')
  .option('--replay <id>', 'instead: send one finding of the fuzz.json in --out again')
  .action(finish(async () => (await import('./fuzz.ts')).fuzzCommand));

const drill = program
  .command('drill')
  .argument('[scenario]', 'a YAML file with thresholds, or a name of fixtures/scenarios: b1-brownout')
  .description(
    'rehearse an outage: load while a scenario of the upstreams unfolds, and what its callers felt',
  )
  .option('--target <file>', 'profile of a deployment whose upstreams are simulators of ours')
  .option('--rate <n>', 'calls a second, on average', minutes, 5)
  .option('--minutes <n>', 'how long calls are sent (else as the scenario says)', minutes)
  .option('--speed <n>', 'how much faster than real time a stack with a clock may run', minutes, 1)
  .option('--seed <n>', 'seed of the times and contents of the calls', wholeNumber, 1)
  .option('--out <dir>', 'folder of drill.json and drill.html', 'reports/out')
  .action(finish(async () => (await import('./drill.ts')).drillCommand));

drill
  .command('diff')
  .argument('<old.json>', 'drill.json of the older drill')
  .argument('<new.json>', 'drill.json of the newer drill')
  .description('the figures of two drills; 1 when a threshold fails that held')
  .option('--json', 'as JSON', false)
  .action(finish(async () => (await import('./drill.ts')).drillDiffCommand));

program
  .command('watch')
  .description(
    'stand between clients and a deployment, hand every byte on, and judge what passes; sends nothing itself',
  )
  .option('--upstream <url>', 'the address of the deployment')
  .option('--listen <n>', 'port of the clients (0 takes a free one)', wholeNumber, 8787)
  .option('--host <address>', 'address to listen at', '127.0.0.1')
  .option(
    '--ca <file>',
    'certificate authority of the deployment or the receiver, beside those trusted (PEM)',
  )
  .option('--har <file>', 'instead: judge a recording (HTTP archive)')
  .option('--target <file>', 'profile of the deployment: prices, where charges are read, secrets of events')
  .option(
    '--prices <file>',
    'list prices (YAML, as pricing.models of a profile), before those of the profile',
  )
  .option('--events-listen <n>', 'port at which events arrive, to be handed on and judged', wholeNumber)
  .option('--events-to <url>', 'the receiver that they are handed on to')
  .option('--events-cert <file>', 'certificate for --events-listen (PEM); plain HTTP without it')
  .option('--events-key <file>', 'its key (PEM)')
  .option('--sample <percent>', 'how much of the traffic is judged; all of it passes', minutes, 100)
  .option('--minutes <n>', 'end after so many minutes (else at SIGINT or SIGTERM)', minutes)
  .option('--body-mb <n>', 'larger requests and answers pass without being judged', minutes, 8)
  .option('--memory-mb <n>', 'how much of what is under way is kept at once', minutes, 256)
  .option('--out <dir>', 'folder of the reports', 'reports/out')
  .action(finish(async () => (await import('./watch.ts')).watchCommand));

program
  .command('diff')
  .argument('<old.json>', 'report.json of the older run')
  .argument('<new.json>', 'report.json of the newer run')
  .description('what got worse and what better between two runs; 1 when a check fails that did not')
  .option('--json', 'as JSON', false)
  .action(finish(async () => (await import('./diff.ts')).diffCommand));

program
  .command('up')
  .description(
    'start the reference stack (simulated upstreams, gateway and webhook receiver) and keep it running until SIGTERM',
  )
  .option('--target-out <file>', 'where to write the profile that goes with it')
  .option('--port <n>', 'port of the gateway', wholeNumber, 0)
  .option('--data-dir <dir>', 'where the gateway keeps its data (else a temporary directory)')
  .option('--store <url>', 'a PostgreSQL server for the gateway, in place of an embedded database')
  .option('--processes <n>', 'gateways behind a balancer, on --store', wholeNumber)
  .option('--workers <n>', 'worker processes of each gateway, on --store', wholeNumber)
  .option('--seed <n>', 'seed of what the simulators generate', wholeNumber, 1)
  .option('--timeout-ms <n>', 'how long the gateway waits for an upstream (else its usual times)', wait)
  .option(
    '--cool-down-ms <list>',
    'how long its circuit breaker stays open, the first time and each time after: 2000,4000',
    waits,
  )
  .option('--no-clock', 'without a clock that can be moved: checks wait where the times are short')
  .option('--extensions', 'with all that the gateway can do beyond the specification', false)
  .option(
    '--ui',
    'serve the console of the simulators and of delivered events, at the printed console_url',
    false,
  )
  .option(
    '--webhook-host <host:port>',
    'a receiver of your own to which events may go although it is private; repeatable',
    repeated,
  )
  .option('--webhook-ca <file>', 'certificate authority of such receivers (PEM)')
  .action(finish(async () => (await import('./up.ts')).upCommand));

program
  .command('deployment')
  .description(
    'write the configuration of reference gateways that are started elsewhere (containers, a cluster), and the profile that fits',
  )
  .requiredOption('--url <url>', 'address of the deployment, as callers and judges reach it', address)
  .requiredOption('--provider-url <url>', 'the simulators, as gateways reach them', address)
  .requiredOption('--control-url <url>', 'their control API, as the judge reaches it', address)
  .option(
    '--hooks-url <url>',
    'one address for the hooks of all gateways (gatecheck hooks), as the judge reaches it: then clocks can be moved',
    address,
  )
  .option(
    '--door <kind=url>',
    'an address of the simulators with a broken transport (--listener-port), as gateways reach it; repeatable',
    repeated,
  )
  .option('--events-url <url>', 'a receiver of events (gatecheck inbox), as gateways reach it', address)
  .option('--events-control-url <url>', 'its control API, as the judge reaches it', address)
  .option('--events-ca <file>', 'the certificate that vouches for it, as gateways read it (PEM)')
  .option(
    '--kit-url <url>',
    'a receiver that verifies events (simulate --receiver-port), as the judge reaches it',
    address,
  )
  .option('--port <n>', 'port that each gateway listens on', wholeNumber, 8080)
  .option(
    '--media-dir <dir>',
    'directory of pictures and films that all gateways share',
    '/var/lib/gatecheck/media',
  )
  .option('--processes <n>', 'how many gateways take calls in turns', wholeNumber, 2)
  .option('--tenants <n>', 'accounts that checks may have to themselves', wholeNumber, 32)
  .option('--out <dir>', 'where to write gateway.json, target.yaml and deployment.env', 'deployment')
  .action(finish(async () => (await import('./deployment.ts')).deploymentCommand));

program
  .command('hooks')
  .description(
    'one address for the test hooks of several gateways: clocks move in all of them, until SIGTERM',
  )
  .requiredOption('--to <url>', 'address of a gateway; repeatable', repeated)
  .option('--host <address>', 'address to listen at; each hook wants its token', '127.0.0.1')
  .option('--port <n>', 'port to listen at', wholeNumber, 0)
  .action(finish(async () => (await import('./hooks.ts')).hooksCommand));

program
  .command('inbox')
  .description(
    'take the events of a deployment for judges elsewhere, until SIGTERM; GATECHECK_CONTROL_TOKEN is what they send',
  )
  .requiredOption('--base-url <url>', 'its address, as the deployment reaches it (https)', address)
  .option('--listen <host:port>', 'where it takes events', '0.0.0.0:8443')
  .option('--control-listen <host:port>', 'where judges reach it', '0.0.0.0:9403')
  .requiredOption(
    '--dir <dir>',
    'folder for its keys; the deployment has to trust receiver-ca.pem there for events',
  )
  .action(finish(async () => (await import('./inbox.ts')).inboxCommand));

program
  .command('simulate')
  .argument(
    '[scenario]',
    'scenario that the upstreams go through: a YAML file, or a name of fixtures/scenarios',
  )
  .description('start the simulated upstreams alone and print their addresses, until SIGTERM or SIGINT')
  .option('--port <n>', 'port of the upstreams', wholeNumber, 0)
  .option('--control-port <n>', 'port of their control API', wholeNumber, 0)
  .option(
    '--listener-port <n>',
    'first of seven ports for the addresses with a broken transport, where others are to reach them (else on loopback)',
    wholeNumber,
  )
  .option('--http2-port <n>', 'port of the upstreams over HTTP/2 (TLS)', wholeNumber)
  .option(
    '--receiver-port <n>',
    'port of the receiver that GATECHECK_RECEIVER_SECRET asks for, where others are to reach it (else on loopback)',
    wholeNumber,
  )
  .option('--seed <n>', 'seed of everything that they draw', wholeNumber, 1)
  .option('--host <address>', 'address to listen at; beyond this machine GATECHECK_CONTROL_TOKEN must be set')
  .option('--name <name>', 'the name by which others reach it, for the addresses that are printed')
  .option('--tls-cert <file>', 'its certificate (PEM), for upstreams and control API over TLS')
  .option('--tls-key <file>', 'the key of the certificate (PEM)')
  .option('--play <version>', 'only the current or only the previous version of each dialect')
  .option(
    '--variant <name>',
    'play a variant of a dialect: a provider that counts or ends its own way; repeatable',
    repeated,
  )
  .option('--test-clock', 'let the control API move their clock', false)
  .option(
    '--fixtures <path>',
    'file or folder of scripts that every tenant has, read again on change; repeatable',
    repeated,
  )
  .option('--strict', 'answer a call that nothing is scripted for with 501 and the nearest script', false)
  .option('--strict-models', 'refuse models beyond those of the simulators', false)
  .option('--ui', 'serve the console, a page that shows and steers them, at the printed console_url', false)
  .addOption(new Option('--door-port <n>', 'its name before this version').argParser(wholeNumber).hideHelp())
  .action(finish(async () => (await import('./simulate.ts')).simulateCommand));

program
  .command('capture')
  .description('record what an upstream answers, byte for byte, until SIGTERM or SIGINT; secrets are blanked')
  .requiredOption('--upstream <url>', 'address of the upstream (http or https)')
  .option('--out <file>', 'where to write the capture', 'capture.json')
  .option('--port <n>', 'port to take the requests at', wholeNumber, 0)
  .action(finish(async () => (await import('./capture.ts')).captureCommand));

program
  .command('receiver')
  .argument('<url>', 'where the receiver takes events (http or https)')
  .description("judge somebody's receiver of webhooks: signatures, ages, replays, duplicates")
  .option('--secret <secret>', 'the secret of the receiver: whsec_ followed by base64')
  .option(
    '--secret-env <name>',
    'the environment variable with the secret, in place of --secret',
    'GATECHECK_WEBHOOK_SECRET',
  )
  .option(
    '--effects <url>',
    'a GET that tells how many events were processed: a number, or JSON with a number or a list',
  )
  .option('--task-id <id>', 'the task that all events are about, for receivers that look it up')
  .option('--ca <file>', 'certificates that vouch for the receiver (PEM)')
  .option('--only <words>', 'checks (receiver.stale, or stale) or rules (RECV-007), separated by commas')
  .option('--seed <n>', 'seed of everything that is drawn', wholeNumber)
  .option('--out <dir>', 'folder for report.json, junit.xml and report.html; none is written without it')
  .action(finish(async () => (await import('./receiver.ts')).receiverCommand));

program
  .command('list')
  .description('list the checks')
  .option('--checks <file>', 'as for run', repeated)
  .option('--only <words>', 'as for run')
  .option('--json', 'as JSON', false)
  .action(finish(async () => (await import('./list.ts')).listCommand));

program
  .command('explain')
  .argument('<id>', 'a requirement (CHAT-012) or a check (chat.field.temperature)')
  .description('explain a requirement or a check: what it says, what covers it, what proves it')
  .option('--checks <file>', 'as for run', repeated)
  .action(finish(async () => (await import('./explain.ts')).explainCommand));

program
  .command('coverage')
  .description('the whole register: checks and mutants of each row, or that it has no check')
  .option('--run <report.json>', 'instead: which rules a run has asked of which endpoint, streamed or not')
  .option('--json', 'as JSON', false)
  .action(finish(async () => (await import('./coverage.ts')).coverageCommand));

program
  .command('completion')
  .argument('<shell>', 'bash or zsh')
  .description('print a script that completes commands and options: source <(gatecheck completion bash)')
  .action(
    finish(
      async () => async (shell: string) =>
        (await import('./completion.ts')).completionCommand(program, shell),
    ),
  );

try {
  await addCloneCommands();
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** `prove` and `examine` change the sources of the gateway, which only a clone of the repository has. */
async function addCloneCommands(): Promise<void> {
  const [asked = '--help'] = process.argv.slice(2);
  const needsClone = ['prove', 'examine'].includes(asked);
  if (!needsClone && !['help', '--help', '-h'].includes(asked)) return;
  const name = 'gatecheck-proof/commands';
  const found: unknown = await import(name).catch(() => null);
  if (found === null && needsClone)
    throw new UsageError(`${asked} changes the sources of the gateway: run it in a clone of the repository`);
  if (found !== null)
    (found as { addCommands(program: Command, run: typeof finish): void }).addCommands(program, finish);
}

/** The exit code for what a command threw; what a user can mend is said in a sentence. */
function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conforming : exitCodes.usage;
  if (error instanceof UsageError || error instanceof UnreachableError) {
    process.stderr.write(`gatecheck: ${error.message}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.unreachable;
  }
  if (error instanceof InterruptedError) {
    process.stderr.write(`gatecheck: ${error.message}\n`);
    return exitCodes.interrupted;
  }
  if (error instanceof StartError) {
    process.stderr.write(`gatecheck: ${error.message}\n`);
    // 2 and 3 are its own words for what the user can mend: a configuration, a port or a data directory that is taken.
    return error.childCode === 2 || error.childCode === 3 ? exitCodes.usage : exitCodes.harness;
  }
  process.stderr.write(
    `gatecheck: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return exitCodes.harness;
}
