import Type, { type Static } from 'typebox'
import { ADDRESS_MINUTES, type ConversionState, conversionStates, MAX_SPEED_PERCENT, MIN_SPEED_PERCENT } from './conversion-rules.ts'
import { uuid } from './input-types.ts'

const jobId = uuid('Made by the client, for the progress of the conversion.')

/** A conversion of an uploaded song on the server. */
export const ConversionStatus = Type.Object({
  state: Type.Unsafe<ConversionState>(Type.Union(conversionStates.map((state) => Type.Literal(state)))),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  file_name: Type.String({ description: 'The name of the converted file.' }),
  message: Type.Optional(Type.String({ description: 'Why it failed.' })),
  url: Type.Optional(Type.String({ description: `Where the converted file is downloaded, for ${ADDRESS_MINUTES} minutes.` })),
})
export type ConversionStatus = Static<typeof ConversionStatus>

/** The endpoints of conversions on the server, a part of the endpoint table. */
export const convertEndpoints = {
  'POST /make/convert': {
    summary: 'Changes the speed of a song on the server. Multipart, with the song as `file`. Stays open until the result: its address.',
    tag: 'make',
    access: 'subscriber',
    body: Type.Object({
      speed: Type.Number({ minimum: MIN_SPEED_PERCENT, maximum: MAX_SPEED_PERCENT, description: 'The change of the speed in percent.' }),
      format: Type.Optional(Type.Union([Type.Literal('mp3'), Type.Literal('wav')])),
      job_id: Type.Optional(jobId),
    }),
    data: Type.String(),
  },
  'GET /make/status': {
    summary: "The progress of a conversion of the caller's.",
    tag: 'make',
    access: 'subscriber',
    query: Type.Object({ job_id: jobId }),
    data: ConversionStatus,
  },
  'POST /make/cancel': {
    summary: "Stops a conversion of the caller's.",
    tag: 'make',
    access: 'subscriber',
    body: Type.Object({ job_id: jobId }),
    data: Type.Null(),
  },
} as const
