/**
 * The answer of an upstream that blocks a job or an image by its policy, in the dialects that report by status.
 */
export const blockedSubmit = {
  status: 400,
  body: {
    error: {
      message: 'Blocked.',
      type: 'invalid_request_error',
      param: null,
      code: 'content_policy_violation',
    },
  },
} as const;
