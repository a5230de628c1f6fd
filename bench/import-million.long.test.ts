import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startSite } from '../e2e/server.ts'
import { createBenchSong, generateCatalogue } from './generate-catalogue.ts'
import { runTimedImport } from './timed-import.ts'

// This test runs the built server, so it needs `npm run build`.

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-million-'))
afterAll(() => rm(workDir, { recursive: true, force: true }))

test('a million songs are imported in minutes with bounded memory, and the API returns them', async () => {
  const cataloguePath = join(workDir, 'million.json')
  await generateCatalogue(cataloguePath, { songs: 1_000_000, playlists: 2000 })
  const dataDir = join(workDir, 'data')
  const { durationS, peakMib } = await runTimedImport(dataDir, cataloguePath)
  process.stdout.write(`a million songs: ${durationS.toFixed(0)} s, ${peakMib.toFixed(0)} MiB at most\n`)
  expect(peakMib).toBeLessThan(400)
  expect(durationS).toBeLessThan(600)
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  try {
    const lastSong = createBenchSong(999_999)
    const response = await fetch(`http://127.0.0.1:${site.port}/api/song/get?s=${lastSong.youtube_id}`)
    const { data }: { data: { title: string } } = await response.json()
    expect(data.title).toBe(lastSong.title)
  } finally {
    await site.stop()
  }
})
