import type { Deviation } from './deviation.ts';

const ours = '/api/v1';
const core = /^\/(?:chat\/completions|models|images\/generations|tasks)(?:[/?]|$)/;

/** The core routes have another path prefix, often that of a similar protocol. */
export const pathPrefix: Deviation = {
  id: 'path-prefix',
  title: `the core routes are not below ${ours}`,
  requirement: 'EP-004',
  checks: ['ep.routes.served'],
  takes: 'the path that they are below, such as /v1',
  undo: (given) => {
    if (typeof given !== 'string' || !/^(?:\/[\w.~-]+)*$/.test(given)) return null;
    return {
      request: (request) =>
        request.path === ours || request.path.startsWith(`${ours}/`)
          ? { ...request, path: given + request.path.slice(ours.length) }
          : request,
    };
  },
  passing: (given) => ({
    specified: (request) => {
      const rest = request.path.slice(String(given).length);
      const isOwn = request.path.startsWith(String(given)) && core.test(rest);
      return isOwn ? { ...request, path: ours + rest } : request;
    },
  }),
};
