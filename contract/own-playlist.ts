import Type, { type Static } from 'typebox'
import { createDateTimeSchema, createUuidSchema, paginationParameters } from './input-types.ts'
import {
  ENTRIES_PER_CHANGE_MAX,
  ENTRY_POSITION_MAX_LENGTH,
  FIND_VIDEO_IDS_MAX,
  MATCH_SONG_NAMES_MAX,
  MATCH_VIDEO_IDS_MAX,
  OWN_PLAYLIST_CHANGES_MAX,
  PLAYLIST_DESCRIPTION_MAX_LENGTH,
  PLAYLIST_TITLE_MAX_LENGTH,
} from './own-playlist-rules.ts'
import { Song } from './song.ts'
import { latestChangeTimeField, refusedChangesField } from './sync-fields.ts'

const unsearchedVideosField = Type.Optional(
  Type.Object(
    { ids: Type.Array(Type.String()), reason: Type.String({ description: 'A message for the person.' }) },
    { description: 'The videos that were not looked up, because a limit of a day is reached or YouTube does not answer.' },
  ),
)

/**
 * A change of one entry. With `s` and `position`, it adds the entry. Without them, it changes an entry of the playlist, and does nothing if the
 * playlist has no such entry.
 */
export const OwnPlaylistEntryChange = Type.Object({
  e: createUuidSchema('The entry. Its id is made by the device, because a song may be in a playlist more than once.'),
  s: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'A video id or a watch URL, in the change that adds the entry.' }),
  ),
  position: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: ENTRY_POSITION_MAX_LENGTH,
      pattern: '^[0-9A-Za-z]+$',
      description: 'Entries are in the order of these texts by code points, at equal positions in the order of their ids.',
    }),
  ),
  removed: Type.Optional(Type.Boolean({ description: 'Whether the entry is taken out; with `false`, it is put back.' })),
})
export type OwnPlaylistEntryChange = Static<typeof OwnPlaylistEntryChange>

/**
 * A change of one own playlist, which is applied as a whole, without the songs that the catalogue lacks, or not at all. The first change of a playlist must
 * contain the title.
 */
export const OwnPlaylistChange = Type.Object({
  id: createUuidSchema('Made by the device. A change that comes again is not applied again.'),
  at: createDateTimeSchema(
    'When it was made, ISO 8601, later than the `latest` of all results that the device knew of. What is to come counts as now.',
  ),
  device: createUuidSchema('Breaks ties: of two devices’ changes of one time, the greater id wins.'),
  l: createUuidSchema('The playlist, whose id is made by the device.'),
  title: Type.Optional(Type.String({ minLength: 1, maxLength: PLAYLIST_TITLE_MAX_LENGTH })),
  description: Type.Optional(Type.String({ maxLength: PLAYLIST_DESCRIPTION_MAX_LENGTH })),
  deleted: Type.Optional(Type.Boolean({ description: 'With `false`, a playlist that was deleted in the last 30 days is restored.' })),
  entries: Type.Optional(Type.Array(OwnPlaylistEntryChange, { maxItems: ENTRIES_PER_CHANGE_MAX })),
})
export type OwnPlaylistChange = Static<typeof OwnPlaylistChange>

/** A stored own playlist. */
export const OwnPlaylistState = Type.Object({
  l: Type.String(),
  title: Type.String(),
  description: Type.String(),
  deleted: Type.Boolean({ description: 'Its entries are stored for 30 days.' }),
  deleted_at: Type.Optional(Type.String({ description: 'When the server received the deletion, ISO 8601 UTC.' })),
  at: Type.String({ description: 'When it was created, ISO 8601 UTC.' }),
  share: Type.Optional(
    Type.Object(
      { token: Type.String({ description: 'The parameter `l` of its public page.' }), indexed: Type.Boolean() },
      { description: 'Missing for a private playlist.' },
    ),
  ),
  hidden: Type.Optional(Type.String({ description: 'Why an admin has hidden its public page. Missing where none has.' })),
})
export type OwnPlaylistState = Static<typeof OwnPlaylistState>

/** A stored entry of an own playlist. */
export const OwnPlaylistEntryState = Type.Object({
  l: Type.String(),
  e: Type.String(),
  s: Type.String(),
  position: Type.String(),
  removed: Type.Boolean(),
  at: Type.String({ description: 'When it was added, ISO 8601 UTC.' }),
})
export type OwnPlaylistEntryState = Static<typeof OwnPlaylistEntryState>

export const OwnPlaylistSyncRequest = Type.Object({
  since: Type.Optional(Type.String({ maxLength: 200, description: 'The `cursor` of the last answer; without it, all.' })),
  changes: Type.Optional(
    Type.Array(OwnPlaylistChange, {
      maxItems: OWN_PLAYLIST_CHANGES_MAX,
      description: 'Oldest first, with at most 1,000 entries together.',
    }),
  ),
})
export type OwnPlaylistSyncRequest = Static<typeof OwnPlaylistSyncRequest>

