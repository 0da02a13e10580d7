import { contentSequences } from './content-sequences.ts';
import { framingSequences } from './framing-sequences.ts';
import { headSequences } from './head-sequences.ts';
import type { RawSequence } from './raw-sequence.ts';

/** Bytes that no HTTP client sends, each with what may come back. */
export const rawCorpus: readonly RawSequence[] = [...headSequences, ...framingSequences, ...contentSequences];
