import { beforeEach, expect, test, vi } from 'vitest'
import type { SongDetail } from '../../contract/song.ts'
import { createCatalogue } from '../data/catalogue-repository.ts'
import type { LocalDatabase } from '../data/local-database.ts'
import { createMemoryDatabase } from '../data/memory-database.ts'
import { putFetchedPlaylist } from '../data/testing/fetched-playlist.ts'
import type { Api } from '../platform/api.ts'
import { ApiCallError } from '../platform/api.ts'
import type { Player } from './player-interface.ts'
import { createSongSource } from './song-source.ts'
import { createSong } from './testing/player-setup.ts'
import { preparePlayers } from './testing/prepare-players.ts'

// The player with a video that starts at once, and an own playlist that this device still fetches. The server knows the songs, but no playlist.

const createPlayer = preparePlayers()

let database: LocalDatabase
let sentRequests: [endpointKey: string, fields: { p?: string }][]
beforeEach(() => {
  database = createMemoryDatabase()
  sentRequests = []
})

const receiveSongs = (songIds: readonly string[], more: boolean) => putFetchedPlaylist(database, 'ann', songIds.map(createSong), more)

/** Plays the first song of the playlist, and waits until the queue is loaded. */
async function playFirstSong(shuffle = false): Promise<Player> {
  const call = async (endpointKey: string, fields: { s?: string; p?: string }): Promise<SongDetail> => {
    sentRequests.push([endpointKey, fields])
    if (endpointKey !== 'GET /song/get' || fields.s === undefined) throw new ApiCallError('api', 404, 'There is none.')
    const category = { context_id: 'cat', context_title: 'Category', first_song: 'other', next: 'other', next_title: '' }
    return { ...createSong(fields.s), ...category, description: '', favorite: false }
  }
  // The cast is safe, because the catalogue and the player call only this method of the API.
  const api = { call } as unknown as Api
  const catalogue = createCatalogue({ api, database, getOwner: () => 'ann' })
  const openPlayStore = async () => ({ storePlay: async () => {}, logPlay: async () => {} })
  const player = createPlayer({ source: createSongSource({ api, catalogue, openPlayStore }) })
  player.open({ songId: 'a', contextId: 'my-big', shuffle })
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'playing', isContextLoading: false }))
  return player
}

const listUpcomingIds = (player: Player) => player.getSnapshot().upcoming.map(({ song }) => song.youtube_id)

/** Skips to the next song and returns its id once it plays and what follows it is known. */
async function skip(player: Player): Promise<string | undefined> {
  const { songId } = player.getSnapshot()
  player.next()
  await vi.waitFor(() => {
    const { status, current, nextKind } = player.getSnapshot()
    expect([status, current?.youtube_id === songId, nextKind === 'none']).toEqual(['playing', false, false])
  })
  return player.getSnapshot().songId
}

test('partial playlist: songs that arrive while it plays follow its last song, and the server is asked for no own playlist', async () => {
  await receiveSongs(['a', 'b'], true)
  const player = await playFirstSong()
  await vi.waitFor(() => expect(listUpcomingIds(player)).toEqual(['b']))
  await receiveSongs(['a', 'b', 'c', 'd'], false)
  expect([await skip(player), await skip(player), await skip(player), await skip(player)]).toEqual(['b', 'c', 'd', 'a'])
  expect(sentRequests.filter(([endpointKey, { p }]) => endpointKey.includes('playlist') || p !== undefined)).toEqual([])
})
