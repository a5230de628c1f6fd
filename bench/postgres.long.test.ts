import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FavoriteSyncResult } from '../contract/favorite.ts'
import type { RadioProgramme } from '../contract/radio.ts'
import { type PostgresCluster, startPostgresCluster } from '../e2e/deploy/postgres-cluster.ts'
import { expectEndedLoginsRefused } from '../e2e/identity/ended-logins.ts'
import { runAdminCommand, startSite } from '../e2e/server.ts'
import { searchCases } from '../testing/search-cases.ts'
import { createBenchSong, generateCatalogue } from './generate-catalogue.ts'
import { runTimedImport } from './timed-import.ts'

// This test needs a build and Debian's package `postgresql`.

const DEVICE_IDS = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000', 'cccccccc-0000-4000-8000-000000000000']

let databaseUrl = ''
let cluster: PostgresCluster
const workDir = await mkdtemp(join(tmpdir(), 'varispeed-postgres-'))

beforeAll(async () => {
  cluster = await startPostgresCluster(workDir)
  cluster.createDatabase('varispeed')
  databaseUrl = cluster.getUrl('varispeed')
})

afterAll(async () => {
  await cluster?.stop()
  await rm(workDir, { recursive: true, force: true })
})

test('PostgreSQL: import, search, songs of a playlist, random songs and settings work', async () => {
  const cataloguePath = join(workDir, 'catalogue.json')
  await generateCatalogue(cataloguePath, { songs: 20_000, playlists: 200 })
  const siteEnv = { DATABASE_URL: databaseUrl }
  const { durationS } = await runTimedImport(join(workDir, 'data'), cataloguePath, siteEnv)
  process.stdout.write(`20,000 songs into PostgreSQL: ${durationS.toFixed(1)} s\n`)
  await runTimedImport(join(workDir, 'data'), cataloguePath, siteEnv)
  const site = await startSite({ DATA_DIR: join(workDir, 'data'), DEMO: 'off', ...siteEnv })
  try {
    const fetchJson = async (urlPath: string) => {
      const response = await fetch(`http://127.0.0.1:${site.port}/api${urlPath}`)
      return { status: response.status, body: await response.text() }
    }
    const searchResponse: { data: { songs: { youtube_id: string; title: string }[] } } = JSON.parse(
      (await fetchJson('/playlist/get?p=bench-100')).body,
    )
    expect(searchResponse.data.songs).toHaveLength(100)
    const [firstSong, secondSong] = searchResponse.data.songs
    const songResponse: { data: { next: string; title: string } } = JSON.parse(
      (await fetchJson(`/song/get?s=${firstSong?.youtube_id}&p=bench-100`)).body,
    )
    expect(songResponse.data.next).toBe(secondSong?.youtube_id)
    const wantedSong = createBenchSong(7)
    const foundSongs = await fetchJson(`/song/search?s=${encodeURIComponent('golden ech')}`)
    expect(foundSongs.status).toBe(200)
    expect(foundSongs.body).toContain(wantedSong.title)
    for (const urlPath of [
      '/song/random',
      '/song/random?p=bench-100',
      '/playlist/all',
      '/playlist/all?home=true',
      '/playlist/explore',
      '/playlist/all?order=DESC',
      '/site',
    ]) {
      expect((await fetchJson(urlPath)).status, urlPath).toBe(200)
    }
    expect((await fetchJson('/playlist/get?p=new')).body).toContain('youtube_id')
  } finally {
    await site.stop()
  }
})

test('PostgreSQL: searches for words in twelve scripts and for punctuation and symbols find the same songs as on SQLite and on a device, whatever the collation of the database', async () => {
  const songs = Object.values(searchCases).flatMap((script) => Object.entries(script.songs))
  const [category_id, category_name] = ['scripts', 'Scripts']
  const cataloguePath = join(workDir, 'scripts.json')
  await writeFile(
    cataloguePath,
    JSON.stringify({
      songs: songs.map(([, [songTitle, author_name]], index) => ({
        ...{ youtube_id: `script_${String(index).padStart(4, '0')}`, title: songTitle, author_name },
        ...{ category_id, category_name, date_added: '2026-01-01' },
      })),
    }),
  )
  const findSongKey = ({ youtube_id }: { youtube_id: string }) => songs[Number(youtube_id.slice(-4))]?.[0]
  for (const [databaseName, clusterOptions] of [
    ['scripts_c', []],
    ['scripts_icu', ['--template=template0', '--locale-provider=icu', '--icu-locale=sv-SE']],
  ] as const) {
    cluster.createDatabase(databaseName, ...clusterOptions)
    const siteEnv = { DATA_DIR: join(workDir, databaseName), DEMO: 'off', DATABASE_URL: cluster.getUrl(databaseName) }
    await runAdminCommand(siteEnv.DATA_DIR, ['catalog', 'import', cataloguePath], siteEnv)
    const site = await startSite(siteEnv)
    const fetchResults = async (path: string, text: string) =>
      (await (await fetch(`http://127.0.0.1:${site.port}/api${path}${encodeURIComponent(text)}`)).json()).data
    try {
      for (const [script, { searches }] of Object.entries(searchCases))
        for (const [searchText, expectedIdText] of searches) {
          const expectedSongIds = expectedIdText.split(' ').filter(Boolean).sort()
          const foundSongs: { youtube_id: string }[] = await fetchResults('/song/search?s=', searchText)
          expect(foundSongs.map(findSongKey).sort(), `${databaseName}, ${script}: '${searchText}'`).toEqual(expectedSongIds)
          const suggestions: { songs: { youtube_id: string }[] } = await fetchResults('/search/suggest?limit=20&s=', searchText)
          expect(suggestions.songs.map(findSongKey).sort(), `${databaseName}, ${script}: suggestions for '${searchText}'`).toEqual(
            expectedSongIds,
          )
        }
    } finally {
      await site.stop()
    }
  }
})

