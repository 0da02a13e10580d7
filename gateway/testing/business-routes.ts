import { type BusinessDeps, businessRoutes } from '../endpoints/routes.ts';
import type { Route } from '../http/route.ts';

const nothing: Partial<BusinessDeps> = { extensions: [] };

/** The business routes with their paths and methods, but without handlers. */
export const allBusinessRoutes: readonly Route[] = businessRoutes(nothing as BusinessDeps);
