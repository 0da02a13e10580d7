import { expect, it } from 'vitest';
import { allCapabilities, catalogueWith, chatModels } from './chat-models.ts';

it('has ten models with their context windows and capabilities', () => {
  const rows = [...chatModels.values()].map(
    ({ id, contextTokens, outputTokens, tools, vision, media, cache, stream, jsonSchema }) => {
      const can = { tools, vision, media, cache, stream, jsonSchema };
      const names = Object.entries(can).flatMap(([name, is]) => (is ? [name] : []));
      return `${id} ${contextTokens} ${outputTokens} ${names.join(' ')}`;
    },
  );
  expect(rows).toEqual([
    'alpha-5-2 400000 400000 tools vision stream jsonSchema',
    'alpha-5-pro 400000 400000 tools vision stream jsonSchema',
    'alpha-5-codex 400000 400000 tools stream jsonSchema',
    'alpha-codex 128000 128000 tools stream',
    'beta-large-4-5 200000 200000 tools vision media cache stream',
    'beta-mid-4-5 200000 200000 tools vision media cache stream',
    'beta-small-4-5 200000 200000 tools cache stream',
    'gamma-3-pro 2000000 2000000 tools vision media stream jsonSchema',
    'gamma-3-flash 1000000 1000000 tools vision stream jsonSchema',
    'delta-3 256000 256000 tools stream',
  ]);
});

it('lists configured models after its own', () => {
  const catalogue = catalogueWith([
    { id: 'plain-1', context_tokens: 8000, capabilities: [] },
    { id: 'plain-2', context_tokens: 8000, output_tokens: 500, capabilities: [] },
  ]);
  expect([...catalogue.keys()]).toEqual([...chatModels.keys(), 'plain-1', 'plain-2']);
  expect(catalogue.get('plain-1')).toEqual({
    id: 'plain-1',
    contextTokens: 8000,
    outputTokens: 8000,
    tools: false,
    vision: false,
    media: false,
    cache: false,
    stream: false,
    jsonSchema: false,
    compat: null,
  });
  expect(catalogue.get('plain-2')?.outputTokens).toBe(500);
});

it.for(allCapabilities)('gives a model the capability %s and no other', (capability) => {
  const catalogue = catalogueWith([{ id: 'x', context_tokens: 1, capabilities: [capability] }]);
  const facts = Object.values(catalogue.get('x') ?? {});
  expect(facts.filter((value) => value === true)).toHaveLength(1);
});
