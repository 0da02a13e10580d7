import { songActions } from '../../../suites/oracle/media/fields.ts';
import { objectIn } from '../../../suites/rewrite/json.ts';
import { jsonAnswer } from '../../../suites/rewrite/mutation.ts';
import {
  clamped,
  dropUnknown,
  inParams,
  inRecords,
  inSubmitted,
  isModel,
  isSubmit,
  lenient,
  without,
} from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, source } from '../../edits/mutant.ts';
import { inSongs, refusesTask, revealsForeign, takesForeign } from '../../edits/task-chain-edits.ts';
import { followUpMutants } from './follow-up-mutants.ts';

/** Gateways that are wrong about songs and their actions, and about the records of audio and video. */

const tunes: readonly Mutant[] = [
  front(
    ['song.case-folded', 'the case of action does not matter', 'SONG-005', 'outside'],
    inSongs((body) => {
      if (body.action === 'EXTEND' || body.action === 'extend ') body.action = 'extend';
    }),
  ),
  front(
    ['song.parentless', 'an action without a parent is a first song', 'SONG-024', 'needs-parent'],
    inSongs((body) => {
      if (body.action === undefined || (body.parent_task_id ?? null) !== null) return;
      if (body.parent_task_ids !== undefined || body.audio_url !== undefined) return;
      body.action = 'generate';
      delete body.parent_task_id;
      body.prompt ??= 'Something.';
    }),
  ),
  front(['song.any-parent', 'any parent will do', 'SONG-006', 'unknown-refused'], {
    answer: (answer, request) => {
      const body = objectIn(request.body) ?? {};
      const isUnknown = body.model === 'song-v5' && String(body.parent_task_id).startsWith('task_');
      return isSubmit(request) && answer.status === 400 && isUnknown && body.action === 'wav'
        ? jsonAnswer(200, { task_id: 'task_mutant', status: 'QUEUED', submit_time: new Date().toISOString() })
        : answer;
    },
  }),
  front(
    ['song.wav-prompt', 'a bare conversion is refused for its action', 'SONG-001', 'bare-as-read'],
    refusesTask(
      (body) => body.action === 'wav' && body.prompt === undefined && Object.keys(body).length === 3,
      'action',
    ),
  ),
  front(
    [
      'song.foreign-told',
      'a foreign song gets another refusal than an unknown one',
      'SONG-006',
      'foreign-like-unknown',
    ],
    revealsForeign(),
  ),
  front(
    ['song.foreign-taken', "another account's song may be a parent", 'SONG-006', 'foreign-refused'],
    takesForeign(),
  ),
  ...songActions.map(({ name, row }) =>
    front(
      [`song.no-${name}`, `the action ${name} is refused`, row, 'action-accepted'],
      refusesTask((body) => body.action === name, 'action'),
    ),
  ),
  inParams(
    ['song.action-not-forwarded', 'a persona is a cover for the upstream', 'SONG-021', 'action-forwarded'],
    ({ task }) => task === 'persona',
    (params, body) => {
      body.task = 'cover';
      delete params.personaId;
    },
  ),
  inParams(
    ['song.section-open', 'a section that is replaced has no end', 'SONG-020', 'inputs-forwarded'],
    ({ task }) => task === 'replace',
    without('sectionEnd'),
  ),
  inParams(
    ['song.other-persona', 'every persona is the same one', 'SONG-021', 'inputs-forwarded'],
    ({ task }) => task === 'persona',
    (params) => {
      params.personaId = 'persona_first';
    },
  ),
  inParams(
    ['song.link-unsigned', 'the address of an upload loses its query', 'SONG-022', 'inputs-forwarded'],
    ({ task }) => task === 'upload-extend',
    (params) => {
      params.uploadUrl = String(params.uploadUrl).split('?')[0];
    },
  ),
  front(
    ['song.stems-are-a-song', 'stems are one track', 'SONG-016', 'makes'],
    inRecords((record) => {
      if (record.action === 'stem' && Array.isArray(record.result_urls)) record.result_urls.length = 1;
    }),
  ),
  inParams(
    ['song.extended-by-more', 'a song is extended by the default length', 'SONG-010', 'lengthened'],
    ({ task }) => task === 'extend',
    (params) => {
      params.durationSec = 60;
    },
  ),
  inParams(
    ['song.mashup-order', 'the two songs of a mashup change places', 'SONG-015', 'parent-forwarded'],
    ({ task }) => task === 'mashup',
    (_, body) => {
      if (Array.isArray(body.parents)) body.parents.reverse();
    },
  ),
  front(
    ['song.not-all-four', 'a follow-up takes no duration beside a prompt', 'SONG-026', 'all-four-accepted'],
    refusesTask(
      (body) => body.parent_task_id !== undefined && body.duration === 240 && body.prompt !== undefined,
      'duration',
    ),
  ),
  front(
    ['song.same-id', 'a follow-up has the id of its parent', 'SONG-023', 'own-id'],
    inSubmitted((answer, request) => {
      const body = objectIn(request.body) ?? {};
      if (body.model === 'song-v5' && body.action === 'extend') answer.task_id = body.parent_task_id;
    }),
  ),
  front(
    ['song.first-needs-parent', 'a first song needs a parent', 'SONG-027', 'action-accepted'],
    refusesTask(
      (body) => body.model === 'song-v5' && body.action === undefined && body.parent_task_id === undefined,
      'parent_task_id',
    ),
  ),
  source(
    ['song.grandparents-lost', 'a charge knows the first task of a chain alone', 'SONG-025', 'parents-named'],
    'services/tasks/charge.ts',
    'parents: task.parents,',
    'parents: task.parents.slice(0, 1),',
  ),
];
const fields: readonly Mutant[] = [
  lenient(
    ['song.too-short', 'an extension that is too short is as short as may be', 'SONG-004', 'outside'],
    'song-v5',
    (body) => {
      if (body.action === 'extend') clamped(body, 'duration', 30, 240);
    },
  ),
  lenient(['song.lyrics-any-type', 'lyrics may be a number', 'SONG-002', 'type'], 'song-v5', (body) => {
    if (typeof body.lyrics === 'number' || typeof body.lyrics === 'boolean')
      body.lyrics = String(body.lyrics);
  }),
  lenient(['song.instrumental-text', 'instrumental may be a text', 'SONG-003', 'type'], 'song-v5', (body) => {
    if (typeof body.instrumental === 'string') body.instrumental = true;
  }),
  lenient(
    ['song.prompt-optional', 'a first song needs no prompt', 'SONG-001', 'required'],
    'song-v5',
    (body) => {
      if (body.action === undefined) body.prompt ??= 'Something.';
    },
  ),
  lenient(
    ['song.unknown-ignored', 'songs ignore unknown fields', 'SONG-008', 'unknown-refused'],
    'song-v5',
    (body) => dropUnknown(body, (name) => name.startsWith('zz_')),
  ),
  lenient(
    ['song.webhook-http', 'a song may have an http webhook_url', 'SONG-007', 'webhook-refused'],
    'song-v5',
    (body) => {
      if (String(body.webhook_url).startsWith('http:')) delete body.webhook_url;
    },
  ),
];

