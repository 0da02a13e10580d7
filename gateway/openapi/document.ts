import { adminOperation } from './admin-operation.ts';
import { businessOperations } from './business-operations.ts';
import { Components } from './components.ts';
import { type Operation, writeOperation } from './operation.ts';
import type { RouteDescription } from './route-description.ts';

const info = {
  title: 'Gateway for generative models',
  version: '1.0.0',
  description:
    'One interface to many upstream providers: chat in three protocols, images, tasks, and what administrators need.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const;

/** A relative URL, because the gateway does not know the name that callers use for it. */
const servers = [{ url: '/', description: 'The gateway that served this document.' }] as const;

const tags = [
  { name: 'core', description: 'Chat in the common protocol, and what a key can learn of its account.' },
  { name: 'media', description: 'Pictures at once, and tasks for what takes longer.' },
  { name: 'compat-a', description: 'Chat in the messages protocol.' },
  { name: 'compat-b', description: 'Chat in the generate-content protocol.' },
  { name: 'admin', description: 'Accounts, keys, money, channels. Amounts are dollars as decimal texts.' },
] as const;

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A business key.' },
  headerKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A business key.' },
  queryKey: { type: 'apiKey', in: 'query', name: 'key', description: 'A business key.' },
  googleHeader: { type: 'apiKey', in: 'header', name: 'x-goog-api-key', description: 'A business key.' },
  adminToken: { type: 'http', scheme: 'bearer', description: 'The token of the administrators.' },
} as const;

const documents = new WeakMap<readonly RouteDescription[], object>();

/**
 * The OpenAPI document of the whole interface except the test hooks, generated from the schemas that check
 * requests. Made once for each list of routes.
 */
export function openApiDocument(adminRoutes: readonly RouteDescription[]): object {
  const document = documents.get(adminRoutes) ?? writeDocument(adminRoutes);
  documents.set(adminRoutes, document);
  return document;
}

function writeDocument(adminRoutes: readonly RouteDescription[]): object {
  const components = new Components();
  const operations = [
    ...businessOperations,
    ...adminRoutes.map((route) => adminOperation(route, components)),
  ];
  const paths = Object.fromEntries(
    [...Map.groupBy(operations, ({ path }) => path)].map(([path, ofPath]) => [
      path,
      writePath(ofPath, components),
    ]),
  );
  return {
    openapi: '3.1.0',
    info,
    servers,
    tags,
    paths,
    components: { schemas: components.schemas, securitySchemes },
  };
}

function writePath(operations: readonly Operation[], components: Components): object {
  return Object.fromEntries(
    operations.map((operation) => [operation.method, writeOperation(operation, components)]),
  );
}
