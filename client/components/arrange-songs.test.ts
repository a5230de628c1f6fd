import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldText } from '../../contract/fold-text.ts'
import type { Song } from '../../contract/song.ts'
import { arrangeSongs } from './arrange-songs.ts'

const anySongs = fc.uniqueArray(
  fc.record({
    youtube_id: fc.uuid(),
    title: fc.constantFrom('Café', 'Über Neon', 'Neon', 'zebra', 'Łódź'),
    author_name: fc.constantFrom('Ann', 'Ömer'),
  }),
  { selector: ({ youtube_id }) => youtube_id },
)
const toSong = (songRow: { youtube_id: string; title: string; author_name: string }, index: number): Song => ({
  ...songRow,
  youtube_url: '',
  category_id: '',
  category_name: '',
  date_added: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T00:00:00.000Z`,
  new: 'false',
})

it('arrangeSongs: a filter text returns exactly the songs that contain all words of the text, in the order of the playlist', () => {
  fc.assert(
    fc.property(anySongs, fc.constantFrom('', 'neon', 'CAFE', 'neon uber', 'ann lodz', 'o', '!'), (songRows, filterText) => {
      const songList = songRows.map(toSong)
      const searchWords = foldText(filterText).split(' ')
      expect(arrangeSongs(songList, filterText, 'playlist')).toEqual(
        songList.filter(({ title, author_name }) => searchWords.every((word) => foldText(`${title} ${author_name}`).includes(word))),
      )
    }),
  )
})

it('arrangeSongs: a song is found by other spellings of the words in its title, and by its link', () => {
  const songRows = [
    toSong({ youtube_id: 'AAAAAAAAAAA', title: 'Hells Bells', author_name: 'AC/DC' }, 0),
    toSong({ youtube_id: 'BBBBBBBBBBB', title: '夜の東京', author_name: '!!!' }, 1),
  ]
  expect(arrangeSongs(songRows, 'acdc', 'playlist')).toEqual(songRows.slice(0, 1))
  expect(arrangeSongs(songRows, 'https://youtu.be/AAAAAAAAAAA', 'playlist')).toEqual(songRows.slice(0, 1))
  expect(arrangeSongs(songRows, '東京', 'playlist')).toEqual(songRows.slice(1))
  expect(arrangeSongs(songRows, '!!!', 'playlist')).toEqual(songRows.slice(1))
})

it('arrangeSongs: each sort order sorts the songs, and the opposite order reverses songs with different values', () => {
  fc.assert(
    fc.property(anySongs, (songRows) => {
      const songList = songRows.map(toSong)
      for (const sort of ['az', 'za', 'newest', 'oldest'] as const)
        expect(new Set(arrangeSongs(songList, '', sort))).toEqual(new Set(songList))
      const readDates = (arranged: readonly Song[]) => arranged.map((song) => song.date_added)
      expect(readDates(arrangeSongs(songList, '', 'newest'))).toEqual(readDates(arrangeSongs(songList, '', 'oldest')).reverse())
      expect(readDates(arrangeSongs(songList, '', 'oldest'))).toEqual(readDates(songList).sort())
      const readSearchTexts = (arranged: readonly Song[]) => arranged.map((song) => foldText(`${song.title} ${song.author_name}`))
      expect(readSearchTexts(arrangeSongs(songList, '', 'az'))).toEqual(readSearchTexts(songList).sort())
      expect(readSearchTexts(arrangeSongs(songList, '', 'za'))).toEqual(readSearchTexts(songList).sort().reverse())
    }),
  )
})
