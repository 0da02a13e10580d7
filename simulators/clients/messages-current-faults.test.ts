import { judgeClient } from './testing/judge-client.ts';
import { currentMessagesRig } from './testing/messages-rig.ts';

judgeClient(currentMessagesRig);
