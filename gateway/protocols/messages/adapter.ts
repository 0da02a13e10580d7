import { invalidParam } from '../../errors/gateway-error.ts';
import { countHeader } from '../../http/adapt.ts';
import type { Exchange } from '../../http/exchange.ts';
import { parseMessagesRequest } from '../../requests/compat/messages/parse.ts';
import type { ProtocolAdapter } from '../protocol-adapter.ts';
import { messageShape } from './answer.ts';
import { betaHeaders } from './betas.ts';
import { createMessageWriter } from './events.ts';

/** The version header: ours, or else the one that official clients send (B-94). */
const versionHeader = 'compat-a-version';
const clientHeader = 'anthropic-version';

/** POST /compat-a/v1/messages: the messages protocol, for the models that are served in it (B-95). */
export const messagesAdapter: ProtocolAdapter = {
  protocol: 'messages',
  idPrefix: 'msg_',
  checkHead: checkVersion,
  modelName: (_exchange, body) => body.model,
  serves: (model) => model.compat === 'messages',
  parse: (body, model, exchange) => parseMessagesRequest(body, model, betaHeaders(exchange)),
  whole: messageShape,
  events: createMessageWriter,
};

/** Any date is accepted: this path has only one version. */
function checkVersion({ incoming }: Exchange): void {
  const name = countHeader(incoming, versionHeader) > 0 ? versionHeader : clientHeader;
  if (countHeader(incoming, name) === 0)
    throw invalidParam(versionHeader, `The header ${versionHeader} is required.`);
  const value = incoming.headers[name];
  if (countHeader(incoming, name) > 1 || typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value))
    throw invalidParam(versionHeader, `The header ${versionHeader} must be one date, as YYYY-MM-DD.`);
}
