import type { Exchange } from '../http/exchange.ts';
import { sendJson } from '../http/send-json.ts';
import { openApiDocument } from '../openapi/document.ts';
import type { Gateway } from '../services/gateway.ts';
import { ADMIN_ROUTES } from './admin/routes.ts';
import { identify } from './enter.ts';

/** GET /api/v1/openapi.json: the document of the interface, for every key. It takes no slot. */
export async function showOpenApi(exchange: Exchange, gateway: Gateway): Promise<void> {
  identify(exchange, gateway);
  await sendJson(exchange, openApiDocument(ADMIN_ROUTES), gateway.clock);
}
