import { parseVideoId } from '../../contract/youtube.ts'
import { defineCommand, toPrintable, UsageError } from './command.ts'

export const catalogImport = defineCommand({
  words: 'catalog import',
  summary: 'Adds and updates what a catalogue file holds, wholly or not at all.',
  operands: { file: { help: 'a JSON file with the keys playlists, songs, members, supporters and feed, each optional' } },
  run: async ({ file }, { storage }) => {
    const summary = await storage.catalogue.importFile(file)
    const { playlists, songs, members, supporters, feed } = summary
    return {
      text: `Imported ${playlists} playlists, ${songs} songs, ${members} members, ${supporters} supporters, ${feed} news items.`,
      data: summary,
    }
  },
})

export const catalogListUnplayable = defineCommand({
  words: 'catalog list-unplayable',
  summary: 'Lists the songs that enough listeners could not play.',
  run: async (_args, { storage }) => {
    const songs = await storage.songs.listUnplayable()
    const lines = songs.map(
      (song) =>
        `${song.youtube_id}  ${toPrintable(song.title)}  (${song.reporters} reporters, last ${song.last_reported}: ${toPrintable(song.reason)})`,
    )
    return { text: lines.length === 0 ? 'No song is reported as unplayable.' : lines.join('\n'), data: songs }
  },
})

export const catalogRestoreSong = defineCommand({
  words: 'catalog restore-song',
  summary: 'Ends the exclusion of a song that enough listeners could not play.',
  operands: { id: { help: 'the id or a URL of its video' } },
  run: async ({ id }, { storage }) => {
    const songId = parseVideoId(id)
    if (songId === undefined) throw new UsageError(`'${toPrintable(id)}' is neither a video id nor a URL of a video`)
    const isRestored = await storage.songs.restoreSong(songId)
    return {
      text: isRestored ? `${songId} is played again.` : `${songId} is not reported as unplayable.`,
      data: { youtube_id: songId, restored: isRestored },
    }
  },
})
