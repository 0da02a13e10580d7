import { type Context, Hono } from 'hono';
import { isAdminPath } from '../admin/guard.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { accountsPath, changeTestAccount, createTestAccount } from '../hooks/accounts.ts';
import { clockHook } from '../hooks/clock.ts';
import { ledgerHook } from '../hooks/ledger.ts';
import { storeHook } from '../hooks/store.ts';
import { usageHook } from '../hooks/usage.ts';
import type { Exchange } from '../http/exchange.ts';
import { core } from '../protocols/chat-completions/adapter.ts';
import { generateContentFace } from '../protocols/generate-content/adapter.ts';
import { NATIVE_ROUTE } from '../protocols/generate-content/native-path.ts';
import { messagesFace } from '../protocols/messages/adapter.ts';
import type { Gateway } from '../services/gateway.ts';
import { adminEndpoints, unknownAdminPath } from './admin/admin-endpoints.ts';
import { ADMIN_ROUTES } from './admin/routes.ts';
import { showBalance } from './balance.ts';
import { CALLBACKS_PATH, takeCallback } from './callbacks/callbacks.ts';
import { chatIn } from './chat/chat.ts';
import { generateImages } from './images/images.ts';
import { MEDIA_PATH, showMedia } from './media.ts';
import { listModels } from './models.ts';
import { showOpenApi } from './openapi.ts';
import { type Endpoint, serve } from './serve.ts';
import { readTask, TASKS_PATH } from './tasks/read.ts';
import { submitTask } from './tasks/submit.ts';

type Env = { Bindings: { exchange: Exchange } };

interface Route {
  readonly path: string;
  /** What the log calls it, where the path is a pattern. */
  readonly label?: string;
  readonly endpoints: Readonly<Partial<Record<'GET' | 'POST', Endpoint>>>;
}

/** The business routes, exactly as written: another case or a trailing slash is another path. */
export const BUSINESS_ROUTES: readonly Route[] = [
  { path: '/api/v1/chat/completions', endpoints: { POST: chatIn(core) } },
  { path: '/compat-a/v1/messages', endpoints: { POST: chatIn(messagesFace) } },
  { ...NATIVE_ROUTE, endpoints: { POST: chatIn(generateContentFace) } },
  { path: '/api/v1/images/generations', endpoints: { POST: generateImages } },
  { path: TASKS_PATH, endpoints: { POST: submitTask } },
  { path: `${TASKS_PATH}/:task`, endpoints: { GET: readTask } },
  { path: '/api/v1/models', endpoints: { GET: listModels } },
  { path: '/api/v1/balance', endpoints: { GET: showBalance } },
  { path: '/api/v1/openapi.json', endpoints: { GET: showOpenApi } },
];

/** What takes no key: files for those who were given a link, reports of upstreams, which sign them. */
const PUBLIC_ROUTES: readonly Route[] = [
  { path: MEDIA_PATH, endpoints: { GET: showMedia } },
  { path: CALLBACKS_PATH, endpoints: { POST: takeCallback } },
];

/** Ways into a gateway that was started for tests; those that its configuration does not open do not exist. */
function hookRoutes(gateway: Gateway): Route[] {
  return [
    ...(gateway.clockHook === null
      ? []
      : [{ path: '/hooks/clock', endpoints: { GET: clockHook, POST: clockHook } }]),
    ...(gateway.storeHook === null
      ? []
      : [{ path: '/hooks/store', endpoints: { GET: storeHook, POST: storeHook } }]),
    ...(gateway.usageHook === null ? [] : [{ path: '/hooks/usage', endpoints: { GET: usageHook } }]),
    ...(gateway.ledgerHook === null ? [] : [{ path: '/hooks/ledger', endpoints: { GET: ledgerHook } }]),
    ...(gateway.accountsHook === null
      ? []
      : [
          { path: accountsPath, endpoints: { POST: createTestAccount } },
          { path: `${accountsPath}/:account`, endpoints: { POST: changeTestAccount } },
        ]),
  ];
}

/** What Hono is given and gives back. It routes on the exchange, and the answer has been written to it by then. */
const ANY_REQUEST = new Request('http://localhost/');
const WRITTEN = new Response(null);

/** Brings a request to its endpoint. Endpoints write their answers themselves, so Hono only routes. */
export function createRouter(gateway: Gateway): (exchange: Exchange) => void {
  const app = new Hono<Env>({
    // The path as it was sent: no decoding, no resolving of dots.
    getPath: (_request, options) => options?.env?.exchange.path ?? '',
  });
  const run = async (context: Context<Env>, route: string, endpoint: Endpoint): Promise<Response> => {
    await serve(context.env.exchange, gateway, route, endpoint);
    return WRITTEN;
  };
  for (const { path, label = path, endpoints } of [
    ...BUSINESS_ROUTES,
    ...PUBLIC_ROUTES,
    ...hookRoutes(gateway),
  ]) {
    const methods = Object.keys(endpoints);
    const refuse: Endpoint = () => {
      throw new GatewayError('method_not_allowed', { allow: methods });
    };
    app.all(path, (context) => {
      // The method as it was sent: upper and lower case are different methods.
      const { method } = context.env.exchange.incoming;
      const endpoint = (method === 'GET' || method === 'POST' ? endpoints[method] : undefined) ?? refuse;
      return run(context, label, endpoint);
    });
  }
  for (const [path, endpoint] of adminEndpoints(ADMIN_ROUTES)) {
    app.all(path, (context) => run(context, path, endpoint));
  }
  app.notFound((context) => {
    const isAdmin = isAdminPath(context.env.exchange.path);
    return run(context, isAdmin ? '/api/admin' : 'none', isAdmin ? unknownAdminPath : notFound);
  });
  app.onError((error, context) =>
    run(context, 'none', () => {
      throw error;
    }),
  );
  return (exchange) => {
    void app.fetch(ANY_REQUEST, { exchange });
  };
}

function notFound(): never {
  throw new GatewayError('not_found');
}
