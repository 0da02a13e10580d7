import { withExactNumbers } from '../json-text.ts';
import { pixelBase64 } from '../sample-images.ts';

/** Blocks of native requests, for the checks of compat path A. */

export const image = (): object => ({
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: pixelBase64,
  },
});
export const use = (id: string, input: string, name = 'look_up'): object => ({
  type: 'tool_use',
  id,
  name,
  input: withExactNumbers(input),
});
export const result = (id: string, members: object): object => ({
  type: 'tool_result',
  tool_use_id: id,
  ...members,
});
export const lookUp = { name: 'look_up', input_schema: { type: 'object', properties: {} } };
