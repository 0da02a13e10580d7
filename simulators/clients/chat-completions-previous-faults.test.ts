import { previousChatCompletionsRig } from './testing/chat-completions-rig.ts';
import { judgeClient } from './testing/judge-client.ts';

judgeClient(previousChatCompletionsRig);
