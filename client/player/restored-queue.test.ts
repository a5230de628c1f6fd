import { expect, test, vi } from 'vitest'
import type { SongDetail } from '../../contract/song.ts'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import type { Player } from './player-interface.ts'
import type { SongSource } from './song-source.ts'
import { createSong } from './testing/player-setup.ts'
import { preparePlayers } from './testing/prepare-players.ts'

// The player with a video that starts at once, and a source of two lists, before and after a reload.

const listIds = ['a', 'b', 'c', 'd', 'e', 'f']
const listWithSongTwice = ['a', 'b', 'c', 'a', 'd']

/** Creates a source of the lists, which fails while `state.isOffline` is set. */
function createSource(state: { isOffline: boolean }): SongSource {
  return {
    async song(songId): Promise<SongDetail> {
      if (state.isOffline) throw new TypeError('Failed to fetch')
      const [firstSongId = ''] = listIds
      const nextSongId = listIds[listIds.indexOf(songId) + 1] ?? firstSongId
      const songContext = { context_id: 'list', context_title: 'List', first_song: firstSongId, next: nextSongId, next_title: '' }
      return { ...createSong(songId), description: '', favorite: false, ...songContext }
    },
    context: async (contextId) => ({ songs: (contextId === 'twice' ? listWithSongTwice : listIds).map(createSong), complete: true }),
    randomSongId: async () => 'x',
    countPlay() {},
    logPlay: () => undefined,
    reportUnplayable() {},
  }
}

const createPlayer = preparePlayers()

const listUpcomingIds = (player: Player) => player.getSnapshot().upcoming.map(({ song }) => song.youtube_id)

/** Plays song b of the list, then returns the player of the page after a reload. */
async function setUpReloaded(shuffle = false, reloadedSongId = '') {
  const storage = createMemoryStorage()
  const network = { isOffline: false }
  const openPage = (reloadedSongId: string) => createPlayer({ source: createSource(network), storage, reloadedSongId })
  const player = openPage('')
  player.open({ songId: 'b', contextId: 'list', shuffle })
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'playing', isContextLoading: false }))
  await vi.waitFor(() => expect(listUpcomingIds(player).length).toBeGreaterThan(0))
  player.close()
  return { player: openPage(reloadedSongId), network }
}

test('restored queue: Shuffle in the dock puts the other songs of the list in random order, before Play and after it', async () => {
  const { player } = await setUpReloaded()
  expect(listUpcomingIds(player)).toEqual(['c', 'd', 'e', 'f'])
  player.setShuffle(true)
  await vi.waitFor(() => expect(listUpcomingIds(player).toSorted()).toEqual(['a', 'c', 'd', 'e', 'f']))
  expect(player.getSnapshot()).toMatchObject({ status: 'paused', shuffle: true, nextKind: 'take' })
  player.play()
  expect(player.getSnapshot()).toMatchObject({ status: 'playing', songId: 'b', nextKind: 'take' })
  player.setShuffle(false)
  expect(listUpcomingIds(player)).toEqual(['c', 'd', 'e', 'f'])
})

test('restored queue: if the list cannot be loaded, Shuffle leaves the stored songs in the queue, and they play', async () => {
  const { player, network } = await setUpReloaded()
  network.isOffline = true
  player.setShuffle(true)
  player.play()
  await vi.waitFor(() => expect(player.getSnapshot().isContextLoading).toBe(false))
  expect(listUpcomingIds(player)).toEqual(['c', 'd', 'e', 'f'])
  player.next()
  expect(player.getSnapshot()).toMatchObject({ status: 'playing', songId: 'c' })
})

test('restored queue: a song page whose address has another shuffle than the stored session shows the list in the order of the address', async () => {
  const { player } = await setUpReloaded(true, 'b')
  expect(listUpcomingIds(player)).toHaveLength(5)
  player.open({ songId: 'b', contextId: 'list' })
  await vi.waitFor(() => expect(listUpcomingIds(player)).toEqual(['c', 'd', 'e', 'f']))
  expect(player.getSnapshot()).toMatchObject({ status: 'paused', shuffle: false })
})