test('PostgreSQL: of two concurrent imports, one is completed and the other fails with the message that an import is running; a later import succeeds', async () => {
  const cataloguePath = join(workDir, 'catalogue-twice.json')
  await generateCatalogue(cataloguePath, { songs: 20_000, playlists: 20 })
  const importCatalogue = (name: string) => runTimedImport(join(workDir, name), cataloguePath, { DATABASE_URL: databaseUrl })
  const importOutcomes = await Promise.allSettled([importCatalogue('first'), importCatalogue('second')])
  const reasons = importOutcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  expect(reasons).toEqual([expect.stringContaining('Another import is under way')])
  expect((await importCatalogue('third')).outputText).toContain('20000')
})

test('PostgreSQL: two servers with one database lose no favorites that are changed on both at the same time', async () => {
  const siteEnv = { DATA_DIR: join(workDir, 'data'), DEMO: 'off', DATABASE_URL: databaseUrl }
  const sites = [await startSite(siteEnv), await startSite(siteEnv)]
  const callSite = async (siteIndex: number, urlPath: string, requestBody: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const response = await fetch(`http://127.0.0.1:${sites[siteIndex]?.port}${urlPath}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(requestBody),
    })
    expect(response.status, urlPath).toBe(200)
    return response.json()
  }
  try {
    const credentials = { email: 'ann@example.com', password: 'secret-1', returnSecureToken: true }
    const { idToken } = await callSite(0, '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any', credentials)
    const syncFavorites = async (site: number, body: object): Promise<FavoriteSyncResult> =>
      (await callSite(site, '/api/favorite/sync', body, idToken)).data
    const startMs = Date.now() - 60_000
    const tapChanges = Array.from({ length: 600 }, (_, changeIndex) => ({
      ...{
        id: randomUUID(),
        s: createBenchSong(changeIndex % 30).youtube_id,
        favorite: changeIndex % 7 < 4,
        at: new Date(startMs + changeIndex).toISOString(),
      },
      device: DEVICE_IDS[changeIndex % 3],
    }))
    const sentChanges = [...tapChanges, ...tapChanges].sort((a, b) => (a.id < b.id ? -1 : 1))
    for (let first = 0; first < sentChanges.length; first += 60)
      await Promise.all(sentChanges.slice(first, first + 60).map((each, i) => syncFavorites(i % 2, { changes: [each] })))
    const [firstSyncResult, otherSyncResult] = [await syncFavorites(0, {}), await syncFavorites(1, {})]
    expect(firstSyncResult).toEqual(otherSyncResult)
    const wantedSong = tapChanges.slice(-30).filter(({ favorite }) => favorite)
    expect(
      firstSyncResult.favorites
        .filter(({ favorite }) => favorite)
        .map(({ s, at }) => `${s} ${at}`)
        .sort(),
    ).toEqual(wantedSong.map(({ s, at }) => `${s} ${at}`).sort())
    expect(Number(firstSyncResult.cursor.split('.')[1])).toBeLessThanOrEqual(tapChanges.length)
    await Promise.all(tapChanges.map((each, i) => syncFavorites(i % 2, { changes: [each] })))
    expect(await syncFavorites(0, {})).toEqual(firstSyncResult)
  } finally {
    for (const site of sites) await site.stop()
  }
})

test('PostgreSQL: two servers with one database refuse the identity token of a login within a second after its end', async () => {
  cluster.createDatabase('logins')
  const siteEnv = { DATA_DIR: join(workDir, 'logins'), DEMO: 'off', DATABASE_URL: cluster.getUrl('logins') }
  const sites = [await startSite(siteEnv), await startSite(siteEnv)]
  try {
    await expectEndedLoginsRefused(sites)
  } finally {
    for (const site of sites) await site.stop()
  }
})

test('PostgreSQL: two servers with one database agree on the songs of the radio, their starts and the number of listeners', async () => {
  const siteEnv = { DATA_DIR: join(workDir, 'data'), DEMO: 'off', DATABASE_URL: databaseUrl }
  const cataloguePath = join(workDir, 'short-songs.json')
  const [category_id, category_name] = ['short', 'Short']
  const songs = Array.from({ length: 8 }, (_, index) => ({
    ...{ youtube_id: `short_song${index}`, title: `Short ${index}`, author_name: 'Somebody', category_id, category_name },
    ...{ date_added: '2026-01-01', duration: 1 + (index % 2) },
  }))
  await writeFile(cataloguePath, JSON.stringify({ songs }))
  await runAdminCommand(siteEnv.DATA_DIR, ['catalog', 'import', cataloguePath], siteEnv)
  await runAdminCommand(siteEnv.DATA_DIR, ['settings', 'set', 'RADIO_MAIN', 'category:short'], siteEnv)
  await runAdminCommand(siteEnv.DATA_DIR, ['settings', 'set', 'SHOW_LISTENERS', 'true'], siteEnv)
  const sites = [await startSite(siteEnv), await startSite(siteEnv)]
  try {
    const radioAnswers: RadioProgramme[][] = []
    for (const endMs = Date.now() + 20_000; Date.now() < endMs; )
      radioAnswers.push(
        await Promise.all(
          sites.map(
            async ({ port }): Promise<RadioProgramme> => (await (await fetch(`http://127.0.0.1:${port}/api/radio/get`)).json()).data,
          ),
        ),
      )
    const songIdByStartMaps = sites.map(
      (_, index) => new Map(radioAnswers.map((each) => [each[index]?.start_time, each[index]?.youtube_id])),
    )
    expect(songIdByStartMaps[0]?.size).toBeGreaterThan(10)
    const songIdByStart = new Map(songIdByStartMaps.flatMap((each) => [...each]))
    for (const each of songIdByStartMaps) for (const [start, songId] of each) expect(songId).toBe(songIdByStart.get(start))
    const lastAnswers = radioAnswers.at(-1) ?? []
    for (const { history } of lastAnswers)
      for (const { start_time, youtube_id } of history.slice(0, 8)) expect(songIdByStart.get(start_time)).toBe(youtube_id)
    // Both servers were asked by the same client, which each of them counts as the only listener.
    expect(lastAnswers.map(({ listeners }) => listeners)).toEqual([1, 1])
  } finally {
    for (const site of sites) await site.stop()
  }
})

