import { Compile } from 'typebox/compile'
import { type ImportFileKey, type ImportRow, importRowSchemas } from '../../../contract/import.ts'
import { ImportError } from '../errors.ts'
import type { RawRow } from './read-rows.ts'

const rowChecks = {
  playlists: Compile(importRowSchemas.playlists),
  songs: Compile(importRowSchemas.songs),
  members: Compile(importRowSchemas.members),
  supporters: Compile(importRowSchemas.supporters),
  feed: Compile(importRowSchemas.feed),
}

/** Converts a JSON pointer to property syntax: `/songs/3` becomes `.songs[3]`. */
const toPropertyPath = (pointer: string) => pointer.replace(/\/(\d+)/g, '[$1]').replace(/\/([^/[]+)/g, '.$1')

export const formatRowName = (key: ImportFileKey, index: number) => `${key}[${index}]`

/** The fields whose texts are the names of links. A channel without a visible name is shown by its id. */
const NAME_FIELDS = ['title', 'author_name', 'category_name', 'name']
/**
 * Matches a visible character. Hangul fillers and the blank Braille pattern are excluded: Unicode classes them as letters and signs, but
 * they are invisible.
 */
const VISIBLE_CHARACTER = /[^\p{C}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u

/** Returns the row with its names trimmed. @throws ImportError for a name without a visible character */
function trimNames<T extends object>(importRow: T, rowLabel: string): T {
  const nameFields = Object.entries(importRow).filter(([field, value]) => NAME_FIELDS.includes(field) && typeof value === 'string')
  const blankName = nameFields.find(([, value]) => !VISIBLE_CHARACTER.test(value))
  if (blankName !== undefined) throw new ImportError(`${rowLabel}.${blankName[0]}: has no visible character`)
  return { ...importRow, ...Object.fromEntries(nameFields.map(([field, value]) => [field, value.trim()])) }
}

/**
 * Returns the row's value with the type of its schema. Keys that are not in the schema are ignored.
 * @throws ImportError with the row and the field
 */
export function validateRow<K extends ImportFileKey>(importKey: K, row: RawRow): ImportRow<K> {
  const checkRow = rowChecks[importKey]
  if (!checkRow.Check(row.value)) {
    const [error] = checkRow.Errors(row.value)
    const requiredProperty = error?.keyword === 'required' ? error.params.requiredProperties[0] : undefined
    const fieldPath = `${error?.instancePath ?? ''}${requiredProperty === undefined ? '' : `/${requiredProperty}`}`
    const reason = requiredProperty === undefined ? (error?.message ?? 'is not valid') : 'is missing'
    throw new ImportError(`${formatRowName(importKey, row.index)}${toPropertyPath(fieldPath)}: ${reason}`)
  }
  const nulEntry = Object.entries(row.value).find(([, value]) => typeof value === 'string' && value.includes('\0'))
  if (nulEntry !== undefined) throw new ImportError(`${formatRowName(importKey, row.index)}.${nulEntry[0]}: holds a NUL character`)
  // `checkRow` validated the value; TypeScript cannot narrow a schema that is selected by a generic key.
  return trimNames(row.value as ImportRow<K>, formatRowName(importKey, row.index))
}

const MAX_DATE_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const DATE_PATTERN = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](.+?))?$/

/**
 * Parses an import date to epoch milliseconds. A date without a time zone is in UTC.
 * @returns undefined if the day or time does not exist
 */
export function parseDateMs(dateText: string): number | undefined {
  const dateMatch = DATE_PATTERN.exec(dateText)
  if (dateMatch === null) return undefined
  const [, yearText, monthText, dayText, timeText] = dateMatch
  // Date.parse is used, because Date.UTC maps the years 0 to 99 to 1900 to 1999. Days that do not exist overflow to the next month and are refused.
  const midnightMs = Date.parse(`${yearText}-${monthText}-${dayText}T00:00:00Z`)
  if (Number.isNaN(midnightMs) || new Date(midnightMs).getUTCDate() !== Number(dayText)) return undefined
  if (timeText === undefined) return midnightMs
  const zonedTime = /(Z|[+-]\d{2}:\d{2})$/.test(timeText) ? timeText : `${timeText}Z`
  const ms = Date.parse(`${yearText}-${monthText}-${dayText}T${zonedTime}`)
  // A UTC offset can move the last day of the year 9999 into the year 10000, which ISO 8601 writes with a sign.
  return Number.isNaN(ms) || ms > MAX_DATE_MS ? undefined : ms
}
