import { z } from 'zod';

/** How a run starts a deployment, from containers or as a process, and ends it afterwards. */

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const ready = z
  .strictObject({
    path: z
      .string()
      .startsWith('/')
      .optional()
      .describe('a path that answers 2xx once the deployment is ready'),
    seconds: z.int().min(1).max(3600).default(120).describe('how long to wait for it'),
  })
  .prefault({});

/** When a deployment that a run starts may be judged. */
export type Ready = z.infer<typeof ready>;

const imageOnly = ['command', 'files'] as const;

export const container = z
  .strictObject({
    image: z.string().min(1).optional().describe('the image of one container'),
    compose: z.string().min(1).optional().describe('path of a compose file, from the folder of the profile'),
    environment: z
      .record(z.string(), text)
      .default({})
      .describe('variables of the container, or those that the compose file names'),
    command: z.array(text).optional().describe('arguments after the entry point of the image'),
    files: z
      .record(z.string().startsWith('/'), z.string().min(1))
      .default({})
      .describe('path within the container to a file, named from the folder of the profile'),
    ready,
    profile: z
      .strictObject({
        service: z.string().min(1).describe('the service of the compose file'),
        file: z.string().startsWith('/').describe('the path in its container'),
      })
      .optional()
      .describe('the rest of this profile, for a deployment that makes its own keys'),
  })
  .refine((one) => (one.image === undefined) !== (one.compose === undefined), {
    message: 'needs an image or a compose file, and not both',
  })
  .refine((one) => one.compose === undefined || imageOnly.every((name) => isEmpty(one[name])), {
    message: 'command and files belong to an image: a compose file says them itself',
  })
  .refine((one) => one.compose !== undefined || one.profile === undefined, {
    path: ['profile'],
    message: 'belongs to a compose file, whose service it names',
  });

export const processSection = z.strictObject({
  command: z.array(text).min(1).describe('the program, and its arguments'),
  environment: z.record(z.string(), text).default({}).describe('its variables, besides your own'),
  directory: z.string().min(1).default('.').describe('where it runs, from the folder of the profile'),
  ready,
});

/** The process that a run starts, as declared. */
export type ProcessSection = z.infer<typeof processSection>;

function isEmpty(given: object | undefined): boolean {
  return given === undefined || Object.keys(given).length === 0;
}

/** The containers that a run starts, as declared. */
export type ContainerSection = z.infer<typeof container>;

/** The name of a profile's only container in addresses. */
export const soleContainer = 'container';
