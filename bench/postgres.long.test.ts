import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FavoriteSynced } from '../contract/favorite.ts'
import { freePort, startSite } from '../e2e/server.ts'
import { benchSong, generateCatalogue } from './generate-catalogue.ts'
import { timedImport } from './timed-import.ts'

// Needs a build and Debian's `postgresql`. The built server and the admin command over a real PostgreSQL, which is started here
// on a free port, as a user of its own where this runs as root, and ended by its id.

const versions = '/usr/lib/postgresql'
const version = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] : undefined
const programs = `${versions}/${version}/bin`
const asRoot = process.getuid?.() === 0
const idOf = (flag: '-u' | '-g') => Number(execFileSync('id', [flag, 'postgres']).toString())
const user = asRoot && version !== undefined ? { uid: idOf('-u'), gid: idOf('-g') } : {}

const DEVICES = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000', 'cccccccc-0000-4000-8000-000000000000']

let url = ''
let stop = async () => {}
const work = await mkdtemp(join(tmpdir(), 'varispeed-postgres-'))

beforeAll(async () => {
  if (version === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql')
  const data = join(work, 'cluster')
  await chmod(work, 0o755)
  await mkdir(data)
  if (user.uid !== undefined) await chown(data, user.uid, user.gid)
  execFileSync(`${programs}/initdb`, ['-D', data, '-U', 'varispeed', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'], {
    ...user,
    cwd: data,
    stdio: 'ignore',
  })
  const port = await freePort()
  const server = spawn(
    `${programs}/postgres`,
    ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${data}`],
    {
      ...user,
      cwd: data,
      stdio: 'ignore',
    },
  )
  stop = async () => {
    server.kill('SIGINT')
    await once(server, 'exit')
  }
  for (let attempt = 0; ; attempt++) {
    try {
      execFileSync(`${programs}/createdb`, ['-h', '127.0.0.1', '-p', String(port), '-U', 'varispeed', 'varispeed'], { stdio: 'ignore' })
      break
    } catch (error) {
      if (attempt > 60) throw error
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  url = `postgres://varispeed@127.0.0.1:${port}/varispeed`
})

afterAll(async () => {
  await stop()
  await rm(work, { recursive: true, force: true })
})

test('the site runs on PostgreSQL: import, search, songs in their playlist, random, settings', async () => {
  const file = join(work, 'catalogue.json')
  await generateCatalogue(file, { songs: 20_000, playlists: 200 })
  const env = { DATABASE_URL: url }
  const { seconds } = await timedImport(join(work, 'data'), file, env)
  process.stdout.write(`20,000 songs into PostgreSQL: ${seconds.toFixed(1)} s\n`)
  await timedImport(join(work, 'data'), file, env)
  const site = await startSite({ DATA_DIR: join(work, 'data'), DEMO: 'off', ...env })
  try {
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${site.port}/api${path}`)
      return { status: answer.status, body: await answer.text() }
    }
    const list: { data: { songs: { youtube_id: string; title: string }[] } } = JSON.parse((await get('/playlist/get?p=bench-100')).body)
    expect(list.data.songs).toHaveLength(100)
    const [first, second] = list.data.songs
    const song: { data: { next: string; title: string } } = JSON.parse((await get(`/song/get?s=${first?.youtube_id}&p=bench-100`)).body)
    expect(song.data.next).toBe(second?.youtube_id)
    const wanted = benchSong(7)
    const found = await get(`/song/search?s=${encodeURIComponent('golden ech')}`)
    expect(found.status).toBe(200)
    expect(found.body).toContain(wanted.title)
    for (const path of [
      '/song/random',
      '/song/random?p=bench-100',
      '/playlist/all',
      '/playlist/all?home=true',
      '/playlist/explore',
      '/playlist/all?order=DESC',
      '/site',
    ]) {
      expect((await get(path)).status, path).toBe(200)
    }
    expect((await get('/playlist/get?p=new')).body).toContain('youtube_id')
  } finally {
    await site.stop()
  }
})

test('two servers over one PostgreSQL lose nothing of favorites that are changed at both at once', async () => {
  const env = { DATA_DIR: join(work, 'data'), DEMO: 'off', DATABASE_URL: url }
  const sites = [await startSite(env), await startSite(env)]
  const call = async (site: number, path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`http://127.0.0.1:${sites[site]?.port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status, path).toBe(200)
    return answer.json()
  }
  try {
    const credentials = { email: 'ann@example.com', password: 'secret-1', returnSecureToken: true }
    const { idToken } = await call(0, '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any', credentials)
    const sync = async (site: number, body: object): Promise<FavoriteSynced> => (await call(site, '/api/favorite/sync', body, idToken)).data
    const begin = Date.now() - 60_000
    const taps = Array.from({ length: 600 }, (_, i) => ({
      ...{ id: randomUUID(), s: benchSong(i % 30).youtube_id, favorite: i % 7 < 4, at: new Date(begin + i).toISOString() },
      device: DEVICES[i % 3],
    }))
    const told = [...taps, ...taps].sort((a, b) => (a.id < b.id ? -1 : 1))
    for (let first = 0; first < told.length; first += 60)
      await Promise.all(told.slice(first, first + 60).map((each, i) => sync(i % 2, { changes: [each] })))
    const [one, other] = [await sync(0, {}), await sync(1, {})]
    expect(one).toEqual(other)
    const wanted = taps.slice(-30).filter(({ favorite }) => favorite)
    expect(
      one.favorites
        .filter(({ favorite }) => favorite)
        .map(({ s, at }) => `${s} ${at}`)
        .sort(),
    ).toEqual(wanted.map(({ s, at }) => `${s} ${at}`).sort())
    expect(Number(one.cursor.split('.')[1])).toBeLessThanOrEqual(taps.length)
    await Promise.all(taps.map((each, i) => sync(i % 2, { changes: [each] })))
    expect(await sync(0, {})).toEqual(one)
  } finally {
    for (const site of sites) await site.stop()
  }
})
