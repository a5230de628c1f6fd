import { type Command, printable, takeOperands } from './command.ts'

export const catalogImport: Command = {
  words: 'catalog import',
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
  words: 'catalog list-unplayable',
  synopsis: '',
  summary: 'Lists the songs that enough listeners could not play.',
  run: async (input, storage) => {
    takeOperands(input, 0, 0)
    const songs = await storage.songs.listUnplayable()
    const lines = songs.map(
      (song) =>
        `${song.youtube_id}  ${printable(song.title)}  (${song.reporters} reporters, last ${song.last_reported}: ${printable(song.reason)})`,
    )
    return { text: lines.length === 0 ? 'No song is reported as unplayable.' : lines.join('\n'), data: songs }
  },
}
