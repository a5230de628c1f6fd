import Type, { type Static } from 'typebox'

/** A song of the catalogue. Dates are ISO 8601 UTC; `duration` is in seconds and absent if unknown. */
export const Song = Type.Object({
  youtube_id: Type.String(),
  youtube_url: Type.String({ description: 'The full watch URL.' }),
  title: Type.String(),
  author_name: Type.String(),
  author_channel_id: Type.Optional(Type.String()),
  category_id: Type.String(),
  category_name: Type.String(),
  date_added: Type.String(),
  duration: Type.Optional(Type.Integer()),
  new: Type.Union([Type.Literal('true'), Type.Literal('false')]),
})
export type Song = Static<typeof Song>

/** A song with its neighbours in the requested context: a playlist or a category. */
export const SongDetail = Type.Object({
  ...Song.properties,
  description: Type.String(),
  context_id: Type.String({ description: 'The playlist or category that next and previous were taken from.' }),
  context_title: Type.String(),
  first_song: Type.String(),
  next: Type.String({ description: 'After the last song this is first_song.' }),
  next_title: Type.String(),
  previous: Type.Optional(Type.String({ description: 'Absent for the first song.' })),
  favorite: Type.Boolean(),
})
export type SongDetail = Static<typeof SongDetail>

export const RandomSong = Type.Object({
  youtube_id: Type.String(),
  youtube_url: Type.String(),
  title: Type.String(),
  category_id: Type.String(),
})
export type RandomSong = Static<typeof RandomSong>
