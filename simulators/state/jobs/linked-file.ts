import type { DialectName } from '../../answers/native-answer.ts';
import type { GeneratedFile } from '../../encoders/generated-file.ts';
import type { AppliedJobFault, Job } from './job.ts';

/** A file behind links of a tenant. */
export interface LinkedFile {
  readonly id: string;
  readonly dialect: DialectName;
  readonly channel: string;
  readonly content: GeneratedFile;
  /** The index of the output in its answer, from 0. */
  readonly index: number;
  /** The job that made it; null for an image of a synchronous call. */
  readonly job: Job | null;
  readonly appliedFault: AppliedJobFault | null;
  readonly createdAtMs: number;
  /** Whether its link differs from others only in the query. */
  readonly isInQuery: boolean;
  reads: number;
}
