import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClock, createTestClock } from './clock.ts';
import { Lanes } from './control/lanes.ts';
import { createControlServer } from './control/server.ts';
import { createProviderServer } from './providers/server.ts';

/** How a set of simulators is started. Port 0 takes a free one. */
export interface StartOptions {
  readonly port: number;
  readonly controlPort: number;
  readonly seed: number;
  /** Whether the control API may move the clock. */
  readonly testClock: boolean;
  /** Told of a defect of the simulators themselves. */
  readonly onDefect: (error: unknown) => void;
}

export interface RunningSimulators {
  readonly providerUrl: string;
  readonly controlUrl: string;
  /** Breaks off whatever is in flight and closes both ports. */
  close(): Promise<void>;
}

/** Starts upstreams and control API on the loopback address; rejects when a port cannot be had. */
export async function startSimulators(options: StartOptions): Promise<RunningSimulators> {
  const { seed, onDefect } = options;
  const lanes = new Lanes();
  const testClock = options.testClock ? createTestClock() : null;
  const realClock = createClock();
  const clock = testClock ?? realClock;
  const provider = createProviderServer({ lanes, clock, seed, onDefect });
  const control = createControlServer({ lanes, clock, testClock, realClock, seed, onDefect });
  const providerUrl = await listen(provider, options.port);
  try {
    const controlUrl = await listen(control, options.controlPort);
    return { providerUrl, controlUrl, close: () => closeAll([provider, control]) };
  } catch (error) {
    await closeAll([provider]);
    throw error;
  }
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // The backlog holds the bursts of concurrency checks.
    server.listen({ host: '127.0.0.1', port, backlog: 4096 }, () => {
      server.off('error', reject);
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map((server) => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    }),
  );
}
