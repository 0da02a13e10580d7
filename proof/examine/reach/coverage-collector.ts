import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { listenOnLoopback } from '../../../suites/process/loopback.ts';
import { type CoverageCall, coverageVariable, type FileCoverage } from './coverage-line.ts';

/** A gateway that reports which code it runs. */
interface Teller {
  readonly socket: Socket;
  readonly lines: Interface;
}

/** Queries gateways for the code they have run. Its sockets are on the loopback interface. */
export class CoverageCollector {
  readonly #server: Server;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  readonly #tellers = new Map<string, PromiseWithResolvers<Teller>>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on('connection', (socket) => void this.#meet(socket));
  }

  static async start(): Promise<CoverageCollector> {
    const server = createServer();
    return new CoverageCollector(server, await listenOnLoopback(server));
  }

  /** Flags and environment of a gateway that reports here under this name. */
  flagsFor(id: string): { nodeArgs: string[]; env: NodeJS.ProcessEnv } {
    this.#tellers.set(id, Promise.withResolvers());
    const call: CoverageCall = { port: this.#port, id };
    return {
      nodeArgs: ['--import', new URL('./coverage-hook.ts', import.meta.url).href],
      env: { ...process.env, [coverageVariable]: JSON.stringify(call) },
    };
  }

  /**
   * The code that the gateway has run since the last call. Waits for a gateway that is about to connect. Call again only
   * after the answer.
   * @throws Error if no gateway was given the name, or if it has ended
   */
  async take(id: string): Promise<FileCoverage[]> {
    const teller = await this.#tellers.get(id)?.promise;
    if (teller === undefined || teller.socket.destroyed)
      throw new Error(`${id} tells nothing of what it runs`);
    // Either outcome removes the listener for the other: the socket outlives hundreds of answers.
    const answered = new AbortController();
    const { signal } = answered;
    const answer = Promise.race([
      once(teller.lines, 'line', { signal }).then(([line]) => line as string),
      once(teller.socket, 'close', { signal }).then(() => null),
    ]);
    teller.socket.write('take\n');
    const line = await answer.finally(() => answered.abort());
    if (line === null) throw new Error(`${id} ended`);
    return JSON.parse(line) as FileCoverage[];
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #meet(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    const lines = createInterface({ input: socket });
    const [id] = (await once(lines, 'line')) as [string];
    this.#tellers.get(id)?.resolve({ socket, lines });
  }
}
