import Type, { type Static } from 'typebox'
import { FAVORITE_CHANGES_MAX } from './favorite-limits.ts'
import { dateTime, uuid } from './input-types.ts'
import { Song } from './song.ts'

/** One addition or removal of a favorite, with its time and its device. */
export const FavoriteChange = Type.Object({
  id: uuid('Made by the device. A change that comes again is not applied again.'),
  s: Type.String({ minLength: 1, maxLength: 500, description: 'A video id or a watch URL.' }),
  favorite: Type.Boolean(),
  at: dateTime('When it was tapped, ISO 8601, later than every state that the device knew of. What is to come counts as now.'),
  device: uuid('Breaks ties: of two devices’ taps of one time, the greater id wins.'),
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

export const FavoriteSync = Type.Object({
  since: Type.Optional(Type.String({ maxLength: 200, description: 'The `cursor` of the last answer; without it, all.' })),
  changes: Type.Optional(Type.Array(FavoriteChange, { maxItems: FAVORITE_CHANGES_MAX, description: 'Oldest first.' })),
})
export type FavoriteSync = Static<typeof FavoriteSync>

export const FavoriteSyncResult = Type.Object({
  cursor: Type.String(),
  whole: Type.Boolean({ description: 'What the device knew is void: `favorites` begins anew.' }),
  more: Type.Boolean({ description: 'Ask again with `cursor` at once.' }),
  favorites: Type.Array(FavoriteState, { description: 'What has changed since `since`, by this call too; each song once.' }),
  refused: Type.Array(Type.Object({ id: Type.String(), message: Type.String() }), {
    description: 'The changes that can never be applied. All others have been, or were overtaken.',
  }),
})
export type FavoriteSyncResult = Static<typeof FavoriteSyncResult>
