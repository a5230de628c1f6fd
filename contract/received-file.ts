import { isAudioFile } from './audio-files.ts'

/** The cache key under which a received file is stored. No page or endpoint has this path. */
export const RECEIVED_FILE_KEY = '/received-file'
/** How long a received file is stored if the maker does not open it. */
export const RECEIVED_FILE_MAX_AGE_MS = 24 * 3_600_000

const NAME_HEADER = 'x-file-name'
const RECEIVED_AT_HEADER = 'x-received-at'

/** Returns the first audio file, or the first file if none is audio: the maker then reports why the file cannot be opened. */
export const pickReceivedFile = <F extends { name: string; type: string }>(files: readonly F[]): F | undefined =>
  files.find((file) => file.type.startsWith('audio/') || isAudioFile(file)) ?? files[0]

/** Returns the headers under which a received file is cached: its encoded name, the time and its type. */
export const createReceivedFileHeaders = (receivedFile: { name: string; type: string }, nowMs: number): Record<string, string> => ({
  [NAME_HEADER]: encodeURIComponent(receivedFile.name),
  [RECEIVED_AT_HEADER]: String(nowMs),
  'content-type': receivedFile.type || 'application/octet-stream',
})

/** Returns the name of a cached received file; `undefined` if the file has expired. Tolerates a clock that was set back. */
export function readReceivedFileName(headers: { get(name: string): string | null }, nowMs: number): string | undefined {
  const ageMs = Math.abs(nowMs - Number(headers.get(RECEIVED_AT_HEADER) ?? Number.NaN))
  return ageMs <= RECEIVED_FILE_MAX_AGE_MS ? decodeURIComponent(headers.get(NAME_HEADER) ?? '') : undefined
}
