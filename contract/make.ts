import Type, { type Static } from 'typebox'
import { dateTime, uuid } from './input-types.ts'

export const MakeHistoryRow = Type.Object({
  id: Type.String(),
  file_name: Type.String(),
  file_size: Type.Integer({ description: 'Bytes.' }),
  created: Type.String({ description: 'ISO 8601 UTC.' }),
  url: Type.Optional(Type.String({ description: 'Where a file that was converted on the server is downloaded, for 10 minutes.' })),
})
export type MakeHistoryRow = Static<typeof MakeHistoryRow>

/** The record of a file that the maker has exported. */
export const MadeFile = Type.Object({
  file_name: Type.String({ minLength: 1, maxLength: 255 }),
  // The largest WAV file: the 32-bit RIFF chunk size plus the 8 bytes of the chunk header.
  file_size: Type.Integer({ minimum: 1, maximum: 2 ** 32 + 7, description: 'Bytes.' }),
  speed: Type.Number({ minimum: 0.1, maximum: 2, description: 'Without the pitch.' }),
  pitch: Type.Number({ minimum: -12, maximum: 12, description: 'Semitones.' }),
  change_id: Type.Optional(uuid('Made by the client, and the row’s id then: sent again, it is the same file.')),
  exported_at: Type.Optional(dateTime('When it was made, ISO 8601; now, where that is to come or over a year ago.')),
})
export type MadeFile = Static<typeof MadeFile>

/** A row of the history of exported files, with all stored fields, for the account export. */
export const MakeHistoryExportRow = Type.Object({ ...MakeHistoryRow.properties, speed: Type.Number(), pitch: Type.Number() })
