import type { Judge } from '../../engine/parts/judge.ts';
import { judgeBrokenGenerate } from '../../oracle/compat/generate-stream.ts';
import { judgeBrokenMessage } from '../../oracle/compat/messages-stream.ts';
import { type ErrorBody, judgeErrorShape } from '../../oracle/refusal.ts';
import type { Protocol } from '../../steps/protocols/protocol.ts';
import { type Exchange, isSuccess, mediaType } from '../../wire/exchange.ts';

/** The error of an answer or a stream; null where only the broken connection shows the failure. */
export function errorIn(
  judge: Judge,
  protocol: Protocol,
  model: string,
  exchange: Exchange,
): ErrorBody | null {
  if (!isStream(exchange)) return judgeErrorShape(exchange);
  switch (protocol.name) {
    case 'core':
      return judge.broken(exchange).error;
    case 'compat-a':
      return judgeBrokenMessage(exchange).error;
    case 'compat-b':
      return judgeBrokenGenerate(exchange, { model }).error;
  }
}

/** Whether an answer is a refusal, or a stream that reports one. */
export function isErrorReported(exchange: Exchange): boolean {
  return !isSuccess(exchange) || (isStream(exchange) && exchange.response.body.includes('"error":{'));
}

function isStream(exchange: Exchange): boolean {
  return mediaType(exchange) === 'text/event-stream';
}