test('a song that is in a list twice: the songs after the pressed row follow', async () => {
  const { player } = await setUpReloaded()
  player.open({ songId: 'a', contextId: 'twice', listIndex: 3 })
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'playing', isContextLoading: false }))
  expect(listUpcomingIds(player)).toEqual(['d'])
})

test('a song that is in a list twice: if it plays already, it plays on, and the songs after the pressed row follow', async () => {
  const { player } = await setUpReloaded()
  player.open({ songId: 'a', contextId: 'list' })
  await vi.waitFor(() => expect(listUpcomingIds(player)).toEqual(['b', 'c', 'd', 'e', 'f']))
  const statuses = new Set<string>()
  player.subscribe(() => statuses.add(player.getSnapshot().status))
  const pressRow = async (listIndex: number | undefined, followingIds: string[]) => {
    player.open({ songId: 'a', contextId: 'twice', listIndex })
    await vi.waitFor(() => expect([player.getSnapshot().songId, ...listUpcomingIds(player)]).toEqual(['a', ...followingIds]))
  }
  await pressRow(3, ['d'])
  await pressRow(0, ['b', 'c', 'a', 'd'])
  await pressRow(3, ['d'])
  // Without an index, or with that of a list in another order, nothing changes.
  await pressRow(undefined, ['d'])
  await pressRow(1, ['d'])
  expect(statuses).toEqual(new Set(['playing']))
  // A press on the row that plays keeps the way back.
  player.next()
  player.previous()
  player.next()
  player.open({ songId: 'd', contextId: 'twice', listIndex: 4 })
  player.previous()
  expect(player.getSnapshot().songId).toBe('a')
})

test('a song that is in a list twice: after a reload, a press on its other row goes on with the songs after that row', async () => {
  const storage = createMemoryStorage()
  const openPage = () => createPlayer({ source: createSource({ isOffline: false }), storage })
  const player = openPage()
  player.open({ songId: 'a', contextId: 'twice', listIndex: 0 })
  await vi.waitFor(() => expect(listUpcomingIds(player)).toEqual(['b', 'c', 'a', 'd']))
  player.close()
  const reloadedPlayer = openPage()
  reloadedPlayer.open({ songId: 'a', contextId: 'twice', listIndex: 3 })
  await vi.waitFor(() => expect(listUpcomingIds(reloadedPlayer)).toEqual(['d']))
})

test('a song that is in a list twice: after a reload at its second row, shuffle on and off goes on after that row', async () => {
  const storage = createMemoryStorage()
  const openPage = () => createPlayer({ source: createSource({ isOffline: false }), storage })
  const player = openPage()
  player.open({ songId: 'a', contextId: 'twice', listIndex: 3 })
  await vi.waitFor(() => expect(listUpcomingIds(player)).toEqual(['d']))
  player.close()
  const reloadedPlayer = openPage()
  reloadedPlayer.setShuffle(true)
  await vi.waitFor(() => expect(reloadedPlayer.getSnapshot().isContextLoading).toBe(false))
  await vi.waitFor(() => expect(listUpcomingIds(reloadedPlayer)).toHaveLength(3))
  reloadedPlayer.setShuffle(false)
  expect(listUpcomingIds(reloadedPlayer)).toEqual(['d'])
})

test('after a reload, a press on the current song in another list, such as that of recent songs, keeps the queue as it was', async () => {
  const storage = createMemoryStorage()
  const openPage = () => createPlayer({ source: createSource({ isOffline: false }), storage })
  const player = openPage()
  player.open({ songId: 'c', contextId: 'list', listIndex: 2 })
  await vi.waitFor(() => expect(listUpcomingIds(player)).toEqual(['d', 'e', 'f']))
  player.removeFromQueue(0)
  player.moveInQueue(0, 1)
  player.close()
  for (const listIndex of [0, 2]) {
    const reloadedPlayer = openPage()
    reloadedPlayer.open({ songId: 'c', contextId: 'list', listIndex })
    await vi.waitFor(() => expect(reloadedPlayer.getSnapshot()).toMatchObject({ status: 'playing', isContextLoading: false }))
    expect(listUpcomingIds(reloadedPlayer)).toEqual(['f', 'e'])
    reloadedPlayer.close()
  }
})
