/** A job or image that the upstream's policy blocks, in the dialects that report this by status. */
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
