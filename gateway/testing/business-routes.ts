import { type BusinessDeps, businessRoutes } from '../endpoints/routes.ts';
import type { Route } from '../http/route.ts';

const nothing: Partial<BusinessDeps> = { extensions: [] };

/** The business routes, for their paths and methods: there is nothing behind them. */
export const allBusinessRoutes: readonly Route[] = businessRoutes(nothing as BusinessDeps);
