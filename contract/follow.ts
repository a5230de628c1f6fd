import Type, { type Static } from 'typebox'
import { ARTIST_NAME_MAX_LENGTH, FOLLOW_CHANGES_MAX, FOLLOWS_MAX } from './follow-rules.ts'
import { dateTime, uuid } from './input-types.ts'
import { Song } from './song.ts'

const artistName = Type.String({
  minLength: 1,
  maxLength: ARTIST_NAME_MAX_LENGTH,
  // PostgreSQL rejects texts with a zero byte.
  pattern: '^[^\\u0000]+$',
  description: 'The name of an artist. Names that differ only in case, accents or signs are one artist.',
})

/** One change of whether an artist is followed, with its time and its device. */
export const FollowChange = Type.Object({
  id: uuid('Made by the device. A change that comes again is not applied again.'),
  artist: artistName,
  follow: Type.Boolean(),
  at: dateTime(
    'When it was made, ISO 8601, later than the `latest` of all results that the device knew of. What is to come counts as now.',
  ),
  device: uuid('Breaks ties: of two devices’ changes of one time, the greater id wins.'),
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
  latest: Type.Optional(
    Type.String({
      description: 'The time of the latest stored change, ISO 8601 UTC: a device dates its next change later. Missing where there is none.',
    }),
  ),
  refused: Type.Array(Type.Object({ id: Type.String(), message: Type.String() }), {
    description: 'The changes that can never be applied. All others have been, or were overtaken.',
  }),
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
    body: Type.Object({ artists: Type.Array(artistName, { maxItems: FOLLOWS_MAX }) }),
    data: Type.Array(Song),
  },
} as const
