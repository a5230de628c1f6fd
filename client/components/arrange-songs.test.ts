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
const toSong = (row: { youtube_id: string; title: string; author_name: string }, index: number): Song => ({
  ...row,
  youtube_url: '',
  category_id: '',
  category_name: '',
  date_added: `2026-01-${String((index % 28) + 1).padStart(2, '0')}T00:00:00.000Z`,
  new: 'false',
})

it('arrangeSongs: a filter text returns exactly the songs that contain all words of the text, in the order of the playlist', () => {
  fc.assert(
    fc.property(anySongs, fc.constantFrom('', 'neon', 'CAFE', 'neon uber', 'ann lodz', 'o', '!'), (rows, text) => {
      const list = rows.map(toSong)
      const words = foldText(text).split(' ')
      expect(arrangeSongs(list, text, 'playlist')).toEqual(
        list.filter(({ title, author_name }) => words.every((word) => foldText(`${title} ${author_name}`).includes(word))),
      )
    }),
  )
})

it('arrangeSongs: a song is found by other spellings of the words in its title, and by its link', () => {
  const rows = [
    toSong({ youtube_id: 'AAAAAAAAAAA', title: 'Hells Bells', author_name: 'AC/DC' }, 0),
    toSong({ youtube_id: 'BBBBBBBBBBB', title: '夜の東京', author_name: '!!!' }, 1),
  ]
  expect(arrangeSongs(rows, 'acdc', 'playlist')).toEqual(rows.slice(0, 1))
  expect(arrangeSongs(rows, 'https://youtu.be/AAAAAAAAAAA', 'playlist')).toEqual(rows.slice(0, 1))
  expect(arrangeSongs(rows, '東京', 'playlist')).toEqual(rows.slice(1))
  expect(arrangeSongs(rows, '!!!', 'playlist')).toEqual(rows.slice(1))
})

it('arrangeSongs: each sort order sorts the songs, and the opposite order reverses songs with different values', () => {
  fc.assert(
    fc.property(anySongs, (rows) => {
      const list = rows.map(toSong)
      for (const sort of ['az', 'za', 'newest', 'oldest'] as const) expect(new Set(arrangeSongs(list, '', sort))).toEqual(new Set(list))
      const datesOf = (arranged: readonly Song[]) => arranged.map((song) => song.date_added)
      expect(datesOf(arrangeSongs(list, '', 'newest'))).toEqual(datesOf(arrangeSongs(list, '', 'oldest')).reverse())
      expect(datesOf(arrangeSongs(list, '', 'oldest'))).toEqual(datesOf(list).sort())
      const textsOf = (arranged: readonly Song[]) => arranged.map((song) => foldText(`${song.title} ${song.author_name}`))
      expect(textsOf(arrangeSongs(list, '', 'az'))).toEqual(textsOf(list).sort())
      expect(textsOf(arrangeSongs(list, '', 'za'))).toEqual(textsOf(list).sort().reverse())
    }),
  )
})
