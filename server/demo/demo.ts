import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportKey, ImportRow } from '../../contract/import.ts'
import catalogue from './catalogue.json' with { type: 'json' }

/** The demo catalogue as it is written in `catalogue.json`: the rows of an import file. */
export const demoCatalogue: { readonly [K in ImportKey]: readonly ImportRow<K>[] } = catalogue

const DAY_MS = 86_400_000

/** `date` moved by whole days, written as it was: a day, or a day with its time in UTC. */
function moveDate(date: string, days: number): string {
  const moved = new Date(Date.parse(date) + days * DAY_MS).toISOString()
  return date.length === 10 ? moved.slice(0, 10) : moved.replace(/\.\d{3}Z$/, 'Z')
}

/** The demo catalogue with all its dates moved by whole days, so that the newest of them is no more than a day before `nowMs`. */
export function freshDemoCatalogue(nowMs: number) {
  const dates = [...demoCatalogue.songs.map((song) => song.date_added), ...demoCatalogue.feed.map((item) => item.date)]
  const newestMs = dates.reduce((latest, date) => Math.max(latest, Date.parse(date)), 0)
  const days = Math.floor((nowMs - newestMs) / DAY_MS)
  return {
    ...demoCatalogue,
    songs: demoCatalogue.songs.map((song) => ({ ...song, date_added: moveDate(song.date_added, days) })),
    feed: demoCatalogue.feed.map((item) => ({ ...item, date: moveDate(item.date, days) })),
  }
}

/** Writes the demo catalogue, with dates as of `nowMs`, as an import file into `dataDir` and returns its path. */
export async function demoCatalogueFile(dataDir: string, nowMs: number): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'demo-catalogue.json')
  await writeFile(path, JSON.stringify(freshDemoCatalogue(nowMs)))
  return path
}
