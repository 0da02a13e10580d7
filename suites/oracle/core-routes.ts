/** The core routes of the specification ("Endpoints") that this release of the suites covers. */
export interface CoreRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What goes in: a chat request, or nothing. */
  readonly takes: 'chat' | 'nothing';
}

export const chatRoute: CoreRoute = { method: 'POST', path: '/api/v1/chat/completions', takes: 'chat' };
export const modelsRoute: CoreRoute = { method: 'GET', path: '/api/v1/models', takes: 'nothing' };

export const coreRoutes: readonly CoreRoute[] = [chatRoute, modelsRoute];

/** Methods that no route here documents but that HTTP knows, by route. HEAD and OPTIONS are left open (reading B-09). */
export function otherMethods(route: CoreRoute): string[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => method !== route.method);
}
