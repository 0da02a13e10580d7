import { z } from 'zod';
import { invalidParam } from '../../errors/gateway-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import { parseInTurns } from '../../http/parse-json.ts';
import { readBody } from '../../http/read-body.ts';
import type { PathIds } from '../../http/route.ts';
import type { RouteDescription } from '../../openapi/route-description.ts';
import { parse } from '../../requests/first-issue.ts';
import type { Administration } from './administration.ts';
import { Audited } from './audited.ts';

/** An admin request that has passed its schemas. */
export interface AdminCall<Query, Body> {
  readonly admin: Administration;
  /** The parameters of the path, as sent. */
  readonly ids: PathIds;
  readonly query: Query;
  readonly body: Body;
}

/** An admin route: its description and its handler. */
export interface AdminRoute extends RouteDescription {
  /** Returns the JSON of the answer. Throws a GatewayError for a request that the schemas reject. */
  readonly run: (exchange: Exchange, admin: Administration, ids: PathIds) => Promise<object>;
}

/** The answer to a deletion. */
export const deletedView = z.strictObject({ id: z.string(), deleted: z.literal(true) });

/** Makes a route whose handler gets the query and body parsed by its schemas; null where the route has no schema. */
export function adminRoute<
  Query extends z.ZodType = z.ZodNull,
  Body extends z.ZodType = z.ZodNull,
  View extends object = object,
>({
  handle,
  hasChanged,
  ...description
}: RouteDescription & {
  readonly query?: Query;
  readonly body?: Body;
  /**
   * For a change that does not run within `changing`: whether the answer reports a change. Its line in the audit trail is
   * then written before the change and completed afterwards.
   */
  readonly hasChanged?: (view: View) => boolean;
  readonly handle: (call: AdminCall<z.output<Query>, z.output<Body>>) => Promise<View>;
}): AdminRoute {
  return {
    ...description,
    run: async (exchange, admin, ids) => {
      const query = parseQuery(exchange.query, description.query);
      const sent =
        description.body === undefined ? null : (await parseInTurns(await readBody(exchange))).value;
      const body = description.body === undefined ? null : parse(sent, description.body);
      const asked = { route: description, ids, body: sent ?? {} };
      const audited = new Audited(admin.audit, admin.onAuditFailure, exchange, asked);
      // Each value is the output of its schema.
      const call = { admin: { ...admin, audited }, ids, query, body } as AdminCall<
        z.output<Query>,
        z.output<Body>
      >;
      return hasChanged === undefined ? handle(call) : audited.around(() => handle(call), hasChanged);
    },
  };
}

function parseQuery(sent: string, schema: z.ZodType | undefined): unknown {
  const given = new URLSearchParams(sent);
  const repeated = [...given.keys()].find((name, at, names) => names.indexOf(name) !== at);
  if (repeated !== undefined)
    throw invalidParam(repeated.slice(0, 200), 'Each parameter must be given once.');
  const document = Object.fromEntries(given);
  if (schema !== undefined) return parse(document, schema);
  const [unknown] = Object.keys(document);
  if (unknown === undefined) return null;
  throw invalidParam(unknown.slice(0, 200), 'This path takes no parameters.');
}
