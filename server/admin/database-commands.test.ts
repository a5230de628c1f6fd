import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFolderStore } from '../files/folder-store.ts'
import { openKeyRing } from '../identity/keys.ts'
import { createPostgresDatabase } from '../storage/dialects/postgres.ts'
import { pgTypeParsers } from '../storage/dialects/postgres-connection.ts'
import { moveToPostgres } from '../storage/move-to-postgres.ts'
import type { Storage } from '../storage/open.ts'
import { createStorage, openStorage } from '../storage/open.ts'
import { SqliteFile } from '../storage/sqlite-driver.ts'
import { describeFailure, runCommand } from './run-command.ts'

let folder = ''
let dataDir = ''
let backupFile = ''
const openedStorages: Storage[] = []
const runAdmin = (...args: string[]) => runCommand(args, { env: { DATA_DIR: dataDir } })
const refusalOf = (...args: string[]) =>
  runAdmin(...args).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => describeFailure(error).message,
  )

const songOf = (n: number) => ({
  youtube_id: `AAAAAAAAA${String(n).padStart(2, '0')}`,
  title: `Song ${n}`,
  author_name: 'Ann',
  category_id: 'c',
  category_name: 'C',
  date_added: '2026-01-01',
})
async function importSongs(songCount: number): Promise<void> {
  const songs = Array.from({ length: songCount }, (_, i) => songOf(i + 1))
  const playlist = { id: 'p', title: 'Hits', category_id: 'c', category_name: 'C', songs: songs.map((song) => song.youtube_id) }
  const file = join(folder, 'catalogue.json')
  writeFileSync(file, JSON.stringify({ songs, playlists: [playlist] }))
  await runAdmin('catalog', 'import', file)
}

/** Opens the data in the way a running server does. */
async function openDataDir(): Promise<Storage> {
  const storage = await openStorage({ dataDir })
  openedStorages.push(storage)
  return storage
}
const closeAll = async () => {
  for (const storage of openedStorages.splice(0)) await storage.close()
}
const listEmails = async () => JSON.parse(await runAdmin('user', 'list', '--json')).map((row: { email: string }) => row.email)
const readKeys = () => readFileSync(join(dataDir, 'identity/keys.json'), 'utf8')

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'varispeed-backup-'))
  dataDir = join(folder, 'data')
  backupFile = join(folder, 'site.backup')
  await importSongs(30)
  await runAdmin('user', 'create', '--email', 'ann@example.com', '--password', 'secret-1', '--role', 'donator')
  const { runExclusively } = await openDataDir()
  await openKeyRing({ fileStore: await openFolderStore(dataDir), runExclusively, nowMs: Date.now })
  await closeAll()
  writeFileSync(join(dataDir, 'youtube-members.json'), '{"newestUploads":{},"submissions":{}}')
})
afterEach(async () => {
  await closeAll()
  rmSync(folder, { recursive: true, force: true })
})

