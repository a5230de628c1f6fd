import { expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, songReadOptions } from '../storage/testing/fixture.ts'
import { matchNames } from './match-names.ts'

const catalogueSongs = [
  ...Array.from({ length: 40 }, (_, n) => [`A ${n} Love Story`, 'Ada'] as const),
  ['Love', 'Zed'],
  ['Heart', 'Maximus'],
  ['AC/DC Mix', 'Don’t'],
  ['夜のドライブ 2', '東京'],
] as const

describeStores('matching songs by name', (fixture) => {
  const findTitle = async (title: string, artist?: string) =>
    (await matchNames(fixture.storage.songs, [{ title, ...(artist !== undefined && { artist }) }], songReadOptions))[0]?.title

  test('the words of a name are whole words of the song, in any spelling, and the closest title of many is chosen', async () => {
    await fixture.importRows({ songs: catalogueSongs.map(([title, author_name], i) => createSongRow(i + 1, { title, author_name })) })
    expect(await findTitle('Love')).toBe('Love')
    expect(await findTitle('love story', 'Ada')).toBe('A 0 Love Story')
    expect(await findTitle('Art', 'Max')).toBeUndefined()
    expect(await findTitle('Heart', 'Max')).toBeUndefined()
    expect(await findTitle('Heart', 'Maximus')).toBe('Heart')
    expect(await findTitle('acdc mix', 'dont')).toBe('AC/DC Mix')
    expect(await findTitle('夜のドライブ')).toBe('夜のドライブ 2')
    expect(await findTitle('夜の', '東京')).toBe('夜のドライブ 2')
  })
})
