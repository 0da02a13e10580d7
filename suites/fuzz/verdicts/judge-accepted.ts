import { judgeGenerateAnswer } from '../../oracle/compat/generate-answer.ts';
import { judgeGenerateStream } from '../../oracle/compat/generate-stream.ts';
import { judgeMessage } from '../../oracle/compat/messages-answer.ts';
import { judgeMessageStream } from '../../oracle/compat/messages-stream.ts';
import { judgeCompletion } from '../../oracle/completion.ts';
import { readModelList } from '../../oracle/model-list.ts';
import { modelsNamed } from '../../oracle/served.ts';
import { judgeStream } from '../../oracle/stream.ts';
import { clockSkewIn } from '../../runner/clock-skew.ts';
import { type Exchange, excerpt, jsonOf, mediaType } from '../../wire/exchange.ts';
import { type Shape, shapeFault } from '../../wire/shapes.ts';
import type { FuzzCase } from '../cases/fuzz-case.ts';
import { failure, type Verdict } from './findings.ts';
import { foundBy } from './found-by.ts';

/** Judges the form of an answer to an accepted request. */
export function judgeAccepted({ subject, cells }: FuzzCase, exchange: Exchange): Verdict[] {
  const { endpoint } = subject;
  const streamed = mediaType(exchange) === 'text/event-stream';
  // A damaged name may have become the name of another model.
  const model = cells.some(({ field }) => field === 'model' || field === '(path)') ? null : subject.model;
  const rule = { requirement: 'ERR-002', aspect: 'answer-shape' };
  switch (endpoint) {
    case 'chat': {
      // A deployment whose clock was moved is judged by the time in its answer.
      const clockAheadMs = clockSkewIn(exchange);
      const expected = { ...rule, model: model ?? modelIn(exchange), clockAheadMs };
      return foundBy(() =>
        streamed ? judgeStream(exchange, expected) : judgeCompletion(exchange, expected),
      );
    }
    case 'messages': {
      const expected = { ...rule, model: model ?? modelIn(exchange) };
      return foundBy(() =>
        streamed ? judgeMessageStream(exchange, expected) : judgeMessage(exchange, expected),
      );
    }
    case 'generate': {
      const expected = { ...rule, model: model ?? modelIn(exchange) };
      return foundBy(() =>
        streamed ? judgeGenerateStream(exchange, expected) : judgeGenerateAnswer(exchange, expected),
      );
    }
    case 'images':
      return judgeShape('images-answer', exchange);
    case 'tasks':
      return judgeShape('task-submitted', exchange);
    case 'task read':
      return judgeShape('task-record', exchange);
    case 'models':
      return foundBy(() => readModelList(exchange));
  }
}

function judgeShape(shape: Shape, exchange: Exchange): Verdict[] {
  const fault = shapeFault(shape, jsonOf(exchange));
  if (fault === null && mediaType(exchange) === 'application/json') return [];
  const reason = fault === null ? `content type ${mediaType(exchange)}` : `${fault.path} ${fault.reason}`;
  return [failure('answer-shape', `an answer of the shape ${shape}`, `${reason}: ${excerpt(exchange, 160)}`)];
}

function modelIn(exchange: Exchange): string {
  return modelsNamed(exchange)[0] ?? '';
}