describe('backup and restore', () => {
  it('restore: accounts, catalogue, keys and progress are restored, and devices load their favorites again', async () => {
    const server = await openDataDir()
    await server.favorites.set('ann', songOf(1).youtube_id, true, 1)
    const sync = { cursor: null, changes: [], device_id: 'aaaaaaaa-0000-4000-8000-000000000000' } as never
    const view = { newSinceMs: 0 }
    const { cursor } = await server.favorites.sync('ann', sync, 2, view)
    const keys = readKeys()
    expect(JSON.parse(await runAdmin('backup', backupFile, '--json'))).toMatchObject({
      file: backupFile,
      bytes: statSync(backupFile).size,
      files: 4,
      database: 'sqlite',
      tables: { accounts: { rows: 1 }, 'catalogue.songs': { rows: 30 } },
    })
    expect(statSync(backupFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).sort()).toEqual(['catalogue.json', 'data', 'site.backup'])
    await closeAll()

    await runAdmin('user', 'delete', '--email', 'ann@example.com')
    await importSongs(2)
    writeFileSync(join(dataDir, 'identity/keys.json'), 'lost')
    expect(await refusalOf('restore', backupFile)).toContain('There is a database')
    expect(await runAdmin('restore', backupFile, '--replace')).toContain('before-restore-')
    expect(await listEmails()).toEqual(['ann@example.com'])
    expect(readKeys()).toBe(keys)
    expect(await runAdmin('check')).toBe('Everything is in order.')
    const restoredStorage = await openDataDir()
    expect((await restoredStorage.playlists.get('p', { limit: 99, offset: 0 }, view))?.songs).toHaveLength(30)
    expect((await restoredStorage.favorites.sync('ann', sync, 3, view)).cursor).not.toBe(cursor)
    const entries = readdirSync(dataDir)
    expect(entries.filter((name) => name.startsWith('restore-'))).toEqual([])
    const replaced = entries.find((name) => name.startsWith('before-restore-')) ?? ''
    expect(readFileSync(join(dataDir, replaced, 'identity/keys.json'), 'utf8')).toBe('lost')
    expect(existsSync(join(dataDir, 'youtube-members.json'))).toBe(true)
  })

  it('restore: a backup can be restored to an empty folder', async () => {
    await runAdmin('backup', backupFile)
    rmSync(dataDir, { recursive: true })
    await runAdmin('restore', backupFile)
    expect(await listEmails()).toEqual(['ann@example.com'])
  })

  it('a backup that is made during imports is consistent', { tags: ['long'] }, async () => {
    const imports = (async () => {
      for (let count = 31; count < 36; count++) await importSongs(count)
    })()
    for (let i = 0; i < 5; i++) await runAdmin('backup', `${backupFile}${i}`)
    await imports
    for (let i = 0; i < 5; i++) await runAdmin('restore', `${backupFile}${i}`, '--replace')
    expect(await runAdmin('check')).toBe('Everything is in order.')
  })

  it('backup: no existing file is overwritten, and a missing database is an error', async () => {
    writeFileSync(backupFile, 'mine')
    expect(await refusalOf('backup', backupFile)).toContain('exists already')
    expect(readFileSync(backupFile, 'utf8')).toBe('mine')
    expect(await refusalOf('backup', join(folder, 'none/site.backup'))).toContain('cannot be written')
    rmSync(dataDir, { recursive: true })
    expect(await refusalOf('backup', join(folder, 'other'))).toContain('There is no database')
    expect(existsSync(join(folder, 'other'))).toBe(false)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('restore: the command refuses while a server runs, and refuses damaged and foreign files; then nothing changes', async () => {
    await runAdmin('backup', backupFile)
    const listEntries = () =>
      readdirSync(dataDir)
        .filter((name) => name !== 'import.lock')
        .sort()
    const server = await openDataDir()
    const entries = listEntries()
    expect(await refusalOf('restore', backupFile)).toContain('stop the server first')
    expect(listEntries()).toEqual(entries)
    await server.checkHealth()
    await closeAll()

    expect(await refusalOf('restore', join(folder, 'none'), '--replace')).toContain('There is no file')
    expect(await refusalOf('restore', folder, '--replace')).toContain('There is no file')
    expect(await refusalOf('restore', join(folder, 'catalogue.json'), '--replace')).toContain('is no complete backup')
    expect(await refusalOf('restore', join(dataDir, 'varispeed.sqlite'), '--replace')).toContain('is no complete backup')
    const bytes = readFileSync(backupFile)
    const damagedFolder = join(folder, 'damaged')
    writeFileSync(damagedFolder, bytes.subarray(0, bytes.length / 2))
    expect(await refusalOf('restore', damagedFolder, '--replace')).toContain('damaged')
    const changedBytes = Buffer.from(bytes)
    changedBytes.write('Xnn@example.com', changedBytes.indexOf('ann@example.com'))
    writeFileSync(damagedFolder, changedBytes)
    expect(await refusalOf('restore', damagedFolder, '--replace')).toContain('The backup is damaged: varispeed.sqlite has other bytes')
    rmSync(damagedFolder)
    writeFileSync(damagedFolder, bytes)
    const archive = new SqliteFile(damagedFolder)
    archive.exec("update files set name = '../evil' where name = 'identity/keys.json'")
    archive.close()
    expect(await refusalOf('restore', damagedFolder, '--replace')).toContain('is no complete backup')
    expect(await listEmails()).toEqual(['ann@example.com'])
    expect(readdirSync(dataDir).filter((name) => name.includes('restore'))).toEqual([])
  })
})

describe('check', () => {
  const runCheck = async () => {
    let exitCode = 0
    const setExitCode = (code: number) => {
      exitCode = code
    }
    const text = await runCommand(['check'], { env: { DATA_DIR: dataDir }, setExitCode })
    return { text, exitCode }
  }
  const catalogueName = () => readdirSync(dataDir).find((name) => /^catalogue-\d+\.sqlite$/.test(name)) ?? ''
  const change = (name: string, statements: string) => {
    const file = new SqliteFile(join(dataDir, name))
    file.exec(statements)
    file.close()
  }

  it('check: a new site has no damage, and each kind of damage is found', async () => {
    expect(await runCheck()).toEqual({ text: 'Everything is in order.', exitCode: 0 })
    writeFileSync(join(dataDir, 'identity/keys.json'), '{}')
    change('varispeed.sqlite', "insert into refresh_families (id, uid, auth_time) values ('f', 'gone', 1)")
    change(catalogueName(), "delete from context_songs where position = 3; insert into song_tokens(song_tokens) values ('delete-all')")
    const { text, exitCode } = await runCheck()
    expect(exitCode).toBe(1)
    for (const problem of [
      'keys.json is damaged',
      '1 rows of refresh_families belong to no row',
      '3 playlists or categories have',
      'the search does not find AAAA',
    ])
      expect(text).toContain(problem)
  })
})

describe('damaged files', () => {
  /** Overwrites all pages of a database file except the first ones, which SQLite reads when it opens the file. */
  const overwrite = (name: string, keptPages: number) => {
    const bytes = readFileSync(join(dataDir, name))
    writeFileSync(
      join(dataDir, name),
      Buffer.concat([bytes.subarray(0, keptPages * 4096), Buffer.alloc(bytes.length - keptPages * 4096, 0xaa)]),
    )
  }
  const catalogueName = () => readdirSync(dataDir).find((name) => /^catalogue-\d+\.sqlite$/.test(name)) ?? ''

  it('check: damaged files are named, and backup does not copy them', async () => {
    overwrite(catalogueName(), 4)
    let exitCode = 0
    const setExitCode = (code: number) => {
      exitCode = code
    }
    const answer = await runCommand(['check', '--json'], { env: { DATA_DIR: dataDir }, setExitCode })
    expect(JSON.parse(answer).problems).toContainEqual(expect.stringMatching(/catalogue.*(damaged|malformed|invalid|page)/i))
    expect(exitCode).toBe(1)
    expect(await refusalOf('backup', backupFile)).toContain('is damaged')
    expect(readdirSync(folder).sort()).toEqual(['catalogue.json', 'data'])
  })
})

describe('move-to', () => {
  it('move-to: every row is copied to PostgreSQL, where the site is the same; a target that contains rows is refused', {
    tags: ['long'],
  }, async () => {
    const storageBefore = await openDataDir()
    await storageBefore.favorites.set('ann', songOf(1).youtube_id, true, 1)
    const contact = { topic: 'song-report', message: 'Ann\'s \u2028 \\ {"a": null}', brandId: 'nightcore-meridian', atMs: 1 } as const
    for (let i = 0; i < 3; i++) await storageBefore.contacts.add(contact)
    const view = { newSinceMs: 0 }
    const accounts = await storageBefore.accounts.list({ limit: 9, offset: 0 })
    const playlist = await storageBefore.playlists.get('p', { limit: 99, offset: 0 }, view)
    const pglite = await PGlite.create({ extensions: { pg_trgm } })
    const openTarget = () => createPostgresDatabase(new pg.Pool({ ...createPgConfig(pglite), types: pgTypeParsers, max: 1 }))
    await expect(moveToPostgres(dataDir, openTarget, () => {})).rejects.toThrow('stop the server first')
    await closeAll()

    const counts = await moveToPostgres(dataDir, openTarget, () => {})
    expect(counts).toHaveProperty('refresh_tokens')
    expect(counts).toMatchObject({ accounts: 1, roles: 1, favorites: 1, 'catalogue.songs': 30, 'catalogue.context_songs': 90 })
    const storageAfter = await createStorage(await openTarget())
    openedStorages.push(storageAfter)
    expect(await storageAfter.accounts.list({ limit: 9, offset: 0 })).toEqual(accounts)
    expect(await storageAfter.playlists.get('p', { limit: 99, offset: 0 }, view)).toEqual(playlist)
    expect(await storageAfter.findProblems()).toEqual([])
    await storageAfter.contacts.add(contact)
    const contacts = await storageAfter.contacts.list({ limit: 9, offset: 0 })
    expect(contacts.map(({ id, message }) => [Number(id), message])).toEqual([4, 3, 2, 1].map((id) => [id, contact.message]))
    await closeAll()
    await expect(moveToPostgres(dataDir, openTarget, () => {})).rejects.toThrow(/not empty: its table \w+ has rows/)
  })

  it.each([
    [['move-to'], '--database-url is missing'],
    [['move-to', '--database-url', 'mysql://secret@x'], '--database-url must be a postgres:// URL'],
  ])('a command with the arguments %j is refused', async (args, reason) => {
    expect(await refusalOf(...args)).toBe(reason)
  })
})
