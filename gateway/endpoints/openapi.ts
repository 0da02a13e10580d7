import type { Endpoint } from '../http/route.ts';
import { sendJson } from '../http/send-json.ts';
import { openApiDocument } from '../openapi/document.ts';
import { adminRoutes } from './admin/routes.ts';
import { type Access, identify } from './enter.ts';

/** GET /api/v1/openapi.json: the OpenAPI document, for every key. It takes no slot. */
export function showOpenApi(access: Access): Endpoint {
  return async (exchange) => {
    await identify(exchange, access);
    await sendJson(exchange, openApiDocument(adminRoutes));
  };
}
