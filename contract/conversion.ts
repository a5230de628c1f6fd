import Type, { type Static } from 'typebox'
import {
  type ConversionState,
  conversionStates,
  DOWNLOAD_URL_VALID_MINUTES,
  MAX_SPEED_PERCENT,
  MIN_SPEED_PERCENT,
} from './conversion-rules.ts'
import { createDateTimeSchema, createUuidSchema, paginationParameters } from './input-types.ts'

const jobIdSchema = createUuidSchema('Made by the client, for the progress of the conversion.')

/** A conversion of an uploaded song on the server. */
export const ConversionStatus = Type.Object({
  state: Type.Unsafe<ConversionState>(Type.Union(conversionStates.map((state) => Type.Literal(state)))),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  file_name: Type.String({ description: 'The name of the converted file.' }),
  message: Type.Optional(Type.String({ description: 'Why it failed.' })),
  url: Type.Optional(Type.String({ description: `Where the converted file is downloaded, for ${DOWNLOAD_URL_VALID_MINUTES} minutes.` })),
})
export type ConversionStatus = Static<typeof ConversionStatus>

export const ConversionHistoryRow = Type.Object({
  id: Type.String(),
  file_name: Type.String(),
  file_size: Type.Integer({ description: 'Bytes.' }),
  created: Type.String({ description: 'ISO 8601 UTC.' }),
  speed: Type.Optional(Type.Number({ description: 'Without the pitch.' })),
  pitch: Type.Optional(Type.Number({ description: 'Semitones.' })),
  url: Type.Optional(Type.String({ description: 'Where a file that was converted on the server is downloaded, for 10 minutes.' })),
})
export type ConversionHistoryRow = Static<typeof ConversionHistoryRow>

/** The record of a file that the maker has exported. */
export const ExportedFileRecord = Type.Object({
  file_name: Type.String({ minLength: 1, maxLength: 255 }),
  // The maximum size of a WAV file: the largest 32-bit RIFF chunk size plus the 8 bytes of the chunk header.
  file_size: Type.Integer({ minimum: 1, maximum: 2 ** 32 + 7, description: 'Bytes.' }),
  speed: Type.Number({ minimum: 0.1, maximum: 2, description: 'Without the pitch.' }),
  pitch: Type.Number({ minimum: -12, maximum: 12, description: 'Semitones.' }),
  change_id: Type.Optional(createUuidSchema('Made by the client, and the row’s id then: sent again, it is the same file.')),
  exported_at: Type.Optional(createDateTimeSchema('When it was made, ISO 8601; now, where that is to come or over a year ago.')),
})
export type ExportedFileRecord = Static<typeof ExportedFileRecord>

/** A file of the history with all stored fields, as the account export returns it. */
export const FullConversionHistoryRow = Type.Object({ ...ConversionHistoryRow.properties, speed: Type.Number(), pitch: Type.Number() })

export const conversionEndpoints = {
  'GET /make/history': {
    summary: 'The files that the caller made, newest first: the newest 1,000 of them.',
    tag: 'make',
    access: 'subscriber',
    query: Type.Object(paginationParameters),
    data: Type.Array(ConversionHistoryRow),
  },
  'POST /make/history': {
    summary: 'Records a file that the maker in the browser has written. Nothing of its sound is sent.',
    tag: 'make',
    access: 'subscriber',
    body: ExportedFileRecord,
    data: ConversionHistoryRow,
  },
  'POST /make/convert': {
    summary: 'Changes the speed of a song on the server. Multipart, with the song as `file`. Stays open until the result: its address.',
    tag: 'make',
    access: 'subscriber',
    body: Type.Object({
      speed: Type.Number({ minimum: MIN_SPEED_PERCENT, maximum: MAX_SPEED_PERCENT, description: 'The change of the speed in percent.' }),
      format: Type.Optional(Type.Union([Type.Literal('mp3'), Type.Literal('wav')])),
      job_id: Type.Optional(jobIdSchema),
    }),
    data: Type.String(),
  },
  'GET /make/status': {
    summary: "The progress of a conversion of the caller's.",
    tag: 'make',
    access: 'subscriber',
    query: Type.Object({ job_id: jobIdSchema }),
    data: ConversionStatus,
  },
  'POST /make/cancel': {
    summary: "Stops a conversion of the caller's.",
    tag: 'make',
    access: 'subscriber',
    body: Type.Object({ job_id: jobIdSchema }),
    data: Type.Null(),
  },
} as const
