import { toSongName } from '../../contract/file-name.ts'
import {
  type ExportFormat,
  type ExportOptions,
  type LoadedSound,
  type MakerSettings,
  type OutputOptions,
  PROJECT_FILE_EXTENSION,
} from './engine.ts'
import { toPlaybackRate } from './render-settings.ts'

/** The properties of a sound that its file names contain. */
export type NamedSound = Pick<LoadedSound, 'name' | 'title' | 'artist' | 'album' | 'year'>
type FileNameOptions = (Pick<OutputOptions, 'namePattern'> & Pick<ExportOptions, 'isLoop'>) | undefined

/**
 * Returns the name of the exported file, such as `city lights (speed 1.25, pitch +2).wav`. Reverb, bass and the less usual formats are part
 * of it if they are used, so that exports with different settings have different names: `city lights (speed 0.8, pitch 0, reverb 35 size
 * 50, bass +3).wav`. The file of a loop has the note `loop`. A pattern replaces the part before the extension: `{name}`, `{title}`,
 * `{artist}`, `{album}`, `{year}`, `{speed}`, `{pitch}`, `{rate}` and `{changes}`, all that was changed, (all changes) are replaced by
 * their values.
 */
export const createExportFileName = (sound: NamedSound, settings: MakerSettings, format: ExportFormat, options?: FileNameOptions): string =>
  createFileName(
    sound,
    settings,
    [...(FORMAT_NOTES[format] ?? []), ...(options?.isLoop ? ['loop'] : [])],
    chooseFileExtension(format),
    options,
  )

/** The notes in file names that distinguish the less usual formats from other formats with the same extension. */
const FORMAT_NOTES: Partial<Record<ExportFormat, readonly string[]>> = {
  'wav-int24': ['24-bit'],
  'wav-float32': ['32-bit float'],
  'flac-int24': ['24-bit'],
}

export const chooseFileExtension = (format: ExportFormat): string => (format === 'mp3' ? 'mp3' : isFlacFormat(format) ? 'flac' : 'wav')

export const isFlacFormat = (format: ExportFormat): format is 'flac-int16' | 'flac-int24' => format.startsWith('flac')

/** Returns the name of a video, such as `city lights (speed 1.25, pitch +2).mp4`. */
export const createVideoFileName = (sound: NamedSound, settings: MakerSettings, extension: string, options?: FileNameOptions): string =>
  createFileName(sound, settings, [], extension, options)

/** Returns the name of the file of a project. */
export const createProjectFileName = (title: string): string => fillNamePattern('{title}', { title }, PROJECT_FILE_EXTENSION)

function createFileName(
  sound: NamedSound,
  settings: MakerSettings,
  nameNotes: readonly string[],
  fileExtension: string,
  options: FileNameOptions,
): string {
  const nameFields = listFileNameFields(sound, settings, nameNotes)
  const namePattern = options?.namePattern.trim()
  if (!namePattern) return `${nameFields.name} (${nameFields.changes}).${fileExtension}`
  const isLoopNoted = options?.isLoop !== true || namePattern.includes('{changes}')
  return fillNamePattern(isLoopNoted ? namePattern : `${namePattern} (loop)`, nameFields, fileExtension)
}

/** The names and values of the fields that a pattern can have. @param nameNotes notes besides those about settings */
export function listFileNameFields(sound: NamedSound, settings: MakerSettings, nameNotes: readonly string[] = []) {
  const { speed, pitch, reverbAmount, reverbSize, bassDb } = settings
  const songName = toSongName(sound.name)
  const settingNotes = [
    `speed ${formatNumber(speed)}`,
    `pitch ${formatChange(pitch)}`,
    ...(reverbAmount > 0 ? [`reverb ${formatNumber(reverbAmount)} size ${formatNumber(reverbSize)}`] : []),
    ...(bassDb !== 0 ? [`bass ${formatChange(bassDb)}`] : []),
    ...nameNotes,
  ]
  return {
    name: songName,
    changes: settingNotes.join(', '),
    title: sound.title?.trim() || songName,
    artist: sound.artist,
    album: sound.album,
    year: sound.year,
    speed: formatNumber(speed),
    pitch: formatChange(pitch),
    rate: formatNumber(toPlaybackRate(settings)),
  }
}

/**
 * Fills in a pattern such as `{name} ({rate})` and returns the file name. Names in braces are replaced by their `fieldValues`; other text in
 * braces is unchanged. Characters that file systems forbid are replaced, and a name that is too long is cut.
 */
export function fillNamePattern(
  namePattern: string,
  fieldValues: Readonly<Record<string, string | undefined>>,
  fileExtension: string,
): string {
  const filledPattern = namePattern.replace(/\{(\w+)\}/g, (token, key: string) =>
    Object.hasOwn(fieldValues, key) ? (fieldValues[key] ?? '') : token,
  )
  // The text has no extension. One is appended, because `toSongName` removes it; otherwise that function would remove the `25` of
  // a rate of 1.25.
  return `${toSongName(`${filledPattern}.${fileExtension}`)}.${fileExtension}`
}

const formatNumber = (value: number) => String(Number(value.toFixed(3)))
const formatChange = (value: number) => `${value > 0 ? '+' : ''}${formatNumber(value)}`
