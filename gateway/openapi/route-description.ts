import type { z } from 'zod';

export const adminMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type AdminMethod = (typeof adminMethods)[number];

/** Describes a route: the requests that it accepts and its answers. */
export interface RouteDescription {
  readonly method: AdminMethod;
  /** With parameter names: `/api/admin/accounts/:account`. */
  readonly path: string;
  /** What the route does, in one sentence. */
  readonly summary: string;
  /** If absent, the route takes no query. */
  readonly query?: z.ZodType;
  /** If absent, no body is read. */
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  readonly status?: 200 | 201;
}
