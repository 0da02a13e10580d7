import {
  type Completion,
  failure,
  type StreamPiece,
  type ToolCall,
  type UpstreamFailure,
} from '../outcome.ts';
import { classifyError, errorIn } from './classify.ts';
import type { ResponseReader } from './stream.ts';

/** Turns the body of a native 200 into a completion, or says why it is none: a plain answer is a stream of one response. */
export function readCompletion(
  body: unknown,
  text: string,
  reader: ResponseReader,
): Completion | UpstreamFailure {
  if (errorIn(body) !== null) return classifyError(body, 200, {});
  const pieces: StreamPiece[] = [];
  const end = reader.take({ name: '', data: text }, pieces) ?? reader.ended();
  if (end.kind === 'failure') return { ...end, status: 200 };
  if (end.kind !== 'end') return failure('unusable', 'no answer', { status: 200 });
  const toolCalls = callsOf(pieces);
  const said = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('');
  return {
    kind: 'completion',
    text: said === '' && toolCalls.length > 0 ? null : said,
    toolCalls,
    finish: end.finish,
    usage: end.usage,
  };
}

function callsOf(pieces: readonly StreamPiece[]): ToolCall[] {
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'tool_start') return [];
    const { index, kind: _kind, ...call } = piece;
    const texts = pieces.flatMap((other) =>
      other.kind === 'tool_arguments' && other.index === index ? [other.text] : [],
    );
    return [{ ...call, arguments: texts.join('') }];
  });
}
