import Type, { type Static } from 'typebox'
import { ARTIST_NAME_MAX_LENGTH, FOLLOW_CHANGES_MAX, FOLLOWS_MAX } from './follow-rules.ts'
import { createDateTimeSchema, createUuidSchema } from './input-types.ts'
import { Song } from './song.ts'
import { latestChangeTimeField, refusedChangesField } from './sync-fields.ts'

const artistNameSchema = Type.String({
  minLength: 1,
  maxLength: ARTIST_NAME_MAX_LENGTH,
  // PostgreSQL rejects texts with a zero byte.
  pattern: '^[^\\u0000]+$',
  description: 'The name of an artist. Names that differ only in case, accents or signs are one artist.',
})

const pushEndpointSchema = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '^https://[!-~]+$',
  description: 'The address at the push service of a browser, which only the browser and the site know.',
})

/** One change of whether an artist is followed, with its time and its device. */
export const FollowChange = Type.Object({
  id: createUuidSchema('Made by the device. A change that comes again is not applied again.'),
  artist: artistNameSchema,
  follow: Type.Boolean(),
  at: createDateTimeSchema(
    'When it was made, ISO 8601, later than the `latest` of all results that the device knew of. What is to come counts as now.',
  ),
  device: createUuidSchema('Breaks ties: of two devices’ changes of one time, the greater id wins.'),
})
export type FollowChange = Static<typeof FollowChange>

/** An artist that an account follows. */
export const FollowedArtist = Type.Object({
  artist: Type.String({ description: 'The name, as the device wrote it.' }),
  at: Type.String({ description: 'Since when, ISO 8601 UTC.' }),
})
export type FollowedArtist = Static<typeof FollowedArtist>

export const FollowSyncRequest = Type.Object({
  since: Type.Optional(Type.String({ maxLength: 200, description: 'The `cursor` of the last answer.' })),
  changes: Type.Optional(Type.Array(FollowChange, { maxItems: FOLLOW_CHANGES_MAX, description: 'Oldest first.' })),
})
export type FollowSyncRequest = Static<typeof FollowSyncRequest>

export const FollowSyncResult = Type.Object({
  cursor: Type.String({ description: 'Another one after each change.' }),
  artists: Type.Optional(Type.Array(FollowedArtist, { description: 'All followed artists. Missing where `since` is `cursor`.' })),
  latest: latestChangeTimeField,
  refused: refusedChangesField,
})
export type FollowSyncResult = Static<typeof FollowSyncResult>

export const followEndpoints = {
  'POST /follow/sync': {
    summary: 'Applies what a device has changed in the followed artists, each change once, the last change wins, and tells all of them.',
    tag: 'follow',
    access: 'user',
    body: FollowSyncRequest,
    data: FollowSyncResult,
  },
  'POST /follow/songs': {
    summary: 'The newest 100 songs of the named artists, the newest first.',
    tag: 'follow',
    access: 'public',
    body: Type.Object({ artists: Type.Array(artistNameSchema, { maxItems: FOLLOWS_MAX }) }),
    data: Type.Array(Song),
  },
  'GET /follow/push_key': {
    summary: "The site's public key for notifications of new songs (RFC 8292); empty where the site sends none.",
    tag: 'follow',
    access: 'public',
    data: Type.Object({ key: Type.String() }),
  },
  'POST /follow/push': {
    summary: 'Sends notifications of new songs of followed artists to a browser of the caller, one a day at most.',
    tag: 'follow',
    access: 'user',
    body: Type.Object({
      endpoint: pushEndpointSchema,
      p256dh: Type.String({ maxLength: 87, pattern: '^[\\w-]{87}$', description: "The browser's public key." }),
      auth: Type.String({ maxLength: 22, pattern: '^[\\w-]{22}$', description: "The browser's secret." }),
    }),
    data: Type.Null(),
  },
  'POST /follow/end_push': {
    summary: 'Sends no more notifications to a browser. What is no such address is ignored.',
    tag: 'follow',
    access: 'public',
    body: Type.Object({ endpoint: pushEndpointSchema }),
    data: Type.Null(),
  },
} as const
