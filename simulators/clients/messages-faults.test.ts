import { judgeClient } from './testing/judge-client.ts';
import { messagesRig } from './testing/messages-rig.ts';

judgeClient(messagesRig);
