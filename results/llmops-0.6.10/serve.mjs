import { serve } from '@hono/node-server';
import gateway from '@llmops/gateway';

serve({ fetch: gateway.fetch, hostname: '127.0.0.1', port: 8791 });
