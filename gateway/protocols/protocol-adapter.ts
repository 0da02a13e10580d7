import type { ChatModel } from '../catalogue/chat-models.ts';
import type { DialectName } from '../catalogue/dialects.ts';
import type { Exchange } from '../http/exchange.ts';
import type { JsonObject, ParsedBody } from '../http/parse-json.ts';
import type { ChatRequest } from '../requests/chat-request.ts';
import type { Completion, StreamEnd, StreamPiece, Usage } from '../upstreams/outcome.ts';

/** What all parts of one answer share: the id, the Unix time in seconds, and the model that answers. */
export interface AnswerHead {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** Writes one stream as server-sent events, as texts that are ready for the wire. An empty text is no event. */
export interface EventWriter {
  /** What comes before the first piece. `usage` is what the upstream has reported by then. */
  open(usage: Usage | null): string;
  piece(piece: StreamPiece): string;
  /** The regular end, with the end marker where the protocol has one. */
  last(end: StreamEnd): string;
}

/** One protocol of the callers: how they ask for a chat answer, and how they read it. All else is the one pipeline. */
export interface ProtocolAdapter {
  readonly protocol: DialectName;
  readonly idPrefix: string;
  /** Refuses what is wrong before the body is looked at, by a caller who has been authenticated. */
  checkHead(exchange: Exchange): void;
  /** The name of the model, wherever it stands, unchecked. */
  modelName(exchange: Exchange, body: JsonObject): unknown;
  /** Whether the model is served in this protocol. */
  serves(model: ChatModel): boolean;
  /** Checks the fields. The first fault in the order of the document is the one reported. */
  parse(body: ParsedBody, model: ChatModel, exchange: Exchange): ChatRequest;
  /** The whole answer of a request that is not streamed. */
  whole(head: AnswerHead, completion: Completion): object;
  events(head: AnswerHead): EventWriter;
}
