import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImportRow } from '../../../contract/import.ts'
import type { CommandContext } from '../command.ts'
import type { YoutubeApi } from './youtube-api.ts'

export interface YoutubeImportContext extends CommandContext {
  api: YoutubeApi
}

/** Imports songs and playlists as `catalog import` does: all or none. */
export async function importRows(
  { storage, config }: CommandContext,
  rows: { songs: readonly ImportRow<'songs'>[]; playlists: readonly ImportRow<'playlists'>[] },
): Promise<void> {
  if (rows.songs.length === 0 && rows.playlists.length === 0) return
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const filePath = join(config.dataDir, `youtube-import-${process.pid}.json`)
  try {
    await writeFile(filePath, JSON.stringify(rows))
    await storage.catalogue.importFile(filePath)
  } finally {
    await rm(filePath, { force: true })
  }
}

/** Lists counts as a text, largest first, such as `3 private, 1 gone`. */
export function formatCounts(countByName: Readonly<Record<string, number>>): string {
  return Object.entries(countByName)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
}

export function countValues(countedValues: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of countedValues) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
