import { expect, test } from 'vitest'
import { describeStores } from '../testing/databases.ts'
import { createPlaylistRow, createSongRow, createSongRows, formatSongId } from '../testing/fixture.ts'

describeStores('catalogue reads', (fixture) => {
  test('a playlist is read as it was imported; computed playlists and categories are not read as playlists', async () => {
    const row = createPlaylistRow('mine', [3, 1], { description: 'D', image_url: 'https://example.org/a.png', home: true, special: true })
    await fixture.importRows({ songs: createSongRows(3), playlists: [row, createPlaylistRow('empty', [])] })
    expect(await fixture.storage.catalogue.readPlaylist('mine')).toEqual({ ...row, description_url: '' })
    expect(await fixture.storage.catalogue.readPlaylist('empty')).toMatchObject({ songs: [], home: false, special: false })
    for (const id of ['new', 'house', 'nothing']) expect(await fixture.storage.catalogue.readPlaylist(id)).toBeUndefined()
    expect(await fixture.storage.catalogue.listPlaylistIds()).toEqual(['empty', 'mine'])
  })

  test('only songs with a duration are returned as complete; any number of ids can be requested', async () => {
    await fixture.importRows({ songs: [createSongRow(1, { duration: 60 }), createSongRow(2), createSongRow(1200, { duration: 60 })] })
    const ids = Array.from({ length: 1200 }, (_, i) => formatSongId(i + 1))
    expect([...(await fixture.storage.catalogue.listCompleteSongs(ids))].sort()).toEqual([formatSongId(1), formatSongId(1200)])
    expect(await fixture.storage.catalogue.listCompleteSongs([])).toEqual(new Set())
  })

  test('the channels of all members are listed, also of members of the Academy', async () => {
    const members = ['UCb', 'UCa'].map((channel_id) => ({ channel_id, channel_name: 'N', academy: channel_id === 'UCa' }))
    await fixture.importRows({ members })
    expect(await fixture.storage.catalogue.listMemberChannels()).toEqual(['UCa', 'UCb'])
  })
})
