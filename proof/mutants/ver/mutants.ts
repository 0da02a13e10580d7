import { editRequest } from '../../../suites/rewrite/mutation.ts';
import { pathOf, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

const chatPath = '/api/v1/chat/completions';

/** Gateways with a defect in their versions. */
export const verMutants: readonly Mutant[] = [
  front(['ver.v2-too', 'another version in the path works too', 'VER-001', 'other-version'], {
    request: (request) => ({ ...request, path: request.path.replace('/api/v2', '/api/v1') }),
  }),
  front(['ver.path-case', 'paths match in any case', 'VER-007', 'path-case'], {
    request: (request) => ({ ...request, path: request.path.toLowerCase() }),
  }),
  front(
    ['ver.slash-500', 'a slash at the end is answered 500', 'VER-007', 'variant-clean'],
    says((request) => pathOf(request) === `${chatPath}/`, refusal('internal_error')),
  ),
  front(['ver.model-case', 'model ids match in any case', 'VER-007', 'model-case'], {
    request: editRequest((body) => {
      if (typeof body.model === 'string') body.model = body.model.toLowerCase();
    }),
  }),
  front(['ver.model-latest', 'a model id works with a date after it', 'VER-005', 'other-model-version'], {
    request: editRequest((body) => {
      if (typeof body.model === 'string') body.model = body.model.replace(/-\d{4}-\d\d-\d\d$/, '');
    }),
  }),
];
