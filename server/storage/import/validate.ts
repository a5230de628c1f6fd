import { Compile } from 'typebox/compile'
import { type ImportKey, type ImportRow, importRows } from '../../../contract/import.ts'
import { ImportError } from '../storage.ts'
import type { RawRow } from './read-rows.ts'

const checks = {
  playlists: Compile(importRows.playlists),
  songs: Compile(importRows.songs),
  members: Compile(importRows.members),
  supporters: Compile(importRows.supporters),
  feed: Compile(importRows.feed),
}

/** A path as people write it: `/songs/3` of a row becomes `.songs[3]`. */
const readable = (pointer: string) => pointer.replace(/\/(\d+)/g, '[$1]').replace(/\/([^/[]+)/g, '.$1')

export const rowName = (key: ImportKey, index: number) => `${key}[${index}]`

/**
 * The row as its list's schema types it. Keys that the schema does not name are passed over.
 * @throws ImportError naming the row and the field
 */
export function validated<K extends ImportKey>(key: K, row: RawRow): ImportRow<K> {
  const check = checks[key]
  if (!check.Check(row.value)) {
    const [error] = check.Errors(row.value)
    const required = error?.keyword === 'required' ? error.params.requiredProperties[0] : undefined
    const place = `${error?.instancePath ?? ''}${required === undefined ? '' : `/${required}`}`
    const reason = required === undefined ? (error?.message ?? 'is not valid') : 'is missing'
    throw new ImportError(`${rowName(key, row.index)}${readable(place)}: ${reason}`)
  }
  const withNul = Object.entries(row.value).find(([, value]) => typeof value === 'string' && value.includes('\0'))
  if (withNul !== undefined) throw new ImportError(`${rowName(key, row.index)}.${withNul[0]}: holds a NUL character`)
  // Checked on the line above against the schema that the type comes from; the indexed access hides which one it was.
  return row.value as ImportRow<K>
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](.+?))?$/

/**
 * The time that an import date means, in epoch ms; UTC where it names no zone.
 * @returns undefined for a day or time that does not exist
 */
export function dateMs(text: string): number | undefined {
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [, year, month, day, time] = match
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999; neither gives a day that does not exist.
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day)) return undefined
  if (time === undefined) return midnight
  const zoned = /(Z|[+-]\d{2}:\d{2})$/.test(time) ? time : `${time}Z`
  const ms = Date.parse(`${year}-${month}-${day}T${zoned}`)
  return Number.isNaN(ms) ? undefined : ms
}
