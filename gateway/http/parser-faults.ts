import type { Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import { errorBody, errorHeaders } from '../errors/error-body.ts';
import { GatewayError, invalidParam } from '../errors/gateway-error.ts';
import { connectionOf } from './connection.ts';
import { dateOf } from './date-of.ts';
import { lingeringClose } from './linger.ts';

/** Not imported: an import of this module would also load all of Node's fetch. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

export interface ParserFaultOptions {
  readonly clock: Clock;
  readonly newRequestId: () => string;
  /** Logs one line for the answer to bytes that never became a request. */
  readonly logFault: (requestId: string, refusal: GatewayError) => void;
}

/**
 * Answers bytes that Node's parser could not read. If they belong to a body being read, that request is rejected.
 * If answers to earlier requests are outstanding, the error waits for them. Otherwise it is written to the socket
 * at once. Afterwards the connection is closed.
 */
export function answerParserFault(error: Error, socket: Socket, options: ParserFaultOptions): void {
  const connection = connectionOf(socket);
  if (connection.fault !== null) return;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNRESET' || code === 'EPIPE' || !socket.writable) {
    socket.destroy();
    return;
  }
  const fault = faultOf(code);
  connection.fault = fault;
  if ([...connection.onFault].some((onFault) => onFault(fault))) return;
  const answer = (): void => answerOnSocket(socket, fault, options);
  if (connection.pending === 0) answer();
  else connection.onIdle = answer;
}

/** Writes an error to a socket that Node has no response object for, and closes the connection. */
export function answerOnSocket(socket: Socket, refusal: GatewayError, options: ParserFaultOptions): void {
  const requestId = options.newRequestId();
  options.logFault(requestId, refusal);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(errorBody(refusal));
  const headers = {
    ...errorHeaders(refusal),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    'x-request-id': requestId,
    date: dateOf(options.clock),
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const status = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}\r\n`;
  lingeringClose(socket, options.clock, Buffer.from(`${status}${head.join('')}\r\n${body}`));
}

function faultOf(code: unknown): GatewayError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new GatewayError('headers_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new GatewayError('request_timeout');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new GatewayError('payload_too_large');
    default:
      return invalidParam(null, 'The request is not valid HTTP.');
  }
}
