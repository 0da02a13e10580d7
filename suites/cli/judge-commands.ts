import { type Command, Option } from 'commander';
import { finish, ofDeployment, ofSelection } from './command-options.ts';
import { isoDate, minutes, repeated, seed, sizeOption, wait, wholeNumber } from './option-values.ts';

/** The commands of the group "Judge a gateway". Each runs from its own file. */
export function addJudgeCommands(program: Command): void {
  program.commandsGroup('Judge a gateway:');
  for (const add of [
    addRun,
    addExplore,
    addPlan,
    addInit,
    addPublish,
    addDoctor,
    addMerge,
    addReplay,
    addFuzz,
    addWatch,
    addDiff,
    addReceiver,
  ])
    add(program);
}

function addRun(program: Command): void {
  ofSelection(ofDeployment(program.command('run'), 'URL of the deployment; overrides the profile'))
    .description('judge a deployment; write HTML, JSON and JUnit reports')
    .option('--seed <n>', 'seed of all generated cases, else 1; or random', seed)
    .option('--path <path>', 'one generated case: the path that a failure printed')
    .option('--store <url>', 'PostgreSQL server for the reference gateway')
    .option('--processes <n>', 'gateways behind a balancer, with --store', wholeNumber)
    .option('--workers <n>', 'worker processes of each gateway, with --store', wholeNumber)
    .option('--out <dir>', 'folder of the reports', 'reports/out')
    .option('--bail <n>', 'stop after this many failures', wholeNumber, 0)
    .option('--quiet', 'print only the result')
    .option('--verbose', 'print each check as it ends')
    .option('--fail-on-flaky', 'exit with 1 if a failure did not repeat', false)
    .option('--minutes <n>', 'stop after this many minutes, most rules first', minutes)
    .option('--budget <bounds>', 'stop at a bound: usd=5,exchanges=2000,minutes=10')
    .option('--prices <file>', 'list prices (YAML, like pricing.models of a profile)')
    .option('--require <profiles>', 'parts that must be judged, in %: core-chat,tasks:80')
    .option('--har <file>', 'write the exchanges of failures as an HTTP archive')
    .option('--history <dir>', 'keep a summary of the run, and show the last ones')
    .option('--write-waivers <file>', 'write a waiver for each failed rule and aspect')
    .option('--waiver-reason <text>', 'reason of these waivers')
    .option('--waiver-owner <name>', 'owner of these waivers')
    .option('--waiver-until <date>', 'last day of these waivers: 2027-03-31', isoDate)
    .action(finish(async () => (await import('./run.ts')).runCommand));
}

function addExplore(program: Command): void {
  ofDeployment(program.command('explore'))
    .description('judge generated histories, seed after seed, until one fails')
    .requiredOption('--minutes <n>', 'how long; no round is cut', minutes)
    .option('--only <words>', 'areas, rules, checks or kinds, separated by commas')
    .option('--exclude <words>', 'checks to leave out, named as in --only')
    .addOption(sizeOption('cases of each check, else quick'))
    .option('--seed <n>', 'seed of the first round', seed)
    .option('--resume <file>', 'file that keeps seed and coverage for the next time')
    .option('--out <dir>', 'folder of the reports', 'reports/out')
    .action(finish(async () => (await import('./explore.ts')).exploreCommand));
}

function addPlan(program: Command): void {
  const plan = ofSelection(ofDeployment(program.command('plan')))
    .description('show what a run would send and cost; sends three free requests')
    .option('--prices <file>', 'list prices (YAML, like pricing.models of a profile)')
    .option('--earlier <report>', 'count what this earlier run of the deployment sent')
    .option('--answer-ms <n>', 'time of a paid answer, else that of a refusal', wait)
    .option('--minutes <n>', 'stop after this many minutes', minutes)
    .option('--budget <bounds>', 'stop at a bound: usd=5,exchanges=2000,minutes=10')
    .option('--json', 'print JSON', false)
    .action(finish(async () => (await import('./plan.ts')).planCommand));
  // `plan` accepts these options of `run`, so its command line works unchanged; they do not affect the requests.
  for (const flags of [
    ...['--out <dir>', '--har <file>', '--history <dir>', '--require <profiles>', '--fail-on-flaky'],
    ...['--write-waivers <file>', '--waiver-reason <text>', '--waiver-owner <name>', '--quiet', '--verbose'],
  ])
    plan.addOption(new Option(flags).hideHelp());
  plan.addOption(new Option('--seed <n>').argParser(seed).hideHelp());
  plan.addOption(new Option('--bail <n>').argParser(wholeNumber).hideHelp());
  plan.addOption(new Option('--waiver-until <date>').argParser(isoDate).hideHelp());
}

