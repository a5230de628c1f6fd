import { readFile } from 'node:fs/promises'
import { parseVideoId } from '../../contract/youtube.ts'
import { CommandError, defineCommand, toPrintable, UsageError } from '../admin/command.ts'
import { DAILY_EXCLUDED_SHARE_MAX, EXCLUDED_SHARE_MAX, EXCLUSIONS_ALWAYS_ALLOWED } from './exclusion-limits.ts'
import type { UnplayableSong } from './store-unplayable.ts'

const formatPercent = (share: number) => `${share * 100} %`
const WITHHELD_TEXT = `The limit is reached: reports take away at most ${formatPercent(DAILY_EXCLUDED_SHARE_MAX)} of the songs or of a list in a day, ${formatPercent(EXCLUDED_SHARE_MAX)} together, or ${EXCLUSIONS_ALWAYS_ALLOWED}. These are still played:`

export const catalogImportCommand = defineCommand({
  words: 'catalog import',
  summary: 'Adds and updates what a catalogue file holds, wholly or not at all.',
  operands: { file: { help: 'a JSON file with the keys playlists, songs, members, supporters and feed, each optional' } },
  run: async ({ file }, { storage }) => {
    const importSummary = await storage.catalogue.importFile(file)
    const { playlists, songs, members, supporters, feed } = importSummary
    return {
      text: `Imported ${playlists} playlists, ${songs} songs, ${members} members, ${supporters} supporters, ${feed} news items.`,
      data: importSummary,
      changed: 'catalogue',
    }
  },
})

const describeUnplayable = ({ youtube_id, title, reporters, last_reported, reason }: UnplayableSong) =>
  `${youtube_id}  ${toPrintable(title)}  (${reporters} reporters, last ${last_reported}: ${toPrintable(reason)})`

export const catalogListUnplayableCommand = defineCommand({
  words: 'catalog list-unplayable',
  summary: 'Lists the songs that enough listeners could not play.',
  run: async (_args, { storage }) => {
    const unplayableSongs = await storage.songs.listUnplayable(Date.now())
    const excludedSongs = unplayableSongs.filter((song) => song.excluded)
    const withheldSongs = unplayableSongs.filter((song) => !song.excluded)
    const summaryLines = [
      ...excludedSongs.map(describeUnplayable),
      ...(withheldSongs.length === 0 ? [] : [WITHHELD_TEXT, ...withheldSongs.map(describeUnplayable)]),
    ]
    return { text: summaryLines.length === 0 ? 'No song is reported as unplayable.' : summaryLines.join('\n'), data: unplayableSongs }
  },
})

export const catalogRestoreSongCommand = defineCommand({
  words: 'catalog restore-song',
  summary: 'Ends the exclusion of a song that enough listeners could not play, or of all.',
  operands: { id: { help: 'the id or a URL of its video', optional: true } },
  options: { all: { help: 'all excluded songs, in place of ID' } },
  run: async ({ id, all }, { storage }) => {
    if (all && id !== undefined) throw new UsageError("'catalog restore-song' takes ID or --all, not both")
    if (all) {
      const restoredCount = await storage.songs.restoreAll()
      return {
        text: restoredCount === 1 ? '1 song is played again.' : `${restoredCount} songs are played again.`,
        data: { restored: restoredCount },
        changed: 'all unplayable songs',
      }
    }
    if (id === undefined) throw new UsageError("ID is missing after 'catalog restore-song'")
    const songId = parseVideoId(id)
    if (songId === undefined) throw new UsageError(`'${toPrintable(id)}' is neither a video id nor a URL of a video`)
    const isRestored = await storage.songs.restoreSong(songId)
    return {
      text: isRestored ? `${songId} is played again.` : `${songId} is not reported as unplayable.`,
      data: { youtube_id: songId, restored: isRestored },
      ...(isRestored && { changed: `song ${songId}` }),
    }
  },
})

/** Reads a JSON file. @throws CommandError if it cannot be read or is no JSON */
async function readJson(filePath: string): Promise<unknown> {
  let fileText: string
  try {
    fileText = await readFile(filePath, 'utf8')
  } catch {
    throw new CommandError(`The file '${toPrintable(filePath)}' cannot be read`)
  }
  try {
    // Some editors write a byte order mark.
    return JSON.parse(fileText.replace(/^\ufeff/, ''))
  } catch {
    throw new CommandError(`The file '${toPrintable(filePath)}' is not JSON`)
  }
}

export const feedAddCommand = defineCommand({
  words: 'feed add',
  summary: 'Adds news.',
  details: 'An item is {"title", "content", "date"} and optionally "id", "image" and "url". One with a known id is changed.',
  operands: { file: { help: 'a JSON file with one item or a list' } },
  run: async ({ file }, { storage }) => {
    const importContent = await readJson(file)
    const feedItems: unknown[] = Array.isArray(importContent) ? importContent : [importContent]
    await storage.feed.put(feedItems)
    return {
      text: `${feedItems.length} news ${feedItems.length === 1 ? 'item is' : 'items are'} stored.`,
      data: { items: feedItems.length },
      changed: 'news',
    }
  },
})
