import type { Command } from 'commander';
import { finish } from './command-options.ts';
import { address, repeated, wait, waits, wholeNumber } from './option-values.ts';

/** The commands of the group "Run the reference gateway". Each runs from its own file. */
export function addGatewayCommands(program: Command): void {
  program.commandsGroup('Run the reference gateway:');
  for (const add of [addUp, addDeployment, addHooks, addInbox]) add(program);
}

function addUp(program: Command): void {
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
}

function addDeployment(program: Command): void {
  program
    .command('deployment')
    .description('write configuration and profile of gateways in containers')
    .requiredOption('--url <url>', 'address of the deployment for callers', address)
    .requiredOption('--provider-url <url>', 'simulators, as gateways reach them', address)
    .requiredOption('--control-url <url>', 'their control API, as the judge reaches it', address)
    .option('--hooks-url <url>', 'one address for all hooks (gatecheck hooks)', address)
    .option('--broken-listener <kind=url>', 'broken listener of the simulators; repeatable', repeated)
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
}

function addHooks(program: Command): void {
  program
    .command('hooks')
    .description('one address for the test hooks of several gateways')
    .requiredOption('--to <url>', 'URL of a gateway; repeatable', repeated)
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option('--port <n>', 'port to listen at', wholeNumber, 0)
    .action(finish(async () => (await import('./hooks.ts')).hooksCommand));
}

function addInbox(program: Command): void {
  program
    .command('inbox')
    .description('receive events for judges on other machines, until SIGTERM')
    .requiredOption('--base-url <url>', 'its URL for the deployment (https)', address)
    .option('--listen <host:port>', 'address for events', '0.0.0.0:8443')
    .option('--control-listen <host:port>', 'address for judges', '0.0.0.0:9403')
    .requiredOption('--dir <dir>', 'folder of keys; trust receiver-ca.pem there')
    .action(finish(async () => (await import('./inbox.ts')).inboxCommand));
}
