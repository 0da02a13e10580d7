import { z } from 'zod';
import type { MediaRequest } from '../../requests/media/media-request.ts';
import type { Picture } from './receive-pictures.ts';

/** The answer to an image request (specification, "Image request"). */
export const imagesSchema = z.strictObject({
  created: z.int().describe('Unix seconds.'),
  data: z
    .array(
      z.strictObject({
        url: z.string().optional().describe('Where the image can be read, without a key.'),
        b64_json: z.string().optional().describe('The file in base64, when that was asked for.'),
        revised_prompt: z.string().optional().describe('What was drawn, when it is not the prompt as sent.'),
      }),
    )
    .describe('One for each image that was asked for.'),
});

/** Shows each image in the format that was requested (B-56). */
export function imagesView(
  { fields: { response_format: format, prompt } }: Pick<MediaRequest, 'fields'>,
  pictures: readonly Picture[],
  linkTo: (file: string) => string,
  nowMs: number,
): z.input<typeof imagesSchema> {
  return {
    created: Math.floor(nowMs / 1000),
    data: pictures.map(({ file, bytes, revisedPrompt }) => ({
      ...(format === 'b64_json' ? { b64_json: bytes.toString('base64') } : { url: linkTo(file.name) }),
      ...(revisedPrompt !== null && revisedPrompt !== prompt && { revised_prompt: revisedPrompt }),
    })),
  };
}