const song = isModel('song-5-native');

const values: readonly Mutant[] = [
  inParams(
    ['song.lyrics-dropped', 'lyrics are not passed on', 'AUD-016', 'text-whole'],
    song,
    without('lyric'),
  ),
  inParams(
    [
      'song.instrumental-left-out',
      'an omitted instrumental is left to the upstream',
      'SONG-009',
      'default-sent',
    ],
    song,
    without('makeInstrumental', (value) => value === false),
  ),
  inParams(
    ['song.follow-up-cut', 'what a follow-up wishes is cut at 1,000 characters', 'SONG-028', 'inputs-arrive'],
    song,
    (params, body) => {
      if (body.task !== 'generate' && params.prompt !== undefined)
        params.prompt = String(params.prompt).slice(0, 1_000);
    },
  ),
  source(
    [
      'song.parents-channel-unseen',
      'a follow-up goes to the best channel, wherever its parent was made',
      'SONG-024',
      'parents-channel',
    ],
    'services/tasks/start.ts',
    'const boundTo = parents.channelId ?? task.channelId;',
    'const boundTo = null as string | null;',
  ),
  source(
    [
      'song.names-the-first',
      'from its third step on a chain names its first job',
      'SONG-028',
      'exact-parent',
    ],
    'services/tasks/native-parents.ts',
    "const direct = task.parents.slice(task.action === 'mashup' ? -2 : -1);",
    "const direct = task.parents.length > 1 && task.action !== 'mashup' ? task.parents.slice(0, 1) : task.parents.slice(task.action === 'mashup' ? -2 : -1);",
  ),
];

export const songMutants: readonly Mutant[] = [...tunes, ...fields, ...followUpMutants, ...values];
