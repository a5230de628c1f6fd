import { parseVideoId } from '../../contract/youtube.ts'
import { type Command, takeOperands, toPrintable, UsageError } from './command.ts'

export const catalogImport: Command = {
  commandWords: 'catalog import',
  synopsis: 'FILE',
  summary: 'Adds and updates what a catalogue file holds, wholly or not at all.',
  run: async (input, storage) => {
    const [file = ''] = takeOperands(input, 1, 1)
    const summary = await storage.catalogue.importFile(file)
    const { playlists, songs, members, supporters, feed } = summary
    return {
      text: `Imported ${playlists} playlists, ${songs} songs, ${members} members, ${supporters} supporters, ${feed} news items.`,
      data: summary,
    }
  },
}

export const catalogListUnplayable: Command = {
  commandWords: 'catalog list-unplayable',
  synopsis: '',
  summary: 'Lists the songs that enough listeners could not play.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const songs = await storage.songs.listUnplayable()
    const lines = songs.map(
      (song) =>
        `${song.youtube_id}  ${toPrintable(song.title)}  (${song.reporters} reporters, last ${song.last_reported}: ${toPrintable(song.reason)})`,
    )
    return { text: lines.length === 0 ? 'No song is reported as unplayable.' : lines.join('\n'), data: songs }
  },
}

export const catalogRestoreSong: Command = {
  commandWords: 'catalog restore-song',
  synopsis: 'ID',
  summary: 'Ends the exclusion of a song that enough listeners could not play.',
  run: async (input, storage) => {
    const [text = ''] = takeOperands(input, 1, 1)
    const songId = parseVideoId(text)
    if (songId === undefined) throw new UsageError(`'${toPrintable(text)}' is neither a video id nor a URL of a video`)
    const isRestored = await storage.songs.restoreSong(songId)
    return {
      text: isRestored ? `${songId} is played again.` : `${songId} is not reported as unplayable.`,
      data: { youtube_id: songId, restored: isRestored },
    }
  },
}
