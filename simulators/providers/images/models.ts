import { z } from 'zod';
import { shapeOf } from '../../encoders/shape.ts';
import { modelOf } from '../media/model-name.ts';
import { flag, link, type NativeMembers, oneOf, seed, text } from '../media/native-members.ts';

/** A native model of this upstream. */
export interface NativeModel {
  readonly name: string;
  /** The allowed members of a request. */
  readonly members: NativeMembers;
  /** Whether it rewrites the prompt, unless the request forbids that. */
  readonly rewrites: boolean;
  /** The width and height of its images. */
  shape(asked: { readonly size?: string | undefined; readonly ratio?: string | undefined }): [number, number];
}

const ratios = ['1:1', '16:9', '9:16', '4:3', '3:4'] as const;
const wideRatios = [...ratios, '21:9'] as const;
const references = (max: number): z.ZodType => z.array(link).max(max).exactOptional();

/** The default ratio. */
const defaultRatio = '4:3';

/** The members that every model accepts. */
const common: NativeMembers = {
  model: text(),
  prompt: text(),
  count: z.int().min(1).max(4).exactOptional(),
  output: oneOf('url', 'base64').exactOptional(),
};

/** All models of this dialect, each with its additional members; any other name gets a native 404. */
const rows: readonly NativeModel[] = [
  {
    name: 'a2-image-2026-08',
    members: {
      size: oneOf('512x512', '1024x1024', '1536x1024', '1024x1536', 'auto').exactOptional(),
      quality: oneOf('low', 'medium', 'high', 'auto').exactOptional(),
    },
    rewrites: false,
    shape: ({ size = '512x512' }) => {
      const [width = 1024, height = 1024] = size === 'auto' ? [] : size.split('x').map(Number);
      return [width, height];
    },
  },
  {
    name: 'g3p-image-2026-09',
    members: { ratio: oneOf(...wideRatios).exactOptional(), seed: seed.exactOptional() },
    rewrites: false,
    shape: ({ ratio = defaultRatio }) => shapeOf(ratio, 1408),
  },
  {
    name: 'kx-pro-1',
    members: {
      ratio: oneOf(...wideRatios).exactOptional(),
      rewrite_prompt: flag.exactOptional(),
      seed: seed.exactOptional(),
      reference_images: references(1),
    },
    rewrites: true,
    shape: ({ ratio = defaultRatio }) => shapeOf(ratio, 1024),
  },
  {
    name: 'kx-max-1',
    members: {
      ratio: oneOf(...wideRatios).exactOptional(),
      seed: seed.exactOptional(),
      reference_images: references(1),
    },
    rewrites: false,
    shape: ({ ratio = defaultRatio }) => shapeOf(ratio, 2048),
  },
  {
    name: 'mg4-image-1',
    members: {
      ratio: oneOf(...ratios).exactOptional(),
      seed: seed.exactOptional(),
      reference_images: references(3),
    },
    rewrites: false,
    shape: ({ ratio = defaultRatio }) => within(ratio, 1920, 1080),
  },
  {
    name: 'dream-4-260801',
    members: {
      size: oneOf('1K', '2K', '4K').exactOptional(),
      ratio: oneOf(...ratios).exactOptional(),
      watermark: flag.exactOptional(),
    },
    rewrites: false,
    shape: ({ size = '1K', ratio = defaultRatio }) => shapeOf(ratio, 1024 * Number.parseInt(size, 10)),
  },
  {
    name: 'edit-1',
    members: { source_image: link },
    rewrites: false,
    shape: () => [1024, 1024],
  },
  {
    name: 'vector-3',
    members: { style: text(200).exactOptional() },
    rewrites: false,
    shape: () => [1024, 1024],
  },
];

const models = rows.map((row) => ({ ...row, members: { ...common, ...row.members } }));

export function findModel(name: string): NativeModel | undefined {
  return models.find((model) => model.name === modelOf(name));
}

/** The largest image of a ratio that fits the frame, in landscape or portrait orientation of the ratio. */
function within(ratio: string, longSide: number, shortSide: number): [number, number] {
  const [width, height] = shapeOf(ratio, longSide);
  const shorter = Math.min(width, height);
  return shorter <= shortSide
    ? [width, height]
    : shapeOf(ratio, Math.round((longSide * shortSide) / shorter));
}
