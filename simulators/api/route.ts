import type { z } from 'zod';
import type { Clock, TestClock } from '../clock.ts';
import { isTenantName } from '../control/tenant-name.ts';
import type { OwnAddress } from '../http/own-address.ts';
import type { BadValue } from '../json/issue.ts';
import type { Tenant } from '../state/tenant.ts';
import type { Tenants } from '../state/tenants.ts';

/** What the control API needs from the process. */
export interface ControlContext {
  readonly tenants: Tenants;
  /** The clock of the simulators. */
  readonly clock: Clock;
  /** The same clock when it can be moved, else null. */
  readonly testClock: TestClock | null;
  /** Real time, for long polls of the journal. */
  readonly realClock: Clock;
  readonly seed: number;
  /** The URL at which clients reach the upstreams. */
  readonly providerUrl: string;
  /** The control token, and the TLS certificate with its key. Each is null if unused. */
  readonly address: Pick<OwnAddress, 'token' | 'tls'>;
  /** The bearer token that the console's page must send; null without a console. */
  readonly consoleToken: string | null;
  /** The URL from which the console reads deliveries of events; null without a receiver. */
  readonly eventsUrl: string | null;
  /** Called with every defect of the simulators themselves. */
  readonly onDefect: (error: unknown) => void;
}

/** One call of the control API, checked. */
export interface Call<B = unknown, Q = unknown> {
  readonly context: ControlContext;
  readonly params: Readonly<Record<string, string>>;
  readonly body: B;
  readonly query: Q;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** One route. The OpenAPI document is generated from the same facts. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/tenants/{tenant}/scripts` */
  readonly path: string;
  /** One sentence. */
  readonly summary: string;
  readonly body?: z.ZodType;
  readonly query?: z.ZodType;
  /** The answer to a call: a JSON value, or a `Response` for anything else. */
  readonly answer?: z.ZodType;
  run(call: Call): unknown;
}

/** A route whose call has the types of its schemas. */
export function route<B = unknown, Q = unknown>(
  given: Omit<Route, 'run' | 'body' | 'query'> & {
    readonly body?: z.ZodType<B>;
    readonly query?: z.ZodType<Q>;
    run(call: Call<B, Q>): unknown;
  },
): Route {
  return given as Route;
}

/** An error answer to a call. Routes throw it; one handler catches it. */
export class ControlRefusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 500;
  readonly reason: BadValue;

  constructor(status: ControlRefusal['status'], reason: BadValue | string) {
    super(typeof reason === 'string' ? reason : reason.message);
    this.status = status;
    this.reason = typeof reason === 'string' ? { message: reason, path: '' } : reason;
  }
}

/** The tenant that the path names. */
export function tenantOf({ params, context }: Call): Tenant {
  const { tenant: name = '' } = params;
  if (!isTenantName(name)) throw new ControlRefusal(400, `"${name}" cannot be the name of a tenant`);
  const tenant = context.tenants.find(name);
  if (tenant === null) throw new ControlRefusal(409, 'there are too many tenants');
  return tenant;
}

/** @throws ControlRefusal for more keys than the simulators can redact. */
export function hideKeys({ context }: Call, keys: readonly string[]): void {
  if (!context.tenants.hide(keys)) throw new ControlRefusal(409, 'there are too many keys');
}
