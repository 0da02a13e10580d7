import { chatCompletionsRig, previousChatCompletionsRig } from './chat-completions-rig.ts';
import type { ClientRig } from './client-rig.ts';
import { currentGenerateContentRig, generateContentRig } from './generate-content-rig.ts';
import { currentMessagesRig, messagesRig } from './messages-rig.ts';

/** Two major versions of each client. */
export const allRigs: readonly ClientRig[] = [
  chatCompletionsRig,
  previousChatCompletionsRig,
  messagesRig,
  currentMessagesRig,
  generateContentRig,
  currentGenerateContentRig,
];
