import type { ChatModel } from '../catalogue/chat-models.ts';
import type { DialectName } from '../catalogue/dialects.ts';
import type { Exchange } from '../http/exchange.ts';
import type { JsonObject, ParsedBody } from '../http/parse-json.ts';
import type { ChatRequest } from '../requests/chat-request.ts';
import type { Completion, StreamEnd, StreamPiece, Usage } from '../upstreams/outcome.ts';

/** Common to all parts of an answer: the id, the Unix time in seconds, and the model that answers. */
export interface AnswerHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** Writes one stream as text of server-sent events, ready to send. An empty text means no event. */
export interface EventWriter {
  /** What precedes the first piece. `usage` is what the upstream has reported so far. */
  open(usage: Usage | null): string;
  piece(piece: StreamPiece): string;
  /** The regular end, with the end marker where the protocol has one. */
  last(end: StreamEnd): string;
}

/** A protocol of callers: how they request a chat answer, and how they read it. Everything else is shared. */
export interface ProtocolAdapter {
  readonly protocol: DialectName;
  readonly idPrefix: string;
  /** Rejects errors outside the body before the body is examined; the caller is already authenticated. */
  checkHead(exchange: Exchange): void;
  /** The name of the model, in the path or the body, unchecked. */
  modelName(exchange: Exchange, body: JsonObject): unknown;
  /** Whether this protocol serves the model. */
  serves(model: ChatModel): boolean;
  /** Checks the fields and reports the first invalid one in document order. */
  parse(body: ParsedBody, model: ChatModel, exchange: Exchange): ChatRequest;
  /** The body of a non-streamed answer. */
  whole(head: AnswerHead, completion: Completion): object;
  events(head: AnswerHead): EventWriter;
}
