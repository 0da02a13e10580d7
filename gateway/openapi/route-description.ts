import type { z } from 'zod';

export const adminMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type AdminMethod = (typeof adminMethods)[number];

/** What describes a route: the requests that it takes and the answers that it gives. */
export interface RouteDescription {
  readonly method: AdminMethod;
  /** With names for what varies: `/api/admin/accounts/:account`. */
  readonly path: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** Without one the route takes no query. */
  readonly query?: z.ZodType;
  /** Without one no body is read. */
  readonly body?: z.ZodType;
  readonly answer: z.ZodType;
  readonly status?: 200 | 201;
}
