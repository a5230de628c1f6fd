/** Where the file stands in its cache. It is no address of the site. */
export const RECEIVED_PATH = '/received-file'
/** How long a file waits for someone to log in, or to open the maker. */
export const WAITS_MAX_MS = 24 * 3_600_000

const NAME = 'x-file-name'
const AT = 'x-received-at'

const AUDIO = /\.(?:mp3|wav|flac|og[ga]|opus|m4a|aac|aiff?|weba)$/i
const isAudio = ({ name, type }: { name: string; type: string }) => type.startsWith('audio/') || AUDIO.test(name)

/** Of several files the first that is audio; else the first, of which the maker says what is wrong with it. */
export const pickFile = <F extends { name: string; type: string }>(files: readonly F[]): F | undefined => files.find(isAudio) ?? files[0]

/** What stands beside a file that waits. */
export const waitingHeaders = (file: { name: string; type: string }, nowMs: number): Record<string, string> => ({
  [NAME]: encodeURIComponent(file.name),
  [AT]: String(nowMs),
  'content-type': file.type || 'application/octet-stream',
})

/** What its name was; `undefined` where it has waited for too long, by a clock that may have been set. */
export function waitingName(headers: { get(name: string): string | null }, nowMs: number): string | undefined {
  const sinceMs = Math.abs(nowMs - Number(headers.get(AT) ?? Number.NaN))
  return sinceMs <= WAITS_MAX_MS ? decodeURIComponent(headers.get(NAME) ?? '') : undefined
}
