import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runAdmin, type Site, serverProgram, startSite } from '../e2e/server.ts'
import { benchSongId, generateCatalogue } from './generate-catalogue.ts'
import { type Load, loadAlternately } from './load-server.ts'
import { median, reportFigure } from './report.ts'

// `npm run bench -- before DIR [ROUNDS]`: compares this build's server with the one that was built in the checkout DIR, for frequent reads and for calls with an
// account. Both run at the same time and are loaded alternately; both are started anew for each round, because one process is up to a quarter faster than
// the next of the same program.

const [directory, roundText = '7'] = process.argv.slice(2)
const earlierProgram = resolve(directory ?? '', 'dist/server/main.js')
if (directory === undefined || !existsSync(earlierProgram)) throw new Error('before DIR: DIR must be a checkout with a build')
const SECONDS = 3
/** The lowest accepted median of this build's pace divided by the earlier one's. */
const RATIO_MIN = 0.97

const TOOLKIT = '/identitytoolkit.googleapis.com/v1/accounts:'
const JSON_HEADERS = { 'content-type': 'application/json' }
const credentials = JSON.stringify({ email: 'bench@example.com', password: 'correct horse battery' })

/** Creates an account and returns its identity token. */
async function signUp({ port }: Site): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${TOOLKIT}signUp`, { method: 'POST', headers: JSON_HEADERS, body: credentials })
  const { idToken }: { idToken: string } = await response.json()
  return idToken
}

const post = (path: string, body: string): Load => ({ path, method: 'POST', headers: JSON_HEADERS, body })

const loads: { name: string; create: (idToken: string) => Load }[] = [
  { name: '/song/get', create: () => ({ path: `/api/song/get?s=${benchSongId(1)}&p=bench-100` }) },
  { name: '/playlist/get of 100 songs', create: () => ({ path: '/api/playlist/get?p=bench-100' }) },
  { name: '/radio/get', create: () => ({ path: '/api/radio/get' }) },
  { name: '/account/getinfo', create: (idToken) => ({ path: '/api/account/getinfo', headers: { authorization: `Bearer ${idToken}` } }) },
  { name: 'lookup of an account', create: (idToken) => post(`${TOOLKIT}lookup`, JSON.stringify({ idToken })) },
  {
    name: 'log-in',
    create: () => ({ ...post(`${TOOLKIT}signInWithPassword`, credentials), connections: 4 }),
  },
]

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-bench-'))
try {
  const file = join(workDir, 'catalogue.json')
  await generateCatalogue(file, { songs: 10_000, playlists: 100 })
  const builds = [serverProgram, earlierProgram].map((program, index) => ({ program, dataDir: join(workDir, String(index)) }))
  for (const { program, dataDir } of builds)
    await runAdmin(dataDir, ['catalog', 'import', file], {}, program.replace('main.js', 'admin.js'))
  for (const { name, create } of loads) {
    const ratios: number[] = []
    const paces: number[] = []
    let failures = 0
    for (let round = 0; round < Number(roundText); round++) {
      const sites = []
      for (const { program, dataDir } of builds) {
        const roundDir = `${dataDir}-round`
        await cp(dataDir, roundDir, { recursive: true })
        sites.push(await startSite({ DATA_DIR: roundDir, DEMO: 'off' }, { programFile: program }))
      }
      const servers = []
      for (const site of sites) servers.push({ port: site.port, load: create(await signUp(site)) })
      // The order alternates from round to round, so that neither build always goes first.
      const isReversed = round % 2 === 1
      const measured = await loadAlternately(isReversed ? servers.toReversed() : servers, SECONDS)
      const [own, earlier] = isReversed ? measured.toReversed() : measured
      if (own === undefined || earlier === undefined) throw new Error('a server was not measured')
      ratios.push(own.perSecond / earlier.perSecond)
      paces.push(own.perSecond)
      failures += own.failures
      for (const site of sites) await site.stop()
      for (const { dataDir } of builds) await rm(`${dataDir}-round`, { recursive: true })
    }
    process.stdout.write(`${name}: of the earlier build, by round: ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}\n`)
    reportFigure(`${name}: answers`, median(paces), '/s')
    if (!reportFigure(`${name}: failed answers`, failures, '', { atMost: 0 })) process.exitCode = 1
    if (!reportFigure(`${name}: of the earlier build`, median(ratios), '', { atLeast: RATIO_MIN })) process.exitCode = 1
  }
} finally {
  await rm(workDir, { recursive: true, force: true })
}
