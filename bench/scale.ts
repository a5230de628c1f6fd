import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '../e2e/server.ts'
import { generateCatalogue } from './generate-catalogue.ts'
import { median, report } from './report.ts'
import { loadSearch } from './search-load.ts'
import { timedImport } from './timed-import.ts'
import { timeJourneys } from './timed-journeys.ts'

// What a large catalogue costs: imports, the same journeys beside the demo's, and search under load.
// `npm run bench -- scale [--no-million]`; needs a build and Chromium.

const withMillion = !process.argv.includes('--no-million')
const work = await mkdtemp(join(tmpdir(), 'varispeed-scale-'))
const kept: boolean[] = []
const check = (...args: Parameters<typeof report>) => kept.push(report(...args))

async function imported(songs: number, playlists: number) {
  const dataDir = join(work, `data-${songs}`)
  const file = join(work, `${songs}.json`)
  await generateCatalogue(file, { songs, playlists })
  const figures = await timedImport(dataDir, file)
  await rm(file)
  return { dataDir, ...figures }
}

async function measureSearch(dataDir: string, songs: number, name: string, atMostMs: number) {
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  try {
    const figures = await loadSearch(site.port, songs, 8)
    check(`search, ${name} songs, 40 connections: p99`, figures.p99Ms, 'ms', { atMost: atMostMs })
    report(`search, ${name} songs: median`, figures.p50Ms, 'ms')
    report(`search, ${name} songs: answers`, figures.perSecond, '/s')
    check(`search, ${name} songs: failed answers`, figures.failures, '', { atMost: 0 })
  } finally {
    await site.stop()
  }
}

try {
  const small = await imported(1000, 40)
  await measureSearch(small.dataDir, 1000, '1k', 10)

  const large = await imported(100_000, 2000)
  check('import of 100,000 songs and 2,000 playlists', large.seconds, 's', { atMost: 60 })
  check('its peak memory', large.peakMib, 'MiB', { atMost: 300 })
  await measureSearch(large.dataDir, 100_000, '100k', 20)

  const demo = await startSite()
  const big = await startSite({ DATA_DIR: large.dataDir, DEMO: 'off' })
  try {
    const list: { data: { id: string }[] } = await (await fetch(`http://127.0.0.1:${demo.port}/api/playlist/all`)).json()
    const [demoTimes, bigTimes] = await timeJourneys(
      [
        { origin: demo.origin(), journeys: { home: '/', playlist: `/playlist?p=${list.data[0]?.id}`, search: '/search?q=a' } },
        { origin: big.origin(), journeys: { home: '/', playlist: '/playlist?p=bench-100', search: '/search?q=a' } },
      ],
      5,
    )
    for (const name of ['home', 'playlist', 'search'] as const) {
      const demoMs = median(demoTimes?.[name] ?? [])
      const bigMs = median(bigTimes?.[name] ?? [])
      report(`journey to ${name}, demo`, demoMs, 'ms')
      report(`journey to ${name}, 100,000 songs`, bigMs, 'ms')
      check(`journey to ${name}: ratio to the demo`, bigMs / demoMs, '', { atMost: 1.25 })
    }
  } finally {
    await demo.stop()
    await big.stop()
  }
  await rm(large.dataDir, { recursive: true, force: true })

  if (withMillion) {
    const million = await imported(1_000_000, 2000)
    check('import of 1,000,000 songs', million.seconds, 's', { atMost: 180 })
    check('its peak memory', million.peakMib, 'MiB', { atMost: 300 })
    await measureSearch(million.dataDir, 1_000_000, '1M', 50)
  }
} finally {
  await rm(work, { recursive: true, force: true })
}
process.exitCode = kept.every(Boolean) ? 0 : 1
