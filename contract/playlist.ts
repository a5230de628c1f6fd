import Type, { type Static } from 'typebox'
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
