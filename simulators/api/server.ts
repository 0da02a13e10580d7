import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Readable } from 'node:stream';
import { foreignCaller } from '../http/foreign-caller.ts';
import { collectBody } from '../http/read-body.ts';
import { describeIssue, inPlainWords } from '../json/issue.ts';
import { consoleRoutes } from './console/routes.ts';
import { inNewNames, inOldNames, withNewPath } from './old-names.ts';
import { type ControlContext, ControlRefusal, type Route } from './route.ts';
import { routes } from './routes.ts';

/** The control API as an HTTP server; not yet listening. */
export function createControlServer(context: ControlContext): Server {
  const limits = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 };
  const answer = controlApi(context);
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void serve(request, response, answer).catch((error: unknown) => {
      // A caller who disconnected before the end of the body gets no answer; this is no defect.
      if (!request.socket.destroyed) context.onDefect(error);
      response.destroy();
    });
  };
  const { tls } = context.address;
  // With TLS the server is that of node:https, otherwise that of node:http.
  return tls === null ? createServer(limits, listener) : createTlsServer({ ...limits, ...tls }, listener);
}

/** A call before validation. `body` is null if it exceeds the size limit. */
export interface ControlCall {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string | null;
  readonly signal: AbortSignal;
}

/** A JSON answer, the usual case. Building a `Response` would cost as much as the rest of the call. */
interface JsonAnswer {
  readonly status: number;
  readonly json: string;
}

/** The API without a socket. */
export function controlApi(context: ControlContext): (call: ControlCall) => Promise<Response | JsonAnswer> {
  const all = [...routes, ...(context.consoleToken === null ? [] : consoleRoutes())].map((route) => ({
    route,
    pattern: new RegExp(
      `^${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)').replace('*', '(?<rest>.*)')}$`,
    ),
  }));
  return async (call) => {
    try {
      const { path, query, isOld } = withNewPath(call.target);
      refuseStranger(path, call.headers, context);
      if (call.body === null) throw new ControlRefusal(413, `a body has at most ${maxBodyBytes} bytes`);
      const found = all.find(({ route, pattern }) => route.method === call.method && pattern.test(path));
      if (found === undefined)
        throw new ControlRefusal(404, `there is no ${call.method} ${call.target.split('?')[0]}`);
      const params = decodedParams(found.pattern.exec(path)?.groups ?? {});
      const json = parseBody(call.body);
      const answered = await found.route.run({
        ...{ context, params, signal: call.signal },
        body: checked(found.route.body, isOld ? inNewNames(json) : json),
        query: checked(found.route.query, Object.fromEntries(query)),
      });
      if (answered instanceof Response) return answered;
      return { status: 200, json: JSON.stringify(isOld ? inOldNames(answered, path) : answered) };
    } catch (error) {
      if (!(error instanceof ControlRefusal)) context.onDefect(error);
      return refusal(
        error instanceof ControlRefusal
          ? error
          : new ControlRefusal(500, 'the simulators failed; see their standard error'),
      );
    }
  };
}

/** Bytes. More than any script or recording needs. */
const maxBodyBytes = 64 * 1024 * 1024;

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ReturnType<typeof controlApi>,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const { chunks, end } = await collectBody(request);
  if (end === 'broken') return;
  const { method = 'GET', url: target = '/', headers } = request;
  const body = end === 'whole' ? Buffer.concat(chunks).toString('utf8') : null;
  const answered = await answer({ method, target, headers, body, signal: gone.signal });
  if (!(answered instanceof Response)) {
    const length = String(Buffer.byteLength(answered.json));
    response.writeHead(answered.status, { 'content-type': 'application/json', 'content-length': length });
    return void response.end(answered.json);
  }
  const { body: stream } = answered;
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (stream === null) return void response.end();
  const bytes = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]);
  response.on('close', () => bytes.destroy());
  bytes.on('error', () => response.destroy()).pipe(response);
}

/**
 * With a token, every caller who knows it may call, under any host name; web pages may not. Without a token, pages are
 * detected by their headers. The console's page has its own token and is always local.
 */
function refuseStranger(path: string, headers: IncomingMessage['headers'], context: ControlContext): void {
  const { consoleToken, address } = context;
  const given = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const isConsole = consoleToken !== null && (isPage(path) || isSame(given, consoleToken));
  if (isConsole || address.token === null) {
    const reason = foreignCaller(headers);
    if (reason !== null) throw new ControlRefusal(403, reason);
    if (isConsole || !path.startsWith('/console/api/')) return;
    throw new ControlRefusal(401, 'the console needs its token: open the printed URL');
  }
  if (!isSame(given, address.token))
    throw new ControlRefusal(401, 'the control API needs its token: Authorization: Bearer …');
}

/** The files of the console's page, which hold no secret. */
function isPage(path: string): boolean {
  return (path === '/console' || path.startsWith('/console/')) && !path.startsWith('/console/api/');
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function decodedParams(params: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    throw new ControlRefusal(400, 'the path has an invalid percent-encoding');
  }
}

/** The value as the schema parses it. @throws ControlRefusal that names the first bad member. */
function checked(schema: Route['body'], value: unknown): unknown {
  const parsed = schema?.safeParse(value, inPlainWords);
  if (parsed?.success === false) throw new ControlRefusal(400, describeIssue(parsed.error));
  return parsed?.data;
}

/** The maximum nesting depth of a body: more than any value needs, and few enough to write as JSON again. */
const maxLevels = 1000;

/** The body as JSON. An empty body is an empty object, so calls without arguments need none. */
function parseBody(text: string): unknown {
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ControlRefusal(400, 'the body is not JSON');
  }
  if (levelsOf(text) > maxLevels) throw new ControlRefusal(400, `the body has more than ${maxLevels} levels`);
  return value;
}

/** The nesting depth of arrays and objects in a JSON text. */
function levelsOf(json: string): number {
  let [depth, deepest, isText] = [0, 0, false];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') isText = !isText;
    else if (isText) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

function refusal({ status, reason: { message, path } }: ControlRefusal): JsonAnswer {
  return { status, json: JSON.stringify({ error: path === '' ? { message } : { message, path } }) };
}
