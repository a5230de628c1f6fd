import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { describeFailure, runCommand } from '../admin/run-command.ts'
import { type SimulatedYoutube, startSimulatedYoutube } from '../admin/youtube/testing/youtube-peer.ts'
import { createYoutubeApi } from '../admin/youtube/youtube-api.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import { createLog } from '../log.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRow, songReadOptions } from '../storage/testing/fixture.ts'
import { createTestApp } from '../test-app.ts'
import { startSweeps, sweepVideos } from './sweep.ts'

let peer: SimulatedYoutube
beforeEach(async () => {
  peer = await startSimulatedYoutube()
})
afterEach(() => peer.close())

const NOW_MS = Date.UTC(2026, 6, 1)
const createVideoId = (n: number) => `video_${String(n).padStart(5, '0')}`

describeStores('sweep', (fixture) => {
  let nowMs = NOW_MS
  const openApi = (requestsMax = 1000) =>
    createYoutubeApi(
      { apiKey: peer.env.YOUTUBE_API_KEY, apiBase: peer.env.YOUTUBE_API_BASE },
      { delay: () => Promise.resolve(), requestsMax },
    )
  const runSweep = (requestsMax?: number) => sweepVideos({ sweep: fixture.storage.sweep, api: openApi(requestsMax), nowMs: () => nowMs })
  const listExcluded = async () => (await fixture.storage.songs.listUnplayable(nowMs)).map(({ youtube_id, reason }) => [youtube_id, reason])
  const listNumbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)
  /** Imports songs in the order of their numbers, whose videos YouTube does not know. */
  const importDeadSongs = (songNumbers: readonly number[]) =>
    fixture.importRows({
      songs: songNumbers.map((n) => createSongRow(n, { youtube_id: createVideoId(n), title: `Song ${String(n).padStart(4, '0')}` })),
    })
  const importSongs = async (songCount: number) => {
    nowMs = NOW_MS
    await importDeadSongs(listNumbers(1, songCount))
    for (const n of listNumbers(1, songCount)) peer.videos.set(createVideoId(n), { title: `Song ${n}` })
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

  test('sweep: a response in which all videos are missing is ignored if no other song is known', async () => {
    await importSongs(12)
    peer.videos.clear()
    expect(await runSweep()).toMatchObject({ checked: 0, stopped: expect.stringContaining('knows none of 12') })
    expect(await listExcluded()).toEqual([])
  })

  test('sweep: songs that were playable and are all missing at the same time are ignored', async () => {
    await importSongs(120)
    await runSweep()
    nowMs += 20 * DAY_MS
    peer.videos.clear()
    peer.requestTexts.length = 0
    expect(await runSweep()).toMatchObject({ checked: 0, stopped: expect.stringContaining('knows none of 50') })
    expect(await listExcluded()).toEqual([])
    expect(peer.requestTexts).toHaveLength(2)
  })

  test('sweep: after an import of more dead songs than a request asks for, they are excluded, and the other songs are checked', async () => {
    await importSongs(20)
    await runSweep()
    await importDeadSongs(listNumbers(1001, 1120))
    nowMs += 20 * DAY_MS
    expect(await runSweep()).toEqual({ checked: 140, obstacles: { gone: 120 }, stopped: null })
    expect(await listExcluded()).toHaveLength(120)
    expect(await runSweep()).toMatchObject({ checked: 0, stopped: null })
  })

  test('sweep: if no song was ever playable, dead songs are excluded once another song of the catalogue is known', async () => {
    await importSongs(130)
    for (const n of listNumbers(1, 100)) peer.videos.delete(createVideoId(n))
    expect(await runSweep()).toEqual({ checked: 130, obstacles: { gone: 100 }, stopped: null })
  })

  test('sweep: each attempt of a request counts toward the limit of requests', async () => {
    await importSongs(120)
    peer.faults = Array.from({ length: 2 }, () => ({ status: 503, reason: 'backendError' }))
    expect(await runSweep(4)).toMatchObject({ checked: 100, stopped: expect.stringContaining('4 requests') })
    expect(peer.requestTexts).toHaveLength(4)
    expect(await runSweep()).toMatchObject({ checked: 20, stopped: null })
  })

  test('sweep: the revision changes only if an exclusion or a length changes', async () => {
    await fixture.importRows({ songs: listNumbers(1, 3).map((n) => createSongRow(n, { youtube_id: createVideoId(n), duration: 200 })) })
    nowMs = NOW_MS
    for (const n of listNumbers(1, 3)) peer.videos.set(createVideoId(n), { title: `Song ${n}` })
    const expectRevisionChange = async (expectedChange: number) => {
      const revisionBefore = fixture.storage.revision()
      nowMs += 20 * DAY_MS
      await runSweep()
      // On PostgreSQL, the revision is read twice a second.
      if (fixture.kind === 'postgres') await sleep(700)
      await vi.waitFor(() => expect(fixture.storage.revision() - revisionBefore).toBe(expectedChange), { timeout: 20_000 })
    }
    await expectRevisionChange(0)
    peer.videos.delete(createVideoId(1))
    await expectRevisionChange(1)
    await expectRevisionChange(0)
    peer.videos.set(createVideoId(1), { title: 'Song 1' })
    await expectRevisionChange(1)
    await importSongs(4)
    await expectRevisionChange(1)
    await expectRevisionChange(0)
  })

  test('sweep: while a sweep runs, no other begins', async () => {
    await importSongs(120)
    const summaries = await Promise.all([runSweep(), runSweep(), runSweep()])
    expect(summaries.filter((summary) => summary !== undefined)).toEqual([{ checked: 120, obstacles: {}, stopped: null }])
    expect(peer.requestTexts).toHaveLength(3)
    expect(await runSweep()).toMatchObject({ checked: 0, stopped: null })
  })

  test('sweep: the claim of an interrupted sweep ends after its time, and a sweep that has lost its claim stops', async () => {
    await importSongs(3)
    const { sweep } = fixture.storage
    expect(await sweep.claimRun(nowMs + 20 * MINUTE_MS, nowMs)).toBe(true)
    expect(await runSweep()).toBeUndefined()
    nowMs += 20 * MINUTE_MS
    expect(await runSweep()).toMatchObject({ checked: 3 })
    nowMs += 20 * DAY_MS
    const losesClaim = async () => sweep.claimRun(nowMs + 60 * MINUTE_MS, nowMs + 30 * MINUTE_MS)
    expect(await sweepVideos({ sweep, api: openApi(), nowMs: () => nowMs }, losesClaim)).toMatchObject({
      checked: 0,
      stopped: expect.stringContaining('another sweep has begun'),
    })
    expect(await runSweep(), 'the other sweep keeps its claim').toBeUndefined()
  })

  test('sweep: a night whose sweep another one delays is swept later in the night, once', async () => {
    await importSongs(3)
    nowMs = NOW_MS + 3 * HOUR_MS
    const { sweep } = fixture.storage
    const claimResults: boolean[] = []
    const claimRun: typeof sweep.claimRun = async (...args) => {
      const isClaimed = await sweep.claimRun(...args)
      claimResults.push(isClaimed)
      return isClaimed
    }
    const logLines: string[] = []
    const log = createLog('info', { write: (line) => logLines.push(line) })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const youtube = { apiKey: peer.env.YOUTUBE_API_KEY, apiBase: peer.env.YOUTUBE_API_BASE }
    const stopSweeps = startSweeps({ youtube }, { sweep: { ...sweep, claimRun } }, () => nowMs, log)
    const runTimer = async (attemptCount: number) => {
      vi.advanceTimersByTime(HOUR_MS / 2)
      await vi.waitFor(() => expect(claimResults).toHaveLength(attemptCount), { timeout: 20_000 })
    }
    try {
      await sweep.claimRun(nowMs + 20 * MINUTE_MS, nowMs)
      await runTimer(1)
      nowMs += HOUR_MS / 2
      await runTimer(2)
      await vi.waitFor(() => expect(logLines.join('')).toContain('"checked":3'), { timeout: 20_000 })
      nowMs += HOUR_MS / 2
      await runTimer(3)
      expect(claimResults).toEqual([false, true, true])
      // The claim of a run that does nothing is released.
      await vi.waitFor(async () => expect(await sweep.claimRun(nowMs + MINUTE_MS, nowMs)).toBe(true), { timeout: 20_000 })
      expect(logLines).toHaveLength(1)
      expect(peer.requestTexts).toHaveLength(1)
    } finally {
      stopSweeps()
      vi.useRealTimers()
    }
  })

  test('sweep: of several processes, only one sweeps in a night', async () => {
    const claims = await Promise.all([1, 2, 3].map(() => fixture.storage.sweep.claimNight(NOW_MS, NOW_MS - DAY_MS)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await fixture.storage.sweep.claimNight(NOW_MS + DAY_MS, NOW_MS)).toBe(true)
  })
})

test('catalog sweep: it is refused while another sweep runs', async () => {
  const testApp = await createTestApp()
  try {
    const runAdmin = () => runCommand(['catalog', 'sweep', '--json'], { env: { ...testApp.environment, ...peer.env } })
    const claimedUntilMs = Date.now() + 20 * MINUTE_MS
    await testApp.storage.sweep.claimRun(claimedUntilMs, Date.now())
    expect(describeFailure(await runAdmin().catch((error: unknown) => error))).toEqual({
      message: 'Another sweep runs, or was interrupted within the last 20 minutes',
      exitCode: 1,
    })
    expect(peer.requestTexts).toEqual([])
    await testApp.storage.sweep.moveRunClaim(claimedUntilMs, 0)
    const { youtube_id: songId } = (await testApp.app.inject('/api/radio/get')).json().data
    peer.videos.set(songId, { title: 'x' })
    const { checked } = JSON.parse(await runAdmin())
    expect(checked).toBeGreaterThan(0)
  } finally {
    await testApp.close()
  }
})
