import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportFileKey, ImportRow } from '../../contract/import.ts'
import { DAY_MS } from '../durations.ts'
import catalogue from './catalogue.json' with { type: 'json' }

/** The rows of the demo catalogue, by the keys of an import file. */
export const demoCatalogue: { readonly [K in ImportFileKey]: readonly ImportRow<K>[] } = catalogue

/** Returns a date, or a date with a UTC time, moved by whole days, in the same format. */
function shiftDate(dateText: string, dayCount: number): string {
  const shiftedDate = new Date(Date.parse(dateText) + dayCount * DAY_MS).toISOString()
  return dateText.length === 10 ? shiftedDate.slice(0, 10) : shiftedDate.replace(/\.\d{3}Z$/, 'Z')
}

/** Returns the demo catalogue with all dates shifted by whole days, so that the newest date is less than a day before `nowMs`. */
export function createDemoCatalogueWithRecentDates(nowMs: number) {
  const allDates = [...demoCatalogue.songs.map((song) => song.date_added), ...demoCatalogue.feed.map((item) => item.date)]
  const newestMs = allDates.reduce((latestMs, date) => Math.max(latestMs, Date.parse(date)), 0)
  const shiftDays = Math.floor((nowMs - newestMs) / DAY_MS)
  return {
    ...demoCatalogue,
    songs: demoCatalogue.songs.map((song) => ({ ...song, date_added: shiftDate(song.date_added, shiftDays) })),
    feed: demoCatalogue.feed.map((item) => ({ ...item, date: shiftDate(item.date, shiftDays) })),
  }
}

/** Writes the demo catalogue with dates relative to `nowMs` as an import file into `dataDir` and returns its path. */
export async function writeDemoCatalogueFile(dataDir: string, nowMs: number): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const importPath = join(dataDir, 'demo-catalogue.json')
  await writeFile(importPath, JSON.stringify(createDemoCatalogueWithRecentDates(nowMs)))
  return importPath
}
