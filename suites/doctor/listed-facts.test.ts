import { expect, it } from 'vitest';
import { listedFacts } from './listed-facts.ts';

it.each([
  [{ data: [{ id: 'm', context_length: 32_000 }] }, { context: 32_000 }],
  [{ models: [{ name: 'models/m', displayName: 'M', inputTokenLimit: 8_192 }] }, { context: 8_192 }],
  [
    { data: [{ id: 'm', supports_vision: false, supports_function_calling: true }] },
    { capabilities: ['tools', 'stream'] },
  ],
  [
    {
      data: [
        { id: 'm', supported_parameters: ['tools'], architecture: { input_modalities: ['text', 'image'] } },
      ],
    },
    { capabilities: ['tools', 'vision', 'stream'] },
  ],
  [
    { data: [{ id: 'm', capabilities: { function_calling: false, vision: true, streaming: false } }] },
    { capabilities: ['vision'] },
  ],
  [{ data: [{ id: 'm', capabilities: ['chat', 'tools'] }] }, { capabilities: ['tools', 'stream'] }],
  // Nothing is concluded from half of the words, or from odd figures.
  [{ data: [{ id: 'm', supports_vision: true }] }, undefined],
  [{ data: [{ id: 'm', context_length: 3, capabilities: ['chat'] }] }, undefined],
  [['m'], undefined],
])('reads %j', (list, facts) => {
  expect(listedFacts(list).get('m')).toEqual(facts);
});
