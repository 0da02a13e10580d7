import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type GatewayError, invalidParam } from '../errors/gateway-error.ts';

/**
 * Checks what must hold before routing, and converts the target to origin form. An absolute-form target loses
 * scheme and authority; every target loses its query, which may hold keys. Returns the error, or null.
 */
export function adapt(incoming: IncomingMessage): GatewayError | null {
  if (incoming.httpVersionMajor !== 1) return invalidParam(null, 'The HTTP version must be 1.0 or 1.1.');
  const hosts = countHeader(incoming, 'host');
  if (hosts > 1) return invalidParam(null, 'The Host header must be given once.');
  if (hosts === 0 && incoming.httpVersion === '1.1') return invalidParam(null, 'The Host header is missing.');
  if (!isHost(incoming.headers.host ?? 'localhost'))
    return invalidParam(null, 'The Host header is not valid.');
  const path = originPath(incoming.url ?? '');
  if (path === null) return invalidParam(null, 'The request target is not valid.');
  incoming.url = path;
  const expect = incoming.headers.expect;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return invalidParam(null, 'The expectation in the Expect header cannot be met.');
  }
  return null;
}

/** The query of a target as sent, without its question mark; empty when there is none. */
export function queryIn(target: string): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : (target.slice(at + 1).split('#', 1)[0] ?? '');
}

/** How often a header occurs in the request as sent; Node itself drops or joins repeated ones. */
export function countHeader(incoming: IncomingMessage, lowerName: string): number {
  let count = 0;
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    const name = incoming.rawHeaders[i] ?? '';
    if (name.length === lowerName.length && name.toLowerCase() === lowerName) count += 1;
  }
  return count;
}

/** Caches the last valid host: nearly all requests name the same one. */
let lastHost = '';

function isHost(host: string): boolean {
  if (host === lastHost) return true;
  if (!/^[A-Za-z0-9._~\-[\]:%]{1,255}$/.test(host) || !URL.canParse(`http://${host}/`)) return false;
  lastHost = host;
  return true;
}

/** The path of a target in origin or absolute form; null for any other form or a wrong encoding. `*` stays itself. */
function originPath(target: string): string | null {
  if (target === '*') return target;
  const absolute = /^https?:\/\/[^/?#]+(.*)$/i.exec(target);
  const rest = absolute === null ? target : absolute[1] || '/';
  const path = rest.split('?', 1)[0] ?? '';
  if (absolute === null && !path.startsWith('/')) return null;
  return /%(?![0-9A-Fa-f]{2})/.test(path) || !isUtf8Encoded(path) ? null : path || '/';
}

function isUtf8Encoded(path: string): boolean {
  if (!path.includes('%')) return true;
  const bytes = path.replace(/%([0-9A-Fa-f]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return isUtf8(Buffer.from(bytes, 'latin1'));
}
