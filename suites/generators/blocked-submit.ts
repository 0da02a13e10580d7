/** What an upstream answers that refuses a job or a picture by its policy, in the words of the dialects that speak by status. */
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
