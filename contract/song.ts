import Type, { type Static } from 'typebox'
import {
  changeIdParameter,
  createDateTimeSchema,
  createTextParameterSchema,
  paginationParameters,
  playContextParameter,
  searchTextParameter,
  songParameter,
} from './input-types.ts'
import { RELATED_EXCLUSIONS_MAX } from './song-rules.ts'

/** A song of the catalogue, or a video that is in own playlists only. Dates are ISO 8601 UTC; `duration` is in seconds and absent if unknown. */
export const Song = Type.Object({
  youtube_id: Type.String(),
  youtube_url: Type.String({ description: 'The full watch URL.' }),
  title: Type.String(),
  author_name: Type.String(),
  author_channel_id: Type.Optional(Type.String()),
  category_id: Type.String({ description: 'Empty, as its name is, for a video in own playlists that is no song of the catalogue.' }),
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

const EXCLUSIONS_MAX_LENGTH = RELATED_EXCLUSIONS_MAX * 12

export const songEndpoints = {
  'GET /song/search': {
    summary: 'Songs whose title or author has every word of `s`, by word prefix or, from 3 letters, anywhere.',
    tag: 'song',
    access: 'public',
    query: Type.Object({
      s: searchTextParameter,
      type: Type.Optional(Type.Literal('artist', { description: 'Match the author only, exact names first.' })),
      orderBy: Type.Optional(Type.Union([Type.Literal('title'), Type.Literal('date_added')])),
      orderDir: Type.Optional(Type.Union([Type.Literal('ASC'), Type.Literal('DESC')])),
      ...paginationParameters,
    }),
    data: Type.Array(Song),
  },
  'GET /song/get': {
    summary: 'One song, with the next and previous of its context.',
    tag: 'song',
    access: 'optional',
    query: Type.Object({ s: songParameter, p: Type.Optional(playContextParameter) }),
    data: SongDetail,
  },
  'GET /song/related': {
    summary: 'Other playable songs of the same artist, then of the same category.',
    tag: 'song',
    access: 'public',
    query: Type.Object({
      s: songParameter,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'The most songs; 6 by default.' })),
      artist_limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 20, description: 'The most songs that are listed for their artist; `limit` by default.' }),
      ),
      not: Type.Optional(
        Type.String({
          description: `Video ids, separated by commas, that are never in the answer; the first ${RELATED_EXCLUSIONS_MAX} count.`,
          maxLength: EXCLUSIONS_MAX_LENGTH,
        }),
      ),
    }),
    data: Type.Array(Song),
  },
  'GET /song/random': {
    summary: 'A playable song of `p`, or of all, each as likely as any other.',
    tag: 'song',
    access: 'optional',
    query: Type.Object({
      p: Type.Optional(playContextParameter),
      not: Type.Optional(createTextParameterSchema('A video id or URL that is never the answer.')),
    }),
    data: RandomSong,
  },
  'POST /song/play': {
    summary: 'Counts a play when it arrives: once an hour for a client and song, or once a day if it happened an hour or more before.',
    tag: 'song',
    access: 'public',
    body: Type.Object({
      s: songParameter,
      p: Type.Optional(playContextParameter),
      change_id: changeIdParameter,
      played_at: Type.Optional(createDateTimeSchema('When it was played, ISO 8601; now, where that is to come or over a year ago.')),
      duration: Type.Optional(
        Type.Number({ minimum: 0, description: "The video's length in seconds, as its player states it, for a song of unknown length." }),
      ),
    }),
    data: Type.Null(),
  },
  'POST /song/unplayable': {
    summary: "A client's player reports a video that cannot play. It counts from a client that was given the song, 20 times a day.",
    tag: 'song',
    access: 'public',
    body: Type.Object({ s: songParameter, reason: Type.String({ minLength: 1, maxLength: 200 }) }),
    data: Type.Null(),
  },
} as const
