import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SimulatedYoutube, startSimulatedYoutube } from '../admin/youtube/testing/youtube-peer.ts'
import { createYoutubeApi } from '../admin/youtube/youtube-api.ts'
import { DAY_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, songReadOptions } from '../storage/testing/fixture.ts'
import { sweepVideos } from './sweep.ts'

let peer: SimulatedYoutube
beforeEach(async () => {
  peer = await startSimulatedYoutube()
})
afterEach(() => peer.close())

const NOW_MS = Date.UTC(2026, 6, 1)
const createVideoId = (n: number) => `video_${String(n).padStart(5, '0')}`

describeStores('sweep', (fixture) => {
  let nowMs = NOW_MS
  const openApi = () =>
    createYoutubeApi({ apiKey: peer.env.YOUTUBE_API_KEY, apiBase: peer.env.YOUTUBE_API_BASE }, { delay: () => Promise.resolve() })
  const runSweep = () => sweepVideos({ sweep: fixture.storage.sweep, api: openApi(), nowMs: () => nowMs })
  const listExcluded = async () => (await fixture.storage.songs.listUnplayable(nowMs)).map(({ youtube_id, reason }) => [youtube_id, reason])
  const importSongs = async (songCount: number) => {
    nowMs = NOW_MS
    const songNumbers = Array.from({ length: songCount }, (_, i) => i + 1)
    await fixture.importRows({
      songs: songNumbers.map((n) => createSongRow(n, { youtube_id: createVideoId(n), title: `Song ${String(n).padStart(4, '0')}` })),
    })
    for (const n of songNumbers) peer.videos.set(createVideoId(n), { title: `Song ${n}` })
  }

  test('sweep: songs whose videos were deleted or can no longer be embedded are excluded with the reason, and return once they can be played; missing lengths are stored', async () => {
    await importSongs(4)
    peer.videos.delete(createVideoId(1))
    peer.videos.set(createVideoId(2), { title: 'x', embeddable: false })
    peer.videos.set(createVideoId(3), { title: 'x', blockedCountries: Array.from({ length: 200 }, (_, i) => `C${i}`) })
    expect(await runSweep()).toEqual({
      checked: 4,
      obstacles: { gone: 1, 'not embeddable': 1, 'blocked in most countries': 1 },
      stopped: null,
    })
    expect(await listExcluded()).toEqual([
      [createVideoId(1), 'gone'],
      [createVideoId(2), 'not embeddable'],
      [createVideoId(3), 'blocked in most countries'],
    ])
    expect(await fixture.storage.songs.get(createVideoId(4), undefined, songReadOptions)).toMatchObject({ duration: 200 })
    expect(await runSweep()).toMatchObject({ checked: 0 })

    nowMs += 20 * DAY_MS
    peer.videos.set(createVideoId(2), { title: 'x' })
    await runSweep()
    expect((await listExcluded()).map(([id]) => id)).toEqual([createVideoId(1), createVideoId(3)])
    // Each later check of an unplayable video renews the song's exclusion, so that it does not end after a month.
    nowMs += 20 * DAY_MS
    await fixture.storage.deleteExpired(nowMs)
    expect(await listExcluded()).toHaveLength(2)
  })

  test('sweep: an exhausted quota stops the sweep, and the next sweep continues with the remaining songs; 50 songs take one request', async () => {
    await importSongs(120)
    peer.remainingQuota = 1
    expect(await runSweep()).toMatchObject({ checked: 50, stopped: expect.stringContaining('quota') })
    peer.remainingQuota = 100
    peer.requestTexts.length = 0
    expect(await runSweep()).toMatchObject({ checked: 70, stopped: null })
    expect(peer.requestTexts).toHaveLength(2)
    expect(peer.requestTexts[0]).toContain(createVideoId(51))
  })

  test('sweep: a response in which all videos are missing is ignored', async () => {
    await importSongs(12)
    peer.videos.clear()
    expect(await runSweep()).toMatchObject({ checked: 0, stopped: expect.stringContaining('knows none of 12') })
    expect(await listExcluded()).toEqual([])
  })

  test('sweep: of several processes, only one sweeps in a night', async () => {
    const claims = await Promise.all([1, 2, 3].map(() => fixture.storage.sweep.claim(NOW_MS, NOW_MS - DAY_MS)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await fixture.storage.sweep.claim(NOW_MS + DAY_MS, NOW_MS)).toBe(true)
  })
})
