import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { ContinueFilter } from './continue-filter.ts';
import { type Line, Reception } from './reception.ts';
import { isParserError } from './transport-errors.ts';

/** Maximum size of the answer headers; a larger block makes the answer unusable (fault T18). */
export const maxHeaderBytes = 32 * 1024;

/** State of the client's one connection. */
interface ConnectionState {
  socket: Socket | null;
  served: number;
  /** The call whose answer has just ended. */
  ended: Reception | null;
  /** Filters the bytes of the awaited answer before the parser sees them. */
  filter: ContinueFilter;
}

interface TracedClientOptions extends Client.Options {
  readonly connect: buildConnector.connector;
}

/** An undici client, which has one connection at a time and reports it to its calls. */
export class TracedClient extends Client {
  readonly #line: Line;

  constructor(origin: string | URL, options: TracedClientOptions) {
    const filter = new ContinueFilter(maxHeaderBytes);
    const state: ConnectionState = { socket: null, served: 0, ended: null, filter };
    super(origin, { ...options, connect: seated(options.connect, state) });
    this.#line = lineOf(state);
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Reception) handler.line = this.#line;
    return super.dispatch(options, handler);
  }
}

function seated(connect: buildConnector.connector, state: ConnectionState): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null) {
        state.socket = socket;
        state.served = 0;
        watchRest(socket, state);
        filterReads(socket, state);
      }
      callback(...result);
    });
}

/** Passes the bytes through the filter of the call that they answer, then to the parser. */
function filterReads(socket: Socket, state: ConnectionState): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    for (;;) {
      const chunk: unknown = read(size);
      if (!Buffer.isBuffer(chunk)) return chunk;
      const passed = state.filter.take(chunk);
      if (passed !== null) return passed;
    }
  };
}

/** When an answer closes its connection, the parser returns the bytes after it, which undici would ignore. */
function watchRest(socket: Socket, state: ConnectionState): void {
  const unshift = socket.unshift.bind(socket);
  socket.unshift = (chunk: Uint8Array, encoding) => {
    if (state.ended !== null && chunk.length > 0) state.ended.hasExcess = true;
    unshift(chunk, encoding);
  };
}

function lineOf(state: ConnectionState): Line {
  return {
    begins: () => {
      state.ended = null;
      state.filter = new ContinueFilter(maxHeaderBytes);
      return state.served > 0;
    },
    ends: (reception) => {
      state.served += 1;
      state.ended = reception;
      const { socket } = state;
      // By then, excess bytes in the same chunk have been parsed, and no other call uses the connection yet.
      process.nextTick(() => {
        if (socket !== null && isExcess(socket.errored)) reception.hasExcess = true;
        reception.finish();
      });
    },
  };
}

/** Unexpected bytes end a connection with a parser error, or with this error of undici. */
function isExcess(error: Error | null): boolean {
  return error !== null && (error.message === 'bad response' || isParserError(error));
}
