import { adminRoutes } from '../endpoints/admin/routes.ts';
import { adminToken } from './test-gateway.ts';
import { type Answer, type Question, read } from './wire.ts';

type Method = NonNullable<Question['method']>;

/** Sends a request as an administrator. A successful answer must have the shape and status that its route declares. */
export function adminClient(url: string, token: string = adminToken) {
  return async (method: Method, path: string, body?: unknown): Promise<Answer> => {
    const answer = await read(`${url}/api/admin${path}`, {
      method,
      key: token,
      ...(body !== undefined && { body }),
    });
    if (answer.status < 300) checkDeclared(method, `/api/admin${path.split('?', 1)[0] ?? ''}`, answer);
    return answer;
  };
}

function checkDeclared(method: Method, path: string, { status, json }: Answer): void {
  const route = adminRoutes.find((known) => known.method === method && matches(known.path, path));
  if (route === undefined) throw new Error(`no route ${method} ${path}`);
  if (status !== (route.status ?? 200)) throw new Error(`${method} ${path} answered ${status}`);
  const parsed = route.answer.safeParse(json);
  if (!parsed.success) throw new Error(`${method} ${path}: ${parsed.error.message}`);
}

function matches(pattern: string, path: string): boolean {
  const [wanted, sent] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === sent.length && wanted.every((part, at) => part.startsWith(':') || part === sent[at])
  );
}
