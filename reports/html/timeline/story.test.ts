import { expect, it } from 'vitest';
import { bufferedTimeline } from '../../testing/sample-failures.ts';
import { elementsOf, readTags, textOf } from '../../testing/tag-tree.ts';
import { story } from './story.ts';

const drawn = (timeline = bufferedTimeline, detail: 'bytes' | 'rows' = 'bytes') =>
  readTags(story(timeline, detail).toString(), 'html');

it('shows three lanes, the number of hidden requests, and why a lane is empty', () => {
  const lanes = elementsOf(drawn(), 'tr').filter(({ attributes }) => attributes.get('class') === 'lane');
  expect(lanes.map(textOf)).toEqual([
    'Client 2 requests, 3 more are not shown',
    'Upstream 2 requests',
    'Receiver of events not recorded: there is no receiver of events (webhooks.receiver)',
  ]);
});

it('marks the moment of the violation in words, in its row, and by a line across every row', () => {
  const page = drawn();
  const text = textOf(page);
  expect(text).toContain('+2.1 s, client: stream, POST /api/v1/chat/completions.');
  const rows = elementsOf(page, 'tr').map(textOf);
  expect(rows.filter((row) => row.includes('here the rule broke'))).toHaveLength(1);
  expect(rows.find((row) => row.includes('here the rule broke'))).toMatch(/^stream POST/);
  const svgs = elementsOf(page, 'svg').filter(({ attributes }) => attributes.get('class') === 'across');
  const lines = svgs.map((svg) =>
    elementsOf(svg, 'path').filter(({ attributes }) => attributes.get('class') === 'now'),
  );
  expect(svgs).toHaveLength(5);
  expect(lines.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
  expect(new Set(lines.map(([line]) => line?.attributes.get('d'))).size).toBe(1);
});

it('states every time in words, including requests without an end and breaker times', () => {
  const rows = elementsOf(drawn(), 'tr').map(textOf);
  expect(rows.find((row) => row.startsWith('stream'))).toContain('+40 ms 2.1 s, first byte after 2.0 s');
  expect(rows.find((row) => row.startsWith('alpha POST'))).toContain('not ended');
  expect(rows.find((row) => row.includes('must rest'))).toContain('+70 ms, 10.0 s');
});

it('draws the pieces of a stream at their times', () => {
  const [, stream] = elementsOf(drawn(), 'svg').filter(({ attributes }) => attributes.get('class') === 'own');
  const pieces = elementsOf(stream ?? drawn(), 'path').filter(
    ({ attributes }) => attributes.get('class') === 'piece',
  );
  expect(pieces.length).toBeGreaterThan(0);
});

it('omits bytes if there is no space', () => {
  expect(textOf(drawn())).toContain('"model":"d3-2026-07-11"');
  expect(textOf(drawn(bufferedTimeline, 'rows'))).not.toContain('d3-2026-07-11');
});

it('reports that no single request shows the violation', () => {
  const text = textOf(drawn({ ...bufferedTimeline, moment: { at_ms: 99, lane: null, row: null } }));
  expect(text).toContain('+99 ms, when the check compared what it had seen.');
});
