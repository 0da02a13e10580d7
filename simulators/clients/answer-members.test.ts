import { expect, it } from 'vitest';
import { answerMembers } from './testing/answer-members.ts';
import { RequestTypes } from './testing/request-types.ts';

it('matches the list of members that the installed clients declare for answers', async () => {
  const types = new RequestTypes();
  const listed = answerMembers(types);
  types.close();
  await expect(listed).toMatchFileSnapshot('../../fixtures/clients/answer-members.txt');
});
