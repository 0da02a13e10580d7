import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { isMainThread } from 'node:worker_threads';
import { type CoverageCall, coverageVariable, type FileCoverage } from './coverage-line.ts';

/**
 * Preloaded into a gateway by `node --import`. Counts the code it runs, and answers requests over a socket. Each answer
 * covers the time since the previous one.
 */
const root = new URL('../../../', import.meta.url).href;
if (isMainThread) await report(JSON.parse(process.env[coverageVariable] ?? '') as CoverageCall);

async function report({ port, id }: CoverageCall): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${id}\n`);
  createInterface({ input: socket }).on('line', () => void answer());
  // Lets a gateway exit that has nothing else to do.
  socket.unref();

  async function answer(): Promise<void> {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    socket.write(`${JSON.stringify(result.filter(isOfGateway).map(coverageOf))}\n`);
  }
}

function isOfGateway({ url }: Profiler.ScriptCoverage): boolean {
  return url.startsWith(`${root}gateway/`);
}

function coverageOf({ url, functions }: Profiler.ScriptCoverage): FileCoverage {
  const ranges = functions.flatMap((one) => one.ranges);
  return {
    path: url.slice(root.length),
    ranges: ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]),
  };
}
