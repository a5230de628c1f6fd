import { parseHistory } from '../edit-history.ts'
import type { EditHistory, LoopRange, MakerSettings, OutputOptions, OutputTags } from '../engine.ts'

/** A maker project as it is stored. Its song, and its cover if there is one, are files of their own. */
export interface ProjectRecord {
  readonly id: string
  /** The revision number, which increases with each save. */
  readonly revision: number
  /** Id of the account that the project belongs to. */
  readonly owner: string
  /** Name of the stored file with the song's bytes, which a duplicate of the project shares. */
  readonly source: string
  readonly sourceBytes: number
  /** Name and MIME type of the file that the person opened. */
  readonly name: string
  readonly type: string
  /** The name in the list of projects. */
  readonly title: string
  readonly artist?: string
  /** Name of the stored file with the cover. */
  readonly cover?: string | undefined
  /** Whether the person has chosen the cover. Otherwise the cover is a copy of the one in the song's tags. */
  readonly hasChosenCover?: boolean
  /** The saved settings. Settings that were introduced after the save are missing. */
  readonly settings: Partial<MakerSettings>
  readonly bpm?: number
  /** The saved loop; absent if none was set. */
  readonly loop?: LoopRange
  /** The saved edit history; absent if none was saved. */
  readonly history?: EditHistory
  /** The chosen tags, names and level of exported files; absent if none were chosen. */
  readonly output?: OutputOptions
  /** The length of the edited sound in seconds; absent if it is not known yet. */
  readonly lengthS?: number
  readonly changedAtMs: number
  /** When the project was deleted. Until its files are removed, the deletion can be undone. */
  readonly deletedAtMs?: number
}

/** The version of the format of the record. A record with a greater version is neither changed nor removed. */
const RECORD_FORMAT_VERSION = 1

const SETTING_NAMES = ['speed', 'pitch', 'reverbSize', 'reverbAmount', 'bassDb'] as const
/** The lowest loudness that a sound is brought to. */
const MIN_TARGET_LUFS = -60
const TAG_NAMES = ['title', 'artist', 'album', 'year'] as const satisfies readonly (keyof OutputTags)[]
const RECORD_NAME_PATTERN = /^([\w-]+)\.(\d+)\.json$/

/** Each save of a project is written to a new file, so that a failed save cannot damage the previous one. */
export const createRecordName = ({ id, revision }: Pick<ProjectRecord, 'id' | 'revision'>): string => `${id}.${revision}.json`

/** Returns the project and the revision of a stored record; `undefined` for names of other files. */
export function parseRecordName(fileName: string): Pick<ProjectRecord, 'id' | 'revision'> | undefined {
  const [, id, revision] = RECORD_NAME_PATTERN.exec(fileName) ?? []
  return id === undefined ? undefined : { id, revision: Number(revision) }
}

export const serializeRecord = (record: ProjectRecord): string => JSON.stringify({ format: RECORD_FORMAT_VERSION, ...record })

/** Reads a stored record. `torn`: its text is incomplete, as after a crash. `foreign`: another version of the maker has written it. */
export function parseRecord(recordText: string): ProjectRecord | 'torn' | 'foreign' {
  let storedValue: unknown
  try {
    storedValue = JSON.parse(recordText)
  } catch {
    return 'torn'
  }
  if (!isObject(storedValue) || storedValue.format !== RECORD_FORMAT_VERSION) return 'foreign'
  const { id, revision, owner, source, sourceBytes, name, title, changedAtMs, artist, cover, lengthS, deletedAtMs } = storedValue
  if (![id, owner, source, name, title].every(isStringValue) || ![revision, sourceBytes, changedAtMs].every(isNumberValue)) return 'foreign'
  return {
    ...parseEdit(storedValue),
    id: String(id),
    revision: Number(revision),
    owner: String(owner),
    source: String(source),
    sourceBytes: Number(sourceBytes),
    name: String(name),
    title: String(title),
    changedAtMs: Number(changedAtMs),
    ...(isStringValue(artist) && { artist }),
    ...(isStringValue(cover) && { cover }),
    ...(isNumberValue(lengthS) && { lengthS }),
    ...(isNumberValue(deletedAtMs) && { deletedAtMs }),
  }
}

/** Reads the values that the person has set, and the type of the song's file. Invalid values are left out. */
export function parseEdit(
  storedRecord: Readonly<Record<string, unknown>>,
): Pick<ProjectRecord, 'type' | 'settings' | 'bpm' | 'loop' | 'history' | 'output' | 'hasChosenCover'> {
  const { type, settings, bpm, loop } = storedRecord
  const history = parseHistory(storedRecord.history)
  const output = parseOutput(storedRecord.output)
  return {
    type: isStringValue(type) ? type : '',
    settings: parseSettings(settings),
    ...(isNumberValue(bpm) && { bpm }),
    ...(isLoop(loop) && { loop }),
    ...(history !== undefined && { history }),
    ...(output !== undefined && { output }),
    ...(storedRecord.hasChosenCover === true && { hasChosenCover: true }),
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
export const isStringValue = (value: unknown): value is string => typeof value === 'string'
export const isNumberValue = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function isLoop(value: unknown): value is LoopRange {
  return isObject(value) && typeof value.on === 'boolean' && isNumberValue(value.startS) && isNumberValue(value.endS)
}

function parseSettings(storedValue: unknown): Partial<MakerSettings> {
  if (!isObject(storedValue)) return {}
  return Object.fromEntries(SETTING_NAMES.flatMap((name) => (isNumberValue(storedValue[name]) ? [[name, storedValue[name]]] : [])))
}

function parseOutput(storedValue: unknown): OutputOptions | undefined {
  if (!isObject(storedValue)) return undefined
  const { tags, namePattern, targetLufs } = storedValue
  return {
    tags: isObject(tags) ? Object.fromEntries(TAG_NAMES.flatMap((name) => (isStringValue(tags[name]) ? [[name, tags[name]]] : []))) : {},
    namePattern: isStringValue(namePattern) ? namePattern : '',
    targetLufs: isNumberValue(targetLufs) ? Math.min(0, Math.max(MIN_TARGET_LUFS, targetLufs)) : undefined,
  }
}
