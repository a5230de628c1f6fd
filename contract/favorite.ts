import Type, { type Static } from 'typebox'
import { FAVORITE_CHANGES_MAX } from './favorite-limits.ts'
import { createDateTimeSchema, createTextParameterSchema, createUuidSchema, paginationParameters, songParameter } from './input-types.ts'
import { RandomSong, Song } from './song.ts'
import { refusedChangesField } from './sync-fields.ts'

/** One addition or removal of a favorite, with its time and its device. */
export const FavoriteChange = Type.Object({
  id: createUuidSchema('Made by the device. A change that comes again is not applied again.'),
  s: Type.String({ minLength: 1, maxLength: 500, description: 'A video id or a watch URL.' }),
  favorite: Type.Boolean(),
  at: createDateTimeSchema('When it was tapped, ISO 8601, later than every state that the device knew of. What is to come counts as now.'),
  device: createUuidSchema('Breaks ties: of two devices’ taps of one time, the greater id wins.'),
})
export type FavoriteChange = Static<typeof FavoriteChange>

/** Whether a song is a favorite of the account, and since when. */
export const FavoriteState = Type.Object({
  s: Type.String(),
  favorite: Type.Boolean(),
  at: Type.String({ description: 'ISO 8601 UTC; favorites are in the order of these, the newest first.' }),
  song: Type.Optional(Song),
})
export type FavoriteState = Static<typeof FavoriteState>

export const FavoriteSyncRequest = Type.Object({
  since: Type.Optional(Type.String({ maxLength: 200, description: 'The `cursor` of the last answer; without it, all.' })),
  changes: Type.Optional(Type.Array(FavoriteChange, { maxItems: FAVORITE_CHANGES_MAX, description: 'Oldest first.' })),
})
export type FavoriteSyncRequest = Static<typeof FavoriteSyncRequest>

export const FavoriteSyncResult = Type.Object({
  cursor: Type.String(),
  whole: Type.Boolean({ description: 'What the device knew is void: `favorites` begins anew.' }),
  more: Type.Boolean({ description: 'Ask again with `cursor` at once.' }),
  favorites: Type.Array(FavoriteState, { description: 'What has changed since `since`, by this call too; each song once.' }),
  refused: refusedChangesField,
})
export type FavoriteSyncResult = Static<typeof FavoriteSyncResult>

export const favoriteEndpoints = {
  'GET /favorite/getlatest': {
    summary: "The newest of the caller's favorites.",
    tag: 'favorite',
    access: 'user',
    data: RandomSong,
  },
  'GET /favorite/get': {
    summary: "Whether a song is among the caller's favorites.",
    tag: 'favorite',
    access: 'user',
    query: Type.Object({ s: songParameter }),
    data: Type.Object({ favorite: Type.Boolean() }),
  },
  'GET /favorite/getall': {
    summary: "The caller's favorites, newest first.",
    tag: 'favorite',
    access: 'user',
    query: Type.Object(paginationParameters),
    data: Type.Array(Song),
  },
  'GET /favorite/random': {
    summary: "A playable song of the caller's favorites, each as likely as any other.",
    tag: 'favorite',
    access: 'user',
    query: Type.Object({ not: Type.Optional(createTextParameterSchema('A video id or URL that is never the answer.')) }),
    data: RandomSong,
  },
  'POST /favorite/add': {
    summary: 'Makes a song a favorite of the caller.',
    tag: 'favorite',
    access: 'user',
    body: Type.Object({ s: songParameter }),
    data: Type.Null(),
  },
  'POST /favorite/remove': {
    summary: "Takes a song out of the caller's favorites. What is not there is no error.",
    tag: 'favorite',
    access: 'user',
    body: Type.Object({ s: songParameter }),
    data: Type.Null(),
  },
  'POST /favorite/sync': {
    summary: 'Applies what a device has changed, each change once, the last tap wins, and tells what has changed since its last call.',
    tag: 'favorite',
    access: 'user',
    body: FavoriteSyncRequest,
    data: FavoriteSyncResult,
  },
} as const
