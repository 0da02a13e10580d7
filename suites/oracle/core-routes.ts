/** The core routes of the specification ("Endpoints") that this release of the suites covers. */
export interface CoreRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** What goes in: a request of a kind, or nothing. */
  readonly takes: 'chat' | 'images' | 'task' | 'nothing';
  /** What is asked for is not there: who may ask is told so. */
  readonly isAbsent?: true;
}

export const chatRoute: CoreRoute = { method: 'POST', path: '/api/v1/chat/completions', takes: 'chat' };
export const modelsRoute: CoreRoute = { method: 'GET', path: '/api/v1/models', takes: 'nothing' };
export const imagesRoute: CoreRoute = { method: 'POST', path: '/api/v1/images/generations', takes: 'images' };
export const submitRoute: CoreRoute = { method: 'POST', path: '/api/v1/tasks', takes: 'task' };
/** Reads a task that nobody has, so that it costs nothing: a caller is told whether it may read at all. */
export const readRoute: CoreRoute = {
  method: 'GET',
  path: '/api/v1/tasks/task_of_nobody',
  takes: 'nothing',
  isAbsent: true,
};

/** Those that every deployment has. */
export const coreRoutes: readonly CoreRoute[] = [chatRoute, modelsRoute];

/** Methods that no route here documents but that HTTP knows, by route. HEAD and OPTIONS are left open (reading B-09). */
export function otherMethods(route: CoreRoute): string[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => method !== route.method);
}
