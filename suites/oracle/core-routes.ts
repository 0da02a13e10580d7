/** The core routes of the specification ("Endpoints") that this release of the suites covers. */
export interface CoreRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The kind of request body, if any. */
  readonly takes: 'chat' | 'images' | 'task' | 'nothing';
  /** The requested object does not exist; a caller with access gets a not-found error. */
  readonly isAbsent?: true;
}

export const chatRoute: CoreRoute = { method: 'POST', path: '/api/v1/chat/completions', takes: 'chat' };
export const modelsRoute: CoreRoute = { method: 'GET', path: '/api/v1/models', takes: 'nothing' };
export const imagesRoute: CoreRoute = { method: 'POST', path: '/api/v1/images/generations', takes: 'images' };
export const submitRoute: CoreRoute = { method: 'POST', path: '/api/v1/tasks', takes: 'task' };
/** Reads an unknown task, which costs nothing: the answer shows whether the caller may read at all. */
export const readRoute: CoreRoute = {
  method: 'GET',
  path: '/api/v1/tasks/task_of_nobody',
  takes: 'nothing',
  isAbsent: true,
};

/** The routes that every deployment has. */
export const coreRoutes: readonly CoreRoute[] = [chatRoute, modelsRoute];

/**
 * Methods that HTTP defines and no route here documents, by route. HEAD and OPTIONS are left open (reading B-09).
 */
export function otherMethods(route: CoreRoute): string[] {
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => method !== route.method);
}

/** The URL without its query, because a link may be signed again each time it is shown. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
