import type {
  ClientLeft,
  Completion,
  OpenStream,
  StreamPiece,
  StreamStep,
  UpstreamFailure,
  UpstreamOutcome,
} from '../outcome.ts';
import { TextCutter } from './text-cutter.ts';

/**
 * How long a stream may continue after a stop sequence, for its token count. The caller already has the whole text
 * and waits only for the end. A slower upstream is cut off, and its counts so far are used.
 */
const restMs = 2000;

/**
 * Cuts an answer at stop sequences that its upstream does not support: the text ends regularly before the first,
 * and later calls are dropped.
 */
export async function enforceStops(
  stops: readonly string[],
  outcome: UpstreamOutcome,
): Promise<UpstreamOutcome> {
  const cutter = new TextCutter(stops);
  switch (outcome.kind) {
    case 'completion':
      return cutCompletion(outcome, cutter);
    case 'stream':
      return await cutStream(outcome, cutter);
    case 'failure':
    case 'client_left':
      return outcome;
  }
}

function cutCompletion(completion: Completion, cutter: TextCutter): Completion {
  const text = cutter.take(completion.text ?? '');
  // A non-streamed answer does not show where its calls stand in the text; models put calls at the end.
  if (!cutter.isCut) return completion;
  const { native: _whole, ...rest } = completion;
  return { ...rest, text, toolCalls: [], finish: 'stop', ...stopIn(cutter) };
}

/** As with every stream, a failure before the first step is an ordinary failure. */
async function cutStream(
  stream: OpenStream,
  cutter: TextCutter,
): Promise<OpenStream | UpstreamFailure | ClientLeft> {
  const steps = new CutSteps(stream, cutter);
  const first = await steps.next();
  if (first.kind === 'failure' || first.kind === 'client_left') return first;
  return { ...stream, first, next: () => steps.next() };
}

class CutSteps {
  readonly #stream: OpenStream;
  readonly #cutter: TextCutter;
  /** A step that has arrived but has not been processed. */
  #waiting: StreamStep | null;

  constructor(stream: OpenStream, cutter: TextCutter) {
    this.#stream = stream;
    this.#cutter = cutter;
    this.#waiting = stream.first;
  }

  async next(): Promise<StreamStep> {
    for (;;) {
      const step = this.#waiting ?? (await this.#stream.next());
      this.#waiting = null;
      const shown = this.#cutter.isCut ? this.#afterStop(step) : this.#beforeStop(step);
      if (shown !== null) return shown;
    }
  }

  #beforeStop(step: StreamStep): StreamStep | null {
    if (step.kind === 'pieces') {
      const pieces = this.#cut(step.pieces);
      if (this.#cutter.isCut) this.#stream.hurry(restMs);
      return pieces.length > 0 ? { kind: 'pieces', pieces } : null;
    }
    const held = step.kind === 'end' ? this.#cutter.release() : '';
    if (held === '') return step;
    this.#waiting = step;
    return { kind: 'pieces', pieces: [{ kind: 'text', text: held }] };
  }

  /** Only the token count still matters: whatever the upstream does next, the answer has ended well. */
  #afterStop(step: StreamStep): StreamStep | null {
    switch (step.kind) {
      case 'pieces':
        return null;
      case 'end':
        return { kind: 'end', finish: 'stop', usage: step.usage, ...stopIn(this.#cutter) };
      case 'failure':
        return {
          ...{ kind: 'end', finish: 'stop', usage: this.#stream.lastUsage(), isCut: true },
          ...stopIn(this.#cutter),
        };
      case 'client_left':
        return step;
    }
  }

  #cut(pieces: readonly StreamPiece[]): StreamPiece[] {
    const kept: StreamPiece[] = [];
    for (const piece of pieces) {
      const shown = piece.kind === 'text' ? shownOf(piece, this.#cutter.take(piece.text)) : piece;
      if (shown.kind !== 'text' || shown.text !== '') kept.push(shown);
      if (this.#cutter.isCut) break;
    }
    return kept;
  }
}

function stopIn({ stop }: TextCutter): { readonly stop?: string } {
  return stop === null ? {} : { stop };
}

/** Text that is shown in full keeps its native form. */
function shownOf(piece: StreamPiece & { kind: 'text' }, text: string): StreamPiece & { kind: 'text' } {
  return text === piece.text ? piece : { kind: 'text', text };
}
