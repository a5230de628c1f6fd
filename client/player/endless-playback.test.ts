import { expect, test, vi } from 'vitest'
import type { Song, SongDetail } from '../../contract/song.ts'
import { createCatalogue } from '../data/catalogue-repository.ts'
import { createMemoryDatabase } from '../data/memory-database.ts'
import { createApi } from '../platform/api.ts'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import type { SongSource } from './song-source.ts'
import { createFakeVideo } from './testing/fake-video.ts'
import { createSong } from './testing/player-setup.ts'
import { preparePlayers } from './testing/prepare-players.ts'

// The player with a video that starts at once, and a list of two songs after which related songs are requested.

const listSongs = ['a', 'b'].map(createSong)

const createPlayer = preparePlayers()

/** Opens the list at its last song. `answerRelated` answers the requests for related songs, of which `requests` counts the answered ones. */
async function setUpAtLastSong(answerRelated: () => Response, storage = createMemoryStorage()) {
  let answeredCount = 0
  const api = createApi({
    baseUrl: '/api',
    fetch: async () => {
      answeredCount += 1
      return answerRelated()
    },
  })
  const { songIndex } = createCatalogue({ api, database: createMemoryDatabase() })
  const source: SongSource = {
    related: { api, songIndex },
    song: async (songId): Promise<SongDetail> => ({
      ...createSong(songId),
      ...{ description: '', favorite: false, context_id: 'list', context_title: 'List', first_song: 'a', next: 'a', next_title: '' },
    }),
    context: async () => ({ songs: listSongs, complete: true }),
    randomSongId: async () => 'x',
    countPlay() {},
    logPlay: () => undefined,
    reportUnplayable() {},
  }
  const video = createFakeVideo()
  const player = createPlayer({ source, video, storage })
  player.setEndless(true)
  player.open({ songId: 'b', contextId: 'list' })
  player.play()
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'playing', songId: 'b', isContextLoading: false }))
  return { player, video, storage, requests: () => answeredCount }
}

const answerWithStatus = (status: number) => Response.json({ code: status, message: 'Failed', data: null }, { status })
const answerWithSongs = (songs: Song[]) => Response.json({ code: 200, message: 'OK', data: songs })

test.each([
  ['the server fails', () => answerWithStatus(503)],
  [
    'the device is offline',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
])(
  'Next while %s and no related song is on the device: the song plays on, and the page says so; it can be paused',
  async (_, answerRelated) => {
    const { player, video, requests } = await setUpAtLastSong(answerRelated)
    await vi.waitFor(() => expect(requests()).toBeGreaterThan(0))
    const statuses: string[] = []
    player.subscribe(() => void statuses.push(player.getSnapshot().status))
    player.next()
    await vi.waitFor(() => expect([statuses[0], statuses.at(-1)]).toEqual(['loading', 'playing']))
    expect(player.getSnapshot()).toMatchObject({ songId: 'b', nextKind: 'related' })
    expect(video.paused).toBe(false)
    player.pause()
    player.next()
    await vi.waitFor(() => expect(player.getSnapshot().status).toBe('paused'))
    player.play()
    video.paused = true
    video.emit('ended')
    await vi.waitFor(() => expect(player.getSnapshot().status).toBe('paused'))
  },
)

test('Next while no song is related: the list begins again with its first song', async () => {
  const { player } = await setUpAtLastSong(() => answerWithSongs([]))
  await vi.waitFor(() => expect(player.getSnapshot().nextKind).toBe('wrap'))
  player.setEndless(true)
  player.next()
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'playing', songId: 'a' }))
})

test('a switch of related songs that another tab has stored changes this tab, too, and leaves the session of the other tab stored', async () => {
  const { player, storage } = await setUpAtLastSong(() => answerWithSongs([]))
  player.pause()
  const otherTab = await setUpAtLastSong(() => answerWithSongs([]), storage)
  otherTab.player.pause()
  otherTab.player.playNext(createSong('queued'))
  otherTab.player.setEndless(false)
  const storedItems = new Map(storage.values)
  player.setEndless(false, true)
  expect(player.getSnapshot().endless).toBe(false)
  player.close()
  expect(storage.values).toEqual(storedItems)
  // What a person does in this tab is stored again.
  player.playNext(createSong('other'))
  expect([...storage.values.values()].join()).toContain('Title other')
})

test('Back to the page of an earlier song of a radio goes back in the radio, which then continues', async () => {
  const relatedSongs = ['r1', 'r2', 'r3', 'r4'].map(createSong)
  const { player } = await setUpAtLastSong(() => answerWithSongs(relatedSongs.splice(0)))
  player.setEndless(false)
  relatedSongs.push(...['r1', 'r2', 'r3', 'r4', 'r5'].map(createSong))
  player.startSongRadio(createSong('a'))
  const listUpcomingIds = () => player.getSnapshot().upcoming.map(({ song }) => song.youtube_id)
  await vi.waitFor(() => expect(listUpcomingIds()).toEqual(['r1', 'r2', 'r3', 'r4', 'r5']))
  for (let count = 0; count < 3; count += 1) player.next()
  expect(player.getSnapshot().songId).toBe('r3')
  player.open({ songId: 'r1' })
  expect(player.getSnapshot()).toMatchObject({ status: 'playing', songId: 'r1', isSongRadio: true, contextTitle: 'Radio: Title a' })
  expect(listUpcomingIds()).toEqual(['r2', 'r3', 'r4', 'r5'])
  player.previous()
  expect(player.getSnapshot()).toMatchObject({ songId: 'a', isSongRadio: true })
  // The page of another song ends the radio.
  player.open({ songId: 'b' })
  await vi.waitFor(() => expect(player.getSnapshot()).toMatchObject({ status: 'playing', songId: 'b', isSongRadio: false }))
})
