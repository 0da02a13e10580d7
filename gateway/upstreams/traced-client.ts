import type { Socket } from 'node:net';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { ContinueFilter } from './continue-filter.ts';
import { isParserError } from './transport-errors.ts';

/** Largest block of answer headers; above it the answer is unusable (fault T18). */
export const maxHeaderBytes = 32 * 1024;

/** What one call learns about the connection that it runs on: undici does not tell it. */
export class CallTrace {
  /** The call has a connection, on which it may have gone out. */
  isSent = false;
  /** The connection has served a call before: it may have died since. */
  isReused = false;
  /** A byte of the answer has come. */
  hasBegun = false;
  /** Bytes came behind the end of the answer: nobody knows where it really ended. */
  hasExcess = false;
}

/** The connection of a line. */
interface ConnectionState {
  socket: Socket | null;
  served: number;
  /** The call whose answer has just ended. */
  ended: CallTrace | null;
  /** Between the parser and the bytes of the answer that is awaited. */
  filter: ContinueFilter;
}

interface TracedClientOptions extends Client.Options {
  readonly connect: buildConnector.connector;
}

/** One of undici's clients, hence one connection at a time, that keeps the traces of its calls. A call passes its trace as `opaque`. */
export class TracedClient extends Client {
  readonly #state: ConnectionState;

  constructor(origin: string | URL, options: TracedClientOptions) {
    const filter = new ContinueFilter(maxHeaderBytes);
    const state: ConnectionState = { socket: null, served: 0, ended: null, filter };
    super(origin, { ...options, connect: seated(options.connect, state) });
    this.#state = state;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const trace: unknown = Reflect.get(options, 'opaque');
    return super.dispatch(
      options,
      trace instanceof CallTrace ? watched(handler, trace, this.#state) : handler,
    );
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

/** Bytes reach the parser by way of the filter of the call that they answer. */
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

/** When an answer closes its connection, the parser hands back what came behind it, and nobody would look at it. */
function watchRest(socket: Socket, state: ConnectionState): void {
  const unshift = socket.unshift.bind(socket);
  socket.unshift = (chunk: Uint8Array, encoding) => {
    if (state.ended !== null && chunk.length > 0) state.ended.hasExcess = true;
    unshift(chunk, encoding);
  };
}

function watched(
  inner: Dispatcher.DispatchHandler,
  trace: CallTrace,
  state: ConnectionState,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      trace.isSent = true;
      trace.isReused = state.served > 0;
      state.ended = null;
      state.filter = new ContinueFilter(maxHeaderBytes);
      inner.onRequestStart?.(controller, context);
    },
    onResponseStarted: () => {
      trace.hasBegun = true;
    },
    onResponseStart: (...args) => inner.onResponseStart?.(...args),
    onResponseData: (...args) => inner.onResponseData?.(...args),
    onResponseEnd: (...args) => {
      state.served += 1;
      state.ended = trace;
      const { socket } = state;
      // What stands behind the end in the same bytes has been parsed by then, and no other call runs here yet.
      process.nextTick(() => {
        if (socket !== null && isExcess(socket.errored)) trace.hasExcess = true;
      });
      inner.onResponseEnd?.(...args);
    },
    onResponseError: (...args) => inner.onResponseError?.(...args),
  };
}

/** Bytes that nobody asked for end a connection as a fault of the parser, or as this one of undici's own. */
function isExcess(error: Error | null): boolean {
  return error !== null && (error.message === 'bad response' || isParserError(error));
}
