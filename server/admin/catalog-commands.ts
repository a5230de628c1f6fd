import { type Command, takeOperands, toPrintable } from './command.ts'

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
