import { z } from 'zod';
import type { JobMove, ScriptedJob } from '../control/job-shapes.ts';
import { fileForms } from '../encoders/file-form.ts';

const ms = z.number().nonnegative().max(1e12);

const errorSchema = z.strictObject({ code: z.string(), message: z.string() });

const picture = z.enum(['url', 'base64']);

const endSchema = z.enum(['success', 'failed', 'canceled']);

/** The scripted life of a job. Unknown members are rejected. */
export const scriptedJobSchema = z
  .strictObject({
    queued_ms: ms.exactOptional(),
    running_ms: ms.exactOptional(),
    hold: z.enum(['queued', 'running']).exactOptional(),
    end: endSchema.exactOptional(),
    error: errorSchema.exactOptional(),
    outputs: z.int().nonnegative().max(16).exactOptional(),
    duration_s: z.number().positive().max(3600).exactOptional(),
    retry_after_s: z.int().nonnegative().max(100_000).exactOptional(),
    link_life_ms: ms.exactOptional(),
    lost_outputs: z.array(z.int().nonnegative().max(15)).max(16).exactOptional(),
    id_tail: z.string().max(64).exactOptional(),
    file_form: z.enum(fileForms).exactOptional(),
    links_by: z.enum(['path', 'query']).exactOptional(),
    pictures_as: z.array(picture).min(1).max(16).exactOptional(),
  })
  .superRefine(({ queued_ms, running_ms, end, error }, context) => {
    if (queued_ms !== undefined && running_ms !== undefined && running_ms < queued_ms) {
      const message = 'both count from the submission: it is not before queued_ms';
      context.addIssue({ code: 'custom', path: ['running_ms'], message });
    }
    if (error !== undefined && (end ?? 'success') === 'success') {
      context.addIssue({ code: 'custom', path: ['error'], message: 'a job that succeeds has none' });
    }
  }) satisfies z.ZodType<ScriptedJob>;

/** A move of a job by hand. Unknown members are rejected. */
export const jobMoveSchema: z.ZodType<JobMove> = z
  .strictObject({
    to: z.literal('running').exactOptional(),
    end: endSchema.exactOptional(),
    error: errorSchema.exactOptional(),
  })
  .superRefine(({ to, end, error }, context) => {
    if ((to === undefined) === (end === undefined)) {
      context.addIssue({ code: 'custom', path: [], message: 'expected either to or end' });
    } else if (error !== undefined && (end ?? 'success') === 'success') {
      context.addIssue({ code: 'custom', path: ['error'], message: 'only a job that fails has one' });
    }
  }) as unknown as z.ZodType<JobMove>;
