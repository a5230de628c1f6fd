import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startSite } from '../e2e/server.ts'
import { benchSong, generateCatalogue } from './generate-catalogue.ts'
import { timedImport } from './timed-import.ts'

// Needs a build. A million songs: minutes, bounded memory, and a site that answers from them.

const work = await mkdtemp(join(tmpdir(), 'varispeed-million-'))
afterAll(() => rm(work, { recursive: true, force: true }))

test('a million songs import in minutes, with bounded memory, and are found', async () => {
  const file = join(work, 'million.json')
  await generateCatalogue(file, { songs: 1_000_000, playlists: 2000 })
  const dataDir = join(work, 'data')
  const { seconds, peakMib } = await timedImport(dataDir, file)
  process.stdout.write(`a million songs: ${seconds.toFixed(0)} s, ${peakMib.toFixed(0)} MiB at most\n`)
  expect(peakMib).toBeLessThan(400)
  expect(seconds).toBeLessThan(600)
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  try {
    const last = benchSong(999_999)
    const answer = await fetch(`http://127.0.0.1:${site.port}/api/song/get?s=${last.youtube_id}`)
    const { data }: { data: { title: string } } = await answer.json()
    expect(data.title).toBe(last.title)
  } finally {
    await site.stop()
  }
})
