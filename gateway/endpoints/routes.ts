import type { LedgerReader } from '../billing/ledger-reader.ts';
import type { Route } from '../http/route.ts';
import type { MediaFiles } from '../media/media-files.ts';
import { extended } from '../protocols/chat-completions/extended.ts';
import { generateContentAdapter } from '../protocols/generate-content/adapter.ts';
import { nativePath } from '../protocols/generate-content/native-path.ts';
import { messagesAdapter } from '../protocols/messages/adapter.ts';
import type { UrlRules } from '../requests/media/https-url.ts';
import type { ChatService } from '../services/chat/chat-service.ts';
import type { ImageService } from '../services/images/image-service.ts';
import type { TaskService } from '../services/tasks/task-service.ts';
import { showBalance } from './balance.ts';
import { type CallbackDeps, callbacksPath, takeCallback } from './callbacks/callbacks.ts';
import { chatIn } from './chat/chat.ts';
import { countTokens } from './chat/count-tokens.ts';
import type { Access } from './enter.ts';
import { imagesEndpoint } from './images/images.ts';
import { showMedia } from './media.ts';
import { listModels, showModel } from './models.ts';
import { showOpenApi } from './openapi.ts';
import { readTask } from './tasks/read.ts';
import { submitEndpoint } from './tasks/submit.ts';

export interface BusinessDeps {
  readonly access: Access;
  readonly chat: ChatService;
  readonly images: ImageService;
  readonly tasks: TaskService;
  /** The rules for URLs in requests. */
  readonly urlRules: UrlRules;
  readonly ledgerReader: Pick<LedgerReader, 'balances'>;
  /** The extensions that are switched on. */
  readonly extensions: readonly string[];
}

/** Routes for callers with keys. */
export function businessRoutes(parts: BusinessDeps): readonly Route[] {
  const { access, extensions, urlRules } = parts;
  const core = extended(extensions);
  const chat = { access, service: parts.chat, urlRules };
  const images = { access, service: parts.images, urlRules };
  const tasks = { access, service: parts.tasks, urlRules };
  return [
    { path: '/api/v1/chat/completions', endpoints: { POST: chatIn(core, chat) } },
    { path: '/compat-a/v1/messages', endpoints: { POST: chatIn(messagesAdapter, chat) } },
    ...(extensions.includes('count_tokens')
      ? [{ path: '/compat-a/v1/messages/count_tokens', endpoints: { POST: countTokens(chat) } }]
      : []),
    { ...nativePath, endpoints: { POST: chatIn(generateContentAdapter, chat) } },
    { path: '/api/v1/images/generations', endpoints: { POST: imagesEndpoint(images) } },
    { path: '/api/v1/tasks', endpoints: { POST: submitEndpoint(tasks) } },
    { path: '/api/v1/tasks/:task_id', endpoints: { GET: readTask(tasks) } },
    { path: '/api/v1/models', endpoints: { GET: listModels(access, parts.chat) } },
    ...(extensions.includes('models_retrieve')
      ? [{ path: '/api/v1/models/:model', endpoints: { GET: showModel(access, parts.chat) } }]
      : []),
    { path: '/api/v1/balance', endpoints: { GET: showBalance(access, parts.ledgerReader) } },
    { path: '/api/v1/openapi.json', endpoints: { GET: showOpenApi(access) } },
  ];
}

/** Routes without a key: files, for every client that has the link, and callbacks, which upstreams sign. */
export function publicRoutes(mediaFiles: MediaFiles, callbacks: CallbackDeps): readonly Route[] {
  return [
    { path: '/media/:file', endpoints: { GET: showMedia(mediaFiles) } },
    { path: callbacksPath, endpoints: { POST: takeCallback(callbacks) } },
  ];
}
