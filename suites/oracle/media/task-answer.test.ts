import { describe, expect, it } from 'vitest';
import { unknownIdLike } from './task-answer.ts';

describe('an unknown id', () => {
  it('has the form of its original, but differs', () => {
    expect(unknownIdLike('task_0a9fAFzZ-7')).toBe('task_0a0aBAgG-8');
    expect(unknownIdLike('3fa85f64-5717-4562-b3fc-2c963f66afa6')).toBe(
      '3fa85f64-5717-4562-b3fc-2c964a77bab7',
    );
  });
});