test('PostgreSQL: move-to copies all pages and accounts of an SQLite site, and refuses a target database with rows', async () => {
  const dataDir = join(workDir, 'sqlite')
  const cataloguePath = join(workDir, 'moved.json')
  await generateCatalogue(cataloguePath, { songs: 20_000, playlists: 200 })
  await runTimedImport(dataDir, cataloguePath)
  await runAdminCommand(dataDir, ['user', 'create', '--email', 'ann@example.com', '--password', 'secret-1', '--role', 'donator'])
  cluster.createDatabase('moved')
  const movedUrl = cluster.getUrl('moved')
  const urlPaths = ['/playlist/get?p=bench-100', `/song/search?s=${encodeURIComponent('golden ech')}`, '/playlist/all', '/member/all']
  const fetchApiResponses = async (env: Record<string, string>) => {
    const site = await startSite({ DATA_DIR: dataDir, DEMO: 'off', ...env })
    try {
      return await Promise.all(urlPaths.map(async (path) => (await fetch(`http://127.0.0.1:${site.port}/api${path}`)).json()))
    } finally {
      await site.stop()
    }
  }
  const responsesBefore = await fetchApiResponses({})
  const userList = await runAdminCommand(dataDir, ['user', 'list', '--json'])
  expect(JSON.parse(await runAdminCommand(dataDir, ['move-to', '--database-url', movedUrl, '--json']))).toMatchObject({
    tables: { accounts: 1, roles: 1, 'catalogue.songs': 20_000 },
  })
  const siteEnv = { DATABASE_URL: movedUrl }
  expect(await fetchApiResponses(siteEnv)).toEqual(responsesBefore)
  expect(await runAdminCommand(dataDir, ['user', 'list', '--json'], siteEnv)).toBe(userList)
  expect(await runAdminCommand(dataDir, ['check'], siteEnv)).toBe('Everything is in order.\n')
  await expect(runAdminCommand(dataDir, ['move-to', '--database-url', movedUrl])).rejects.toThrow('is not empty')
})
