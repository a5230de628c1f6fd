import Type, { type Static } from 'typebox'
import { createTextParameterSchema, paginationParameters } from './input-types.ts'
import { Song } from './song.ts'

export const Playlist = Type.Object({
  id: Type.String(),
  title: Type.String(),
  category_id: Type.String(),
  category_name: Type.String(),
  description: Type.String(),
  description_url: Type.String(),
  youtube_url: Type.String({ description: "The first song's watch URL; empty where there are no songs." }),
  special: Type.Boolean(),
  image_url: Type.String({ description: 'A picture on our own origin.' }),
  thumbnail: Type.String({ description: "The first song's thumbnail on our own origin." }),
  url: Type.String({ description: 'The path of its page.' }),
  song_count: Type.Integer(),
  duration: Type.Optional(Type.Integer({ description: 'Seconds, the sum of the known durations.' })),
})
export type Playlist = Static<typeof Playlist>

export const PlaylistWithSongs = Type.Object({ playlist: Playlist, songs: Type.Array(Song) })
export type PlaylistWithSongs = Static<typeof PlaylistWithSongs>

export const playlistEndpoints = {
  'GET /playlist/all': {
    summary: 'All playlists by popularity, or by title with `order`; with `home=true` those of the home page.',
    tag: 'playlist',
    access: 'public',
    query: Type.Object({
      home: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
      order: Type.Optional(Type.Union([Type.Literal('ASC'), Type.Literal('DESC')])),
      ...paginationParameters,
    }),
    data: Type.Array(Playlist),
  },
  'GET /playlist/explore': {
    summary: 'Twelve playlists, different on each call.',
    tag: 'playlist',
    access: 'public',
    data: Type.Array(Playlist),
  },
  'GET /playlist/get': {
    summary: 'A playlist, or a category as one, with its songs in order.',
    tag: 'playlist',
    access: 'public',
    query: Type.Object({ p: createTextParameterSchema('A playlist id, else a category id.'), ...paginationParameters }),
    data: PlaylistWithSongs,
  },
} as const
