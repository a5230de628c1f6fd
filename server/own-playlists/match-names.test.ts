import { beforeEach, expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, songReadOptions } from '../storage/testing/fixture.ts'
import { matchNames } from './match-names.ts'

const catalogueSongs = [
  ...Array.from({ length: 40 }, (_, n) => [`A ${n} Love Story`, 'Ada'] as const),
  ['Love', 'Zed'],
  ['Heart', 'Maximus'],
  ['AC/DC Mix', 'Don’t'],
  ['夜のドライブ 2', '東京'],
  ['Alone, Pt. II', 'Alan Walker & Ava'],
  ['Alan Walker - Fade [NCS Release]', 'NCS'],
  ['Ghosts (Alan Walker cover)', 'Somebody'],
  ['Lily (Pt. II)', 'Alan Walker'],
  ['Second Sun', 'Élan'],
  ['Stone (feat. Ava)', 'Rocker'],
  ['Stone (Maximus Remix)', 'Rocker'],
  ['Stone (Live)', 'Rocker'],
  ['River (Live at Home)', 'Rocker'],
  ['Rocker - Live Forever', 'Rocker'],
  ['High (feat. Ada)', 'Rocker'],
  ['High', 'Rocker'],
  ['Night (II)', 'Rocker'],
] as const

describeStores('matching songs by name', (fixture) => {
  const findTitle = async (title: string, artist?: string) =>
    (await matchNames(fixture.storage.songs, [{ title, ...(artist !== undefined && { artist }) }], songReadOptions))[0]?.title
  beforeEach(() =>
    fixture.importRows({ songs: catalogueSongs.map(([title, author_name], i) => createSongRow(i + 1, { title, author_name })) }),
  )

  test('the words of a name are whole words of the song, in any spelling', async () => {
    expect(await findTitle('Love')).toBe('Love')
    expect(await findTitle('a 7 love story', 'Ada')).toBe('A 7 Love Story')
    expect(await findTitle('Art', 'Max')).toBeUndefined()
    expect(await findTitle('Heart', 'Max')).toBeUndefined()
    expect(await findTitle('Heart', 'Maximus')).toBe('Heart')
    expect(await findTitle('acdc mix', 'dont')).toBe('AC/DC Mix')
    expect(await findTitle('夜のドライブ 2')).toBe('夜のドライブ 2')
    expect(await findTitle('夜のドライブ 2', '東京')).toBe('夜のドライブ 2')
  })

  test('a song whose title has further words is another song', async () => {
    expect(await findTitle('Sun')).toBeUndefined()
    expect(await findTitle('Sun', 'Élan')).toBeUndefined()
    expect(await findTitle('Second Sun')).toBe('Second Sun')
    expect(await findTitle('Love Story', 'Ada')).toBeUndefined()
    expect(await findTitle('夜のドライブ', '東京')).toBeUndefined()
    expect(await findTitle('Alone', 'Alan Walker')).toBeUndefined()
    expect(await findTitle('Alone, Pt. II', 'Alan Walker, Ava')).toBe('Alone, Pt. II')
    expect(await findTitle('Alone (Pt. II)', 'Alan Walker')).toBe('Alone, Pt. II')
    expect(await findTitle('Lily', 'Alan Walker')).toBeUndefined()
    expect(await findTitle('Lily')).toBeUndefined()
    expect(await findTitle('Night', 'Rocker')).toBeUndefined()
    expect(await findTitle('Forever', 'Rocker')).toBeUndefined()
    expect(await findTitle('Live Forever', 'Rocker')).toBe('Rocker - Live Forever')
  })

  test('the artist is in the title or is the author; of a cover, the artist is the author', async () => {
    expect(await findTitle('Fade', 'Alan Walker')).toBe('Alan Walker - Fade [NCS Release]')
    expect(await findTitle('Ghosts', 'Alan Walker')).toBeUndefined()
    expect(await findTitle('Ghosts (Alan Walker Cover)', 'Somebody')).toBe('Ghosts (Alan Walker cover)')
  })

  test('a remix or live recording in the file is no other recording, and the original is preferred for a title without remarks', async () => {
    expect(await findTitle('Stone', 'Rocker')).toBe('Stone (feat. Ava)')
    for (const title of ['Stone (Official Video) [HD]', 'Stone - 2011 Remastered Version', 'Stone - Radio Edit', 'Stone ft. Ava'])
      expect([title, await findTitle(title, 'Rocker')]).toEqual([title, 'Stone (feat. Ava)'])
    expect(await findTitle('Stone - Maximus Remix', 'Rocker, Maximus')).toBe('Stone (Maximus Remix)')
    expect(await findTitle('Stone - Live', 'Rocker')).toBe('Stone (Live)')
    expect(await findTitle('Stone - Live')).toBe('Stone (Live)')
    for (const title of [
      'Second Sun (Ada Remix)',
      'Second Sun - Ada Remix',
      'Second Sun [Ada Edit]',
      'Second Sun (Slowed + Reverb)',
      'Second Sun - Live in Rome',
    ])
      expect([title, await findTitle(title, 'Élan'), await findTitle(title)]).toEqual([title, undefined, undefined])
    expect(await findTitle('High [Official Video]', 'Rocker')).toBe('High')
    expect(await findTitle('High [Official Video] (feat. Ada)', 'Rocker')).toBe('High (feat. Ada)')
    expect(await findTitle('River', 'Rocker')).toBe('River (Live at Home)')
  })
})