function addInit(program: Command): void {
  program
    .command('init')
    .description('write a profile: what is detected, and the rest as comments')
    .option('--base-url <url>', 'URL of the deployment; without it you are asked')
    .option('--key <key>', 'business key for detection; it is not written')
    .option('--key-env <name>', 'variable that holds this key', 'GATECHECK_KEY')
    .option('--header <name: value>', 'header for each request to the deployment; repeatable', repeated)
    .option('--ca <file>', 'extra certificate authority (PEM)')
    .option('--name <name>', 'name in reports, else the host')
    .option('--models <ids>', 'models to judge, separated by commas (default: all)')
    .option('--out <file>', 'file to write', 'gatecheck.yaml')
    .action(finish(async () => (await import('./init.ts')).initCommand));
}

function addPublish(program: Command): void {
  program
    .command('publish')
    .description('write the row, badges and profile of a judged deployment')
    .argument('<report>', 'a report.json of `run`')
    .requiredOption('--profile <file>', 'profile of the run; secrets in it are rejected')
    .requiredOption('--implementation <name>', 'what was judged')
    .requiredOption('--release <version>', 'its exact version')
    .requiredOption('--into <dir>', 'folder for row.json and profile.yaml')
    .action(finish(async () => (await import('./publish-result.ts')).publishCommand));
}

function addDoctor(program: Command): void {
  ofDeployment(program.command('doctor'))
    .description('check a deployment and its profile; list missing facts')
    .option('--all', 'list every missing fact', false)
    .option('--json', 'print JSON', false)
    .action(finish(async () => (await import('./doctor.ts')).doctorCommand));
}

function addMerge(program: Command): void {
  program
    .command('merge')
    .argument('<report.json...>', 'the reports of all parts of a run (run --shard)')
    .description('combine the parts of a sharded run: one report, one exit code')
    .option('--checks <file>', 'file with your own checks; repeatable', repeated)
    .option('--require <profiles>', 'parts that must be judged, in %: core-chat,tasks:80')
    .option('--history <dir>', 'keep a summary of the run, and show the last ones')
    .option('--out <dir>', 'folder of the reports', 'reports/out')
    .action(finish(async () => (await import('./merge.ts')).mergeCommand));
}

function addReplay(program: Command): void {
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
}

function addFuzz(program: Command): void {
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
    .option('--minutes <n>', 'stop after this many minutes', minutes)
    .option('--usd <dollars>', 'budget; without it every request is certainly rejected')
    .option('--prices <file>', 'list prices (YAML, like pricing.models of a profile)')
    .option('--stall-ms <n>', 'delay of another caller that is a finding', wait, 50)
    .option('--pid <n>', 'process of the gateway, to watch its memory', wholeNumber)
    .option('--memory-mb <n>', 'growth of that memory that is a finding', wholeNumber)
    .option('--out <dir>', 'folder of fuzz.json and fuzz.md', 'reports/out')
    .option('--replay <id>', 'send this finding of fuzz.json again')
    .action(finish(async () => (await import('./fuzz.ts')).fuzzCommand));
}

function addWatch(program: Command): void {
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
    .option('--minutes <n>', 'stop after this many minutes; without it, at SIGINT', minutes)
    .option('--body-mb <n>', 'larger bodies pass without being judged', minutes, 8)
    .option('--memory-mb <n>', 'bound of bodies in memory', minutes, 256)
    .option('--out <dir>', 'folder of the reports', 'reports/out')
    .action(finish(async () => (await import('./watch.ts')).watchCommand));
}

function addDiff(program: Command): void {
  program
    .command('diff')
    .argument('<old.json>', 'report.json of the older run')
    .argument('<new.json>', 'report.json of the newer run')
    .description('compare two runs; exits with 1 if a check newly fails')
    .option('--json', 'print JSON', false)
    .action(finish(async () => (await import('./diff.ts')).diffCommand));
}

function addReceiver(program: Command): void {
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
}
