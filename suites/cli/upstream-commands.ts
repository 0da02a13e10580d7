import type { Command } from 'commander';
import { finish } from './command-options.ts';
import { minutes, repeated, wholeNumber } from './option-values.ts';

/** The commands of the group "Simulate upstreams". Each runs from its own file. */
export function addUpstreamCommands(program: Command): void {
  program.commandsGroup('Simulate upstreams:');
  for (const add of [addDrill, addSimulate, addCapture, addDrift]) add(program);
}

function addSimulate(program: Command): void {
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
    .option('--pass-to <url>', 'pass unscripted calls to a real provider')
    .option('--strict', 'answer 501 to calls without a script', false)
    .option('--strict-models', 'reject unknown models', false)
    .option('--ui', 'serve the console at the printed console_url', false)
    .action(finish(async () => (await import('./simulate.ts')).simulateCommand));
}

function addCapture(program: Command): void {
  program
    .command('capture')
    .description('record what an upstream answers, byte for byte, without secrets')
    .requiredOption('--upstream <url>', 'URL of the upstream')
    .option('--out <file>', 'file of the capture', 'capture.json')
    .option('--port <n>', 'port for requests', wholeNumber, 0)
    .action(finish(async () => (await import('./capture.ts')).captureCommand));
}

function addDrift(program: Command): void {
  program
    .command('drift')
    .description('compare simulated answers with real ones, in a few calls')
    .requiredOption('--provider <url>', 'base URL of the provider')
    .requiredOption('--model <name>', 'a cheap model of the provider')
    .option('--key <key>', 'its key; better: GATECHECK_PROVIDER_KEY')
    .option('--dialect <name>', 'chat-completions, messages or generate-content')
    .option('--max-calls <n>', 'the most calls', wholeNumber, 7)
    .option('--timeout <s>', 'the longest wait for an answer, seconds', wholeNumber, 60)
    .option('--price <in,out>', 'dollars for a million tokens')
    .option('--json', 'print JSON', false)
    .action(finish(async () => (await import('./drift.ts')).driftCommand));
}

function addDrill(program: Command): void {
  const drill = program
    .command('drill')
    .argument('[scenario]', 'a YAML file with thresholds, or a name: b1-brownout')
    .description('rehearse an outage: load during a scenario, and thresholds')
    .option('--target <file>', 'profile of a deployment with simulated upstreams')
    .option('--rate <n>', 'calls per second, on average', minutes, 5)
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
}
