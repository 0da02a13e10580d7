import {
  type BreakerSpan,
  type FailureTimeline,
  laneNames,
  type TimelineLane,
  type TimelineRow,
} from './failure-timeline.ts';
import { count, listOf, name, type Schema, shapeOf, text } from './schema-shapes.ts';

/** Negative for a request that was in flight when the check began. */
export const time: Schema = { type: 'number' };
const timeOrNull: Schema = { type: ['number', 'null'] };

const timelineRow = shapeOf<TimelineRow>(
  {
    label: text,
    method: name,
    path: text,
    from_ms: time,
    first_byte_ms: timeOrNull,
    to_ms: timeOrNull,
    status: { type: ['integer', 'null'], minimum: 100, maximum: 999 },
    note: name,
    role: { enum: ['shows', 'twin', 'same'] },
    pieces_ms: { ...listOf(time), maxItems: 40 },
    request: text,
    answer: text,
  },
  ['note', 'role', 'pieces_ms', 'request', 'answer'],
);

const lane = shapeOf<TimelineLane>(
  { rows: listOf({ $ref: '#/$defs/timeline-row' }), left_out: count, no_source: name },
  ['left_out', 'no_source'],
);

const timeline = shapeOf<FailureTimeline>(
  {
    moment: shapeOf<FailureTimeline['moment']>({
      at_ms: time,
      lane: { enum: [...laneNames, null] },
      row: { type: ['integer', 'null'], minimum: 0 },
    }),
    client: lane,
    upstream: lane,
    receiver: lane,
    breakers: listOf(shapeOf<BreakerSpan>({ channel: text, from_ms: time, to_ms: time })),
  },
  ['breakers'],
);

/** The definitions of timelines, by the names under which they refer to each other. */
export const timelineDefs: Readonly<Record<string, Schema>> = { timeline, 'timeline-row': timelineRow };
