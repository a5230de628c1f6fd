import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pLimit from 'p-limit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ACCOUNT_CHANGES_MAX } from '../../server/storage/applied-changes.ts'
import { CONTACTS_PER_DAY } from '../../server/storage/contacts-store.ts'
import { PLAYS_PER_HOUR } from '../../server/storage/plays.ts'
import { REPORTS_PER_DAY } from '../../server/storage/unplayable.ts'
import { runAdmin, type Site, startSite } from '../server.ts'

// The built server on a disk of 60 MB (a tmpfs of Linux, which root can mount) while visitors try to fill it.

const canMount = process.platform === 'linux' && process.getuid?.() === 0

const DISK_MB = 60
const UPLOADS = 1000
const CALLS = 10_000
const SONGS = 2000
/** Visitors come from this number of networks, and have this number of accounts. */
const NETWORKS = 20
const ACCOUNTS = 10
const REMOVALS_PER_SYNC = 20
const MEBIBYTE = 1024 ** 2

const songId = (number: number) => `song_${String(number).padStart(6, '0')}`
const BOUNDARY = 'b0undary'
const fileHead = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n`
const inFile = fileHead + 'x'.repeat(300_000)
const betweenParts = `${inFile}\r\n--${BOUNDARY}\r\n`
const inField = `${betweenParts}Content-Disposition: form-data; name="x"\r\n\r\nabc`

describe.skipIf(!canMount)('a small disk (needs Linux and root)', () => {
  let disk = ''
  let site: Site
  let env: Record<string, string>
  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'varispeed-disk-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk])
    const songs = Array.from({ length: SONGS }, (_, number) => ({
      youtube_id: songId(number),
      title: `Song ${number}`,
      author_name: 'Somebody',
      category_id: 'a',
      category_name: 'A',
      date_added: '2026-01-01',
    }))
    const file = join(disk, 'catalogue.json')
    await writeFile(file, JSON.stringify({ songs }))
    await runAdmin(disk, ['catalog', 'import', file])
    await rm(file)
    env = { DATA_DIR: disk, DEMO: 'off', TRUST_PROXY: '127.0.0.1' }
    site = await startSite(env)
  })
  afterAll(async () => {
    await site?.stop()
    execFileSync('umount', [disk])
    await rm(disk, { recursive: true })
  })

  async function call(path: string, body: object | undefined, { token, network = 0 }: { token?: string; network?: number } = {}) {
    const response = await fetch(`http://127.0.0.1:${site.port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `20.0.${network}.1`,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  const identity = (method: string, number: number) =>
    call(`/identitytoolkit.googleapis.com/v1/accounts:${method}?key=any`, {
      email: `person${number}@example.com`,
      password: 'tempo160-of-mine',
      returnSecureToken: true,
    })

  /** Makes the calls of visitors, some at once. Returns how many got each status. */
  async function callMany(count: number, callOne: (index: number) => Promise<{ status: number }>): Promise<Record<number, number>> {
    const limit = pLimit(20)
    const statuses: Record<number, number> = {}
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        limit(async () => {
          const { status } = await callOne(index)
          statuses[status] = (statuses[status] ?? 0) + 1
        }),
      ),
    )
    return statuses
  }

  function beginUpload(body: string, token?: string) {
    const socket = connect({ port: site.port, host: '127.0.0.1' }).on('error', () => undefined)
    const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
    socket.write(
      `POST /api/make/convert HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 9000000\r\n\r\n${body}`,
    )
    return socket
  }
  const listUploads = async () => (await readdir(join(disk, 'conversions'))).filter((name) => name.endsWith('.upload'))
  const countRows = () => {
    const database = new Database(join(disk, 'varispeed.sqlite'), { readonly: true })
    const count = (table: string) => Number(database.prepare(`select count(*) from ${table}`).pluck().get())
    const tables = ['play_marks', 'playlist_plays', 'unplayable_reports', 'unplayable_songs', 'applied_changes', 'favorites', 'contacts']
    const rows = Object.fromEntries(tables.map((table) => [table, count(table)]))
    database.close()
    return rows
  }
  async function usedMegabytes(): Promise<number> {
    const names = await readdir(disk, { recursive: true })
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(disk, name)).catch(() => undefined))?.size ?? 0))
    return sizes.reduce((sum, size) => sum + size, 0) / MEBIBYTE
  }

  async function expectService(number: number) {
    const login = await identity('signInWithPassword', number)
    expect(login).toMatchObject({ status: 200 })
    const token: string = login.body.idToken
    expect(await call('/api/favorite/add', { s: songId(1) }, { token })).toMatchObject({ status: 200 })
    expect(await call('/api/favorite/getall', undefined, { token })).toMatchObject({ status: 200, body: { data: [{}] } })
    const message = { topic: 'song-report', message: 'A title is wrong.' }
    expect(await call('/api/contact/request', message)).toMatchObject({ status: 200 })
  }

  it('log-in, favorites and contact answer after 1,000 uploads that were broken off and 10,000 plays, reports and syncs', async () => {
    const tokens: string[] = []
    for (let number = 0; number < ACCOUNTS; number++) tokens.push((await identity('signUp', number)).body.idToken)
    const owner = await identity('signUp', ACCOUNTS)
    await site.admin('user', 'grant', '--email', `person${ACCOUNTS}@example.com`, '--role', 'subscriber')
    const emptyMegabytes = await usedMegabytes()

    let mostUploads = 0
    const ends = await callMany(UPLOADS, async (index) => {
      const body = [inFile, betweenParts, inField][index % 3] ?? inFile
      const socket = beginUpload(body, index % 10 === 9 ? owner.body.idToken : undefined)
      const answered = once(socket, 'data').then(([data]) => Number(/^HTTP\/1\.1 (\d+)/.exec(String(data))?.[1]))
      const status = await Promise.race([answered.catch(() => 0), setTimeout(100, 0)])
      mostUploads = Math.max(mostUploads, (await listUploads()).length)
      if (index % 2 === 0) socket.destroy()
      else socket.resetAndDestroy()
      return { status }
    })
    await vi.waitFor(async () => expect(await listUploads()).toEqual([]), 10_000)

    const plays = await callMany(CALLS, (index) =>
      call('/api/song/play', { s: songId(index % SONGS), change_id: randomUUID(), duration: 200 }, { network: index % NETWORKS }),
    )
    for (let number = 0; number < 3 * REPORTS_PER_DAY; number++)
      for (let network = 0; network < NETWORKS; network++) await call(`/api/song/get?s=${songId(number)}`, undefined, { network })
    const reports = await callMany(CALLS, (index) =>
      call('/api/song/unplayable', { s: songId(Math.floor(index / NETWORKS) % SONGS), reason: '100' }, { network: index % NETWORKS }),
    )
    const device = randomUUID()
    const syncs = await callMany(CALLS, (index) => {
      const changes = Array.from({ length: REMOVALS_PER_SYNC }, (_, number) => ({
        id: randomUUID(),
        s: `gone_${String(index * REMOVALS_PER_SYNC + number).padStart(6, '0')}`,
        favorite: false,
        at: new Date().toISOString(),
        device,
      }))
      const token = tokens[index % ACCOUNTS] ?? ''
      return call('/api/favorite/sync', { changes }, { token, network: index % NETWORKS })
    })
    const rows = countRows()
    const usedAfter = await usedMegabytes()
    console.info(JSON.stringify({ ends, mostUploads, plays, reports, syncs, rows, emptyMegabytes, usedAfter }))

    await expectService(0)
    expect(rows.play_marks).toBeLessThanOrEqual(NETWORKS * PLAYS_PER_HOUR)
    expect(rows.unplayable_reports).toBeLessThanOrEqual(NETWORKS * REPORTS_PER_DAY)
    expect(rows.applied_changes).toBeLessThanOrEqual(NETWORKS * PLAYS_PER_HOUR + ACCOUNTS * ACCOUNT_CHANGES_MAX + CONTACTS_PER_DAY)
    expect(rows.favorites).toBe(0)
    expect(usedAfter - emptyMegabytes).toBeLessThan(DISK_MB / 4)
    for (const statuses of [plays, reports, syncs])
      expect(Object.keys(statuses).filter((status) => !['200', '429'].includes(status))).toEqual([])
  })

  it('what a killed server left of an upload is swept at its next start', async () => {
    const login = await identity('signInWithPassword', ACCOUNTS)
    const socket = beginUpload(inFile, login.body.idToken)
    await vi.waitFor(async () => expect(await listUploads()).toHaveLength(1), 10_000)
    process.kill(site.pid, 'SIGKILL')
    socket.destroy()
    await site.stop()
    const [left = ''] = await listUploads()
    const anHourAgo = Date.now() / 1000 - 3600
    await utimes(join(disk, 'conversions', left), anHourAgo, anHourAgo)
    site = await startSite(env)
    await vi.waitFor(async () => expect(await listUploads()).toEqual([]), 10_000)
    await expectService(1)
  })
})