export const OwnPlaylistSyncResult = Type.Object({
  cursor: Type.String(),
  latest: latestChangeTimeField,
  whole: Type.Boolean({ description: 'What the device knew is void: `playlists` and `entries` begin anew.' }),
  more: Type.Boolean({ description: 'Ask again with `cursor` at once.' }),
  playlists: Type.Array(OwnPlaylistState, {
    description: 'The playlists that have changed since `since`, by this call too; with `more`, the next answer has them again.',
  }),
  entries: Type.Array(OwnPlaylistEntryState, {
    description: 'The entries that have changed since `since`. Removed ones are missing where `whole` is true.',
  }),
  songs: Type.Array(Song, {
    description: 'The songs of `entries`, each once: of the catalogue, or videos that were looked up for playlists.',
  }),
  refused: refusedChangesField,
})
export type OwnPlaylistSyncResult = Static<typeof OwnPlaylistSyncResult>

/** An own playlist as its public page shows it. */
const SharedPlaylist = Type.Object({
  title: Type.String(),
  description: Type.String(),
  song_count: Type.Integer(),
  owner: Type.Optional(Type.String({ description: "The name of the owner's website. Missing where visitors see none." })),
  songs: Type.Array(Song),
})

const shareTokenSchema = Type.String({ minLength: 1, maxLength: 100, description: 'The token of a shared playlist.' })

/** The title and artist of a song in a file of another program, by which the song is found in the catalogue. */
const ImportedSongName = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 300 }),
  artist: Type.Optional(Type.String({ maxLength: 300, description: 'One or several names.' })),
})
export type ImportedSongName = Static<typeof ImportedSongName>

/** An entry of a YouTube playlist. */
export const YoutubePlaylistItem = Type.Object({
  s: Type.String({ description: 'A video id.' }),
  title: Type.String(),
  author: Type.String({ description: 'The name of its channel; empty for a deleted or private video.' }),
})
export type YoutubePlaylistItem = Static<typeof YoutubePlaylistItem>

export const ownPlaylistEndpoints = {
  'POST /list/sync': {
    summary:
      'Applies what a device has changed in own playlists, each change once, the last change of a value wins, and tells what has changed.',
    tag: 'list',
    access: 'user',
    body: OwnPlaylistSyncRequest,
    data: OwnPlaylistSyncResult,
  },
  'POST /list/share': {
    summary: "Makes one of the caller's playlists public or private. Each time it becomes public, its address is a new one.",
    tag: 'list',
    access: 'user',
    body: Type.Object({
      l: createUuidSchema('The playlist.'),
      share: Type.Boolean(),
      indexed: Type.Optional(Type.Boolean({ description: 'Whether search engines may list it; not by default.' })),
    }),
    data: Type.Object({ token: Type.String({ description: 'Empty for a private playlist.' }) }),
  },
  'GET /list/get': {
    summary: 'A playlist that its owner shares, with its songs in order. 404 once it is private, hidden or deleted.',
    tag: 'list',
    access: 'public',
    query: Type.Object({ l: shareTokenSchema, ...paginationParameters }),
    data: SharedPlaylist,
  },
  'POST /list/report': {
    summary: 'Reports a shared playlist to the admins of the site.',
    tag: 'list',
    access: 'public',
    body: Type.Object({ l: shareTokenSchema, reason: Type.String({ minLength: 1, maxLength: 500 }) }),
    data: Type.Null(),
  },
  'POST /list/match': {
    summary: 'The songs of the catalogue that have one of the ids, or that are the likeliest to be what a name means.',
    tag: 'list',
    access: 'public',
    body: Type.Object({
      ids: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 11 }), { maxItems: MATCH_VIDEO_IDS_MAX, description: 'Video ids.' }),
      ),
      names: Type.Optional(Type.Array(ImportedSongName, { maxItems: MATCH_SONG_NAMES_MAX })),
    }),
    data: Type.Object({
      songs: Type.Array(Song, { description: 'Each once, in any order.' }),
      found: Type.Array(Type.String(), { description: 'For each of `names` the id of its song; empty where the catalogue has none.' }),
      takes_videos: Type.Boolean({
        description: 'Whether playlists may have videos that the catalogue lacks: those of `/list/find-videos`.',
      }),
    }),
  },
  'POST /list/find-videos': {
    summary:
      'Looks up videos that the catalogue lacks, so that playlists can have them. 404 where the site does not allow it, which is the default.',
    tag: 'list',
    access: 'user',
    body: Type.Object({
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 11 }), { maxItems: FIND_VIDEO_IDS_MAX, description: 'Video ids.' }),
    }),
    data: Type.Object({
      songs: Type.Array(Song, { description: 'Those that can be played here, each once; songs of the catalogue are not among them.' }),
      unsearched: unsearchedVideosField,
    }),
  },
  'POST /list/import-youtube': {
    summary: 'Reads a playlist of YouTube, 250 entries at a time, and which of its songs the catalogue has.',
    tag: 'list',
    access: 'user',
    body: Type.Object({
      url: Type.String({ minLength: 1, maxLength: 500, description: 'The address of a public playlist, or its id.' }),
      page: Type.Optional(Type.String({ maxLength: 500, pattern: '^[\\w=-]+$', description: 'The `next` of the answer before.' })),
    }),
    data: Type.Object({
      title: Type.String(),
      items: Type.Array(YoutubePlaylistItem, { description: 'In their order.' }),
      songs: Type.Array(Song, {
        description:
          'The songs of `items` that the catalogue has, and where playlists may have videos, the videos of the others, each once.',
      }),
      unsearched: unsearchedVideosField,
      next: Type.Optional(Type.String({ description: 'Missing at the end of the playlist.' })),
    }),
  },
} as const
