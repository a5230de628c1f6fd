import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSite } from '../e2e/server.ts'
import { generateCatalogue } from './generate-catalogue.ts'
import { computeMedian, reportFigure } from './report.ts'
import { createSearchPaths, createSuggestPaths, measureSearchUnderLoad } from './search-load.ts'
import { runTimedImport } from './timed-import.ts'
import { timeJourneys } from './timed-journeys.ts'

// `npm run bench -- scale [--no-million]`: imports of large catalogues, page loads compared with the demo catalogue, and search under load. Needs
// a build and Chromium.

const includesMillion = !process.argv.includes('--no-million')
const workDir = await mkdtemp(join(tmpdir(), 'varispeed-scale-'))
const goalResults: boolean[] = []
const reportResult = (...args: Parameters<typeof reportFigure>) => goalResults.push(reportFigure(...args))

async function importCatalogue(songCount: number, playlistCount: number) {
  const dataDir = join(workDir, `data-${songCount}`)
  const cataloguePath = join(workDir, `${songCount}.json`)
  await generateCatalogue(cataloguePath, { songs: songCount, playlists: playlistCount })
  const importFigures = await runTimedImport(dataDir, cataloguePath)
  await rm(cataloguePath)
  return { dataDir, ...importFigures }
}

async function measureSearch(dataDir: string, songCount: number, runName: string, atMostMs: { search: number; suggestions: number }) {
  const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off' })
  try {
    const measuredKinds = [
      { kind: 'search', createPaths: createSearchPaths, atMost: atMostMs.search },
      { kind: 'suggestions', createPaths: createSuggestPaths, atMost: atMostMs.suggestions },
    ]
    for (const { kind, createPaths, atMost } of measuredKinds) {
      const searchFigures = await measureSearchUnderLoad(site.port, songCount, 8, createPaths)
      reportResult(`${kind}, ${runName} songs, 40 connections: p99`, searchFigures.p99Ms, 'ms', { atMost })
      reportFigure(`${kind}, ${runName} songs: median`, searchFigures.p50Ms, 'ms')
      reportFigure(`${kind}, ${runName} songs: answers`, searchFigures.requestsPerSecond, '/s')
      reportResult(`${kind}, ${runName} songs: failed answers`, searchFigures.failureCount, '', { atMost: 0 })
    }
  } finally {
    await site.stop()
  }
}

try {
  const smallCatalogue = await importCatalogue(1000, 40)
  await measureSearch(smallCatalogue.dataDir, 1000, '1k', { search: 10, suggestions: 10 })

  const largeCatalogue = await importCatalogue(100_000, 2000)
  reportResult('import of 100,000 songs and 2,000 playlists', largeCatalogue.durationS, 's', { atMost: 60 })
  reportResult('its peak memory', largeCatalogue.peakMib, 'MiB', { atMost: 300 })
  await measureSearch(largeCatalogue.dataDir, 100_000, '100k', { search: 20, suggestions: 10 })

  const demoSite = await startSite()
  const bigSite = await startSite({ DATA_DIR: largeCatalogue.dataDir, DEMO: 'off' })
  try {
    const playlistsResponse: { data: { id: string }[] } = await (await fetch(`http://127.0.0.1:${demoSite.port}/api/playlist/all`)).json()
    const [demoJourneyTimes, largeJourneyTimes] = await timeJourneys(
      [
        {
          origin: demoSite.origin(),
          journeys: { home: '/', playlist: `/playlist?p=${playlistsResponse.data[0]?.id}`, search: '/search?q=a' },
        },
        { origin: bigSite.origin(), journeys: { home: '/', playlist: '/playlist?p=bench-100', search: '/search?q=a' } },
      ],
      5,
    )
    for (const pageName of ['home', 'playlist', 'search'] as const) {
      const demoSiteMs = computeMedian(demoJourneyTimes?.[pageName] ?? [])
      const bigSiteMs = computeMedian(largeJourneyTimes?.[pageName] ?? [])
      reportFigure(`journey to ${pageName}, demo`, demoSiteMs, 'ms')
      reportFigure(`journey to ${pageName}, 100,000 songs`, bigSiteMs, 'ms')
      reportResult(`journey to ${pageName}: ratio to the demo`, bigSiteMs / demoSiteMs, '', { atMost: 1.25 })
    }
  } finally {
    await demoSite.stop()
    await bigSite.stop()
  }
  await rm(largeCatalogue.dataDir, { recursive: true, force: true })

  if (includesMillion) {
    const millionImport = await importCatalogue(1_000_000, 2000)
    reportResult('import of 1,000,000 songs', millionImport.durationS, 's', { atMost: 180 })
    reportResult('its peak memory', millionImport.peakMib, 'MiB', { atMost: 300 })
    await measureSearch(millionImport.dataDir, 1_000_000, '1M', { search: 50, suggestions: 50 })
  }
} finally {
  await rm(workDir, { recursive: true, force: true })
}
process.exitCode = goalResults.every(Boolean) ? 0 : 1
