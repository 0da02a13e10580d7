import cluster from 'node:cluster';
import { startGateway } from './run-gateway.ts';
import { onlyProcess } from './siblings.ts';
import {
  exitUsage,
  lineOnStdin,
  parseConfig,
  readArguments,
  readConfigText,
  StartFailure,
  seemsEmbedded,
  serverUrl,
} from './start-config.ts';
import { startEmbeddedThread } from './store/embedded-server.ts';
import { DataDirLocked, StoreError } from './store/store-errors.ts';
import type { Beginning } from './workers/messages.ts';
import { runWorkers } from './workers/run-workers.ts';
import { createWorkerEnd } from './workers/worker-end.ts';

const exitLocked = 3;

async function main(): Promise<void> {
  if (cluster.isWorker) return work();
  const { configPath, exitWithStdin, beginsOnLine } = readArguments();
  if (beginsOnLine) await lineOnStdin();
  const text = readConfigText(configPath);
  // Starts loading its code while the configuration is checked.
  const thread = seemsEmbedded(text) ? startEmbeddedThread() : null;
  const config = await parseConfig(text, configPath);
  if (serverUrl(config) !== undefined) await thread?.terminate();
  if (config.workers > 1) {
    const workers = runWorkers({ text, path: configPath }, config.workers);
    onStop(exitWithStdin, workers.stop, workers.kill);
    announce(await workers.url);
    return;
  }
  const gateway = await startGateway(config, onlyProcess(), { thread });
  onStop(exitWithStdin, gateway.stop);
  announce(gateway.url);
}

/** One of several worker processes: the first process sends it commands. */
async function work(): Promise<void> {
  const end = createWorkerEnd();
  const { text, path, number }: Beginning = await end.begun;
  const gateway = await startGateway(await parseConfig(text, path), end.siblings, { worker: number });
  end.onStop(onStop(false, gateway.stop));
  end.ready(gateway.url);
}

function announce(url: string): void {
  process.stdout.write(`${JSON.stringify({ base_url: url })}\n`);
}

/**
 * Runs `stop` on the first signal (or the end of stdin) and then exits. A second signal exits at once. The returned function
 * acts like the first signal, and does nothing after one. So a group of processes may be stopped in both ways.
 */
function onStop(exitWithStdin: boolean, stop: () => Promise<void>, atOnce = (): void => {}): () => void {
  let isStopping = false;
  let signals = 0;
  const begin = (): void => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  const hear = (): void => {
    signals += 1;
    if (signals === 1) begin();
    else {
      atOnce();
      process.exit(0);
    }
  };
  process.on('SIGTERM', hear);
  process.on('SIGINT', hear);
  if (exitWithStdin) process.stdin.resume().once('end', hear);
  return begin;
}

function fail(error: unknown): never {
  const isOurs = error instanceof StartFailure || error instanceof StoreError;
  const isUsage =
    error instanceof Error &&
    'code' in error &&
    /^(?:ERR_PARSE_ARGS|ENOENT|EACCES|EISDIR)/.test(String(error.code));
  const text =
    error instanceof Error
      ? isOurs || isUsage
        ? error.message
        : (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`${text}\n`);
  if (error instanceof StartFailure) process.exit(error.exitCode);
  process.exit(error instanceof DataDirLocked ? exitLocked : isOurs || isUsage ? exitUsage : 1);
}

main().catch(fail);
