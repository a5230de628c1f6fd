import Type, { type Static } from 'typebox'
import { createTextParameterSchema, songParameter } from './input-types.ts'

/** A song of a station's programme with its start time. */
const StationSong = {
  youtube_id: Type.String(),
  title: Type.String(),
  author_name: Type.String(),
  start_time: Type.String({ description: 'When the song starts, ISO 8601 UTC with milliseconds.' }),
  duration: Type.Integer({ description: 'The length in seconds.' }),
}
export const RadioAiring = Type.Object(StationSong)
export type RadioAiring = Static<typeof RadioAiring>

export const stations = ['main', 'newcomers'] as const
export type Station = (typeof stations)[number]

/** The programme of a station: the song that is playing, and those before and after it. */
export const RadioProgramme = Type.Object({
  ...StationSong,
  youtube_url: Type.String({ description: 'The full watch URL.' }),
  category_id: Type.String(),
  category_name: Type.String(),
  server_time: Type.String({ description: 'The time of the server at its answer, ISO 8601 UTC with milliseconds.' }),
  listeners: Type.Optional(
    Type.Integer({
      description:
        'The clients that asked for the station in the last 15 s, where the site shows their number. Not part of the ETag; a 304 has it in `X-Listeners` only.',
    }),
  ),
  station: Type.Union([Type.Literal('main'), Type.Literal('newcomers')], {
    description: 'The station that plays: the main one where the other has no songs.',
  }),
  next: RadioAiring,
  upcoming: Type.Array(RadioAiring, { description: 'The next 5 songs, the first of which is `next`.' }),
  history: Type.Array(RadioAiring, { description: 'The last 20 songs before, newest first.' }),
})
export type RadioProgramme = Static<typeof RadioProgramme>

const newcomersParameter = Type.Optional(createTextParameterSchema('Any text that is not empty selects the station of the newcomers.'))

export const radioEndpoints = {
  'GET /radio/get': {
    summary: 'What the radio plays.',
    tag: 'radio',
    access: 'public',
    query: Type.Object({
      newcomers_id: newcomersParameter,
      listening: Type.Optional(
        Type.Union([Type.Literal('true'), Type.Literal('false')], { description: 'With `false` the client is not counted as a listener.' }),
      ),
    }),
    data: RadioProgramme,
  },
  'GET /radio/setnewsong': {
    summary: 'What the radio plays after `s` has ended. The song changes only when its time is up, whoever asks.',
    tag: 'radio',
    access: 'public',
    query: Type.Object({ s: Type.Optional(songParameter), newcomers_id: newcomersParameter }),
    data: RadioProgramme,
  },
} as const
