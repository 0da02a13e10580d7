import { describe, expect, it } from 'vitest';
import { callsIn } from '../../testing/fake-reply.ts';
import { ToolFragments } from './tool-fragments.ts';

function collect(batches: readonly unknown[]) {
  let made = 0;
  const fragments = new ToolFragments(() => `made-${++made}`);
  return callsIn([...batches.flatMap((batch) => fragments.take(batch) ?? []), ...fragments.close()]);
}

const part = (fields: { index?: number; id?: string; name?: string; args?: string }) => {
  const { name, args: text, ...rest } = fields;
  return {
    ...rest,
    function: { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) },
  };
};

describe('streamed tool calls', () => {
  it.for([
    [
      'the usual form',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '' })],
        [part({ index: 0, args: '{"x' })],
        [part({ index: 0, args: '":1}' })],
      ],
      [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
    ],
    [
      'the name after the arguments',
      [[part({ index: 0, id: 'a', args: '{}' })], [part({ index: 0, name: 'f' })]],
      [{ id: 'a', name: 'f', arguments: '{}' }],
    ],
    [
      'no index',
      [
        [part({ id: 'a', name: 'f', args: '{' })],
        [part({ args: '}' })],
        [part({ id: 'b', name: 'g', args: '{}' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
    ],
    [
      'one index for two calls',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '1' })],
        [part({ index: 0, id: 'b', name: 'g', args: '2' })],
        [part({ index: 0, args: '3' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '1' },
        { id: 'b', name: 'g', arguments: '23' },
      ],
    ],
    [
      'id and name in every fragment',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '1' })],
        [part({ index: 0, id: 'a', name: 'f', args: '2' })],
      ],
      [{ id: 'a', name: 'f', arguments: '12' }],
    ],
    [
      'no arguments before those of every call',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '{}' })],
        [part({ index: 0, args: '{"x' })],
        [part({ index: 0, args: '":1}' })],
        [part({ index: 1, id: 'b', name: 'g', args: '{}' })],
        [part({ index: 2, id: 'c', name: 'h', args: '{}' })],
        [part({ index: 2, args: '' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'b', name: 'g', arguments: '{}' },
        { id: 'c', name: 'h', arguments: '{}' },
      ],
    ],
    [
      'no id at all',
      [[part({ index: 0, name: 'f', args: '{}' })]],
      [{ id: 'made-1', name: 'f', arguments: '{}' }],
    ],
    [
      'interleaved calls with odd indexes',
      [
        [
          part({ index: 4, id: 'a', name: 'f', args: '1' }),
          part({ index: 7, id: 'b', name: 'g', args: '2' }),
        ],
        [part({ index: 4, args: '3' }), part({ index: 7, args: '4' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '13' },
        { id: 'b', name: 'g', arguments: '24' },
      ],
    ],
    [
      'one index for two calls in turns, distinguished by their ids',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '1' })],
        [part({ index: 0, id: 'b', name: 'g', args: '2' })],
        [part({ index: 0, id: 'a', args: '3' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '13' },
        { id: 'b', name: 'g', arguments: '2' },
      ],
    ],
    [
      'neither index nor id: another name is another call, and so is the same one after whole arguments',
      [
        [part({ name: 'f', args: '{"x":' })],
        [part({ name: 'f', args: '{}}' })],
        [part({ name: 'f', args: '{}' })],
        [part({ name: 'g', args: '{}' })],
      ],
      [
        { id: 'made-1', name: 'f', arguments: '{"x":{}}' },
        { id: 'made-2', name: 'f', arguments: '{}' },
        { id: 'made-3', name: 'g', arguments: '{}' },
      ],
    ],
    [
      'an id that comes late, when the call has one of ours',
      [[part({ index: 0, name: 'f', args: '{' })], [part({ index: 0, id: 'a', args: '}' })]],
      [{ id: 'made-1', name: 'f', arguments: '{}' }],
    ],
    [
      'one id for two calls',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '1' })],
        [part({ index: 1, id: 'a', name: 'g', args: '2' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '1' },
        { id: 'made-1', name: 'g', arguments: '2' },
      ],
    ],
    [
      'the index of the call before, and its own for the rest',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '{}' })],
        [part({ index: 0, id: 'b', name: 'g', args: '{"x"' })],
        [part({ index: 1, args: ':1' })],
        [part({ index: 1, args: '}' })],
        [part({ index: 2, id: 'c', name: 'h', args: '2' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'g', arguments: '{"x":1}' },
        { id: 'c', name: 'h', arguments: '2' },
      ],
    ],
    [
      'one id without an index for two whole calls',
      [[part({ id: 'a', name: 'f', args: '{"x":1}' }), part({ id: 'a', name: 'f', args: '{"x":2}' })]],
      [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'made-1', name: 'f', arguments: '{"x":2}' },
      ],
    ],
    [
      'a call that comes twice',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '{"x":1}' })],
        [part({ index: 0, id: 'a', name: 'f', args: '{"x":1}' })],
        [part({ index: 0, args: '{"x":1}' })],
      ],
      [{ id: 'a', name: 'f', arguments: '{"x":1}' }],
    ],
    [
      'another id in every fragment',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '' })],
        [part({ index: 0, id: 'b', args: '{"x' })],
        [part({ index: 0, id: 'c', name: 'f', args: '":1}' })],
        [part({ index: 0, id: 'd', name: 'f', args: '{}' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '{"x":1}' },
        { id: 'd', name: 'f', arguments: '{}' },
      ],
    ],
    [
      'an id that is absent as a text',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '' })],
        [part({ index: 0, id: 'null', name: '', args: '{}' })],
      ],
      [{ id: 'a', name: 'f', arguments: '{}' }],
    ],
    [
      'no list, and entries without a call',
      [[null, {}], '', {}, part({ index: 0, id: 'a', name: 'f', args: '{}' })],
      [{ id: 'a', name: 'f', arguments: '{}' }],
    ],
    [
      'a name in parts',
      [
        [part({ index: 0, id: 'a', name: 'get_', args: '' })],
        [part({ index: 0, id: 'a', name: 'tide' })],
        [part({ index: 0, args: '{}' })],
      ],
      [{ id: 'a', name: 'get_tide', arguments: '{}' }],
    ],
    [
      'a name that grows',
      [
        [part({ index: 0, id: 'a', name: 'get_' })],
        [part({ index: 0, id: 'a', name: 'get_tide', args: '{}' })],
        [part({ index: 0, id: 'a', name: 'get_tide' })],
      ],
      [{ id: 'a', name: 'get_tide', arguments: '{}' }],
    ],
    [
      'no arguments',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '' }), part({ index: 1, id: 'b', name: 'g' })],
        [part({ index: 1, args: '' })],
      ],
      [
        { id: 'a', name: 'f', arguments: '{}' },
        { id: 'b', name: 'g', arguments: '{}' },
      ],
    ],
    [
      'arguments cut inside of an escape',
      [
        [part({ index: 0, id: 'a', name: 'f', args: '{"x":"\\' })],
        [part({ index: 0, args: 'u00' })],
        [part({ index: 0, args: 'e9"}' })],
      ],
      [{ id: 'a', name: 'f', arguments: '{"x":"\\u00e9"}' }],
    ],
  ] as const)('come out whole from %s', ([, batches, calls]) => {
    expect(collect(batches)).toEqual(calls);
  });

  it.for([5, true, ['x'], [7]])('are rejected when they are %j', (fragments) => {
    expect(new ToolFragments(() => 'x').take(fragments)).toBeNull();
  });
});
