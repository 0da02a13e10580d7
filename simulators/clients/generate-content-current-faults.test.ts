import { currentGenerateContentRig } from './testing/generate-content-rig.ts';
import { judgeClient } from './testing/judge-client.ts';

judgeClient(currentGenerateContentRig);
