import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEmptyCluster } from '../../testing/postgres.ts'
import { openFolderStore } from '../files/folder-store.ts'
import { openKeyRing } from '../identity/keys.ts'
import { createPostgresDatabase, type DatabaseFilling } from '../storage/dialects/postgres.ts'
import { pgTypeParsers } from '../storage/dialects/postgres-connection.ts'
import { moveToPostgres } from '../storage/move-to-postgres.ts'
import type { Storage } from '../storage/open.ts'
import { createStorage, openStorage } from '../storage/open.ts'
import { SqliteFile } from '../storage/sqlite-driver.ts'
import { describeFailure, runCommand } from './run-command.ts'

let workFolder = ''
let dataDir = ''
let backupFile = ''
const openedStorages: Storage[] = []
const runAdmin = (...args: string[]) => runCommand(args, { env: { DATA_DIR: dataDir } })
const readRefusal = (...args: string[]) =>
  runAdmin(...args).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => describeFailure(error).message,
  )

const createSongRow = (songNumber: number) => ({
  youtube_id: `AAAAAAAAA${String(songNumber).padStart(2, '0')}`,
  title: `Song ${songNumber}`,
  author_name: 'Ann',
  category_id: 'c',
  category_name: 'C',
  date_added: '2026-01-01',
})
async function importSongs(songCount: number): Promise<void> {
  const songs = Array.from({ length: songCount }, (_, i) => createSongRow(i + 1))
  const playlist = { id: 'p', title: 'Hits', category_id: 'c', category_name: 'C', songs: songs.map((song) => song.youtube_id) }
  const file = join(workFolder, 'catalogue.json')
  writeFileSync(file, JSON.stringify({ songs, playlists: [playlist] }))
  await runAdmin('catalog', 'import', file)
}

/** Opens the data in the way a running server does. */
async function openDataDir(): Promise<Storage> {
  const storage = await openStorage({ dataDir })
  openedStorages.push(storage)
  return storage
}
const closeStorages = async () => {
  for (const storage of openedStorages.splice(0)) await storage.close()
}
const listEmails = async () => JSON.parse(await runAdmin('user', 'list', '--json')).map((row: { email: string }) => row.email)
const readKeys = () => readFileSync(join(dataDir, 'identity/keys.json'), 'utf8')

beforeEach(async () => {
  workFolder = mkdtempSync(join(tmpdir(), 'varispeed-backup-'))
  dataDir = join(workFolder, 'data')
  backupFile = join(workFolder, 'site.backup')
  await importSongs(30)
  await runAdmin('user', 'create', '--email', 'ann@example.com', '--password', 'secret-1', '--role', 'donator')
  const { runExclusively } = await openDataDir()
  await openKeyRing({ fileStore: await openFolderStore(dataDir), runExclusively, nowMs: Date.now })
  await closeStorages()
  writeFileSync(join(dataDir, 'youtube-members.json'), '{"newestUploads":{},"submissions":{}}')
})
afterEach(async () => {
  await closeStorages()
  rmSync(workFolder, { recursive: true, force: true })
})

describe('backup and restore', () => {
  it('restore: accounts, catalogue, keys and progress are restored, and devices load their favorites again', async () => {
    const openServer = await openDataDir()
    await openServer.favorites.set('ann', createSongRow(1).youtube_id, true, 1)
    const syncOptions = { cursor: null, changes: [], device_id: 'aaaaaaaa-0000-4000-8000-000000000000' } as never
    const readOptions = { newSinceMs: 0 }
    const { cursor } = await openServer.favorites.sync('ann', syncOptions, 2, readOptions)
    const secretKeys = readKeys()
    expect(JSON.parse(await runAdmin('backup', backupFile, '--json'))).toMatchObject({
      file: backupFile,
      bytes: statSync(backupFile).size,
      files: 4,
      database: 'sqlite',
      tables: { accounts: { rows: 1 }, 'catalogue.songs': { rows: 30 } },
    })
    expect(statSync(backupFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(workFolder).sort()).toEqual(['catalogue.json', 'data', 'site.backup'])
    await closeStorages()

    await runAdmin('user', 'delete', '--email', 'ann@example.com', '--reason', 'Asked for.')
    await importSongs(2)
    writeFileSync(join(dataDir, 'identity/keys.json'), 'lost')
    expect(await readRefusal('restore', backupFile)).toContain('There is a database')
    expect(await runAdmin('restore', backupFile, '--replace')).toContain('before-restore-')
    expect(await listEmails()).toEqual(['ann@example.com'])
    expect(readKeys()).toBe(secretKeys)
    expect(await runAdmin('check')).toBe('Everything is in order.')
    const restoredStorage = await openDataDir()
    expect((await restoredStorage.playlists.get('p', { limit: 99, offset: 0 }, readOptions))?.songs).toHaveLength(30)
    expect((await restoredStorage.favorites.sync('ann', syncOptions, 3, readOptions)).cursor).not.toBe(cursor)
    const folderEntries = readdirSync(dataDir)
    expect(folderEntries.filter((name) => name.startsWith('restore-'))).toEqual([])
    const replaced = folderEntries.find((name) => name.startsWith('before-restore-')) ?? ''
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
    const importPromise = (async () => {
      for (let count = 31; count < 36; count++) await importSongs(count)
    })()
    for (let i = 0; i < 5; i++) await runAdmin('backup', `${backupFile}${i}`)
    await importPromise
    for (let i = 0; i < 5; i++) await runAdmin('restore', `${backupFile}${i}`, '--replace')
    expect(await runAdmin('check')).toBe('Everything is in order.')
  })

  it('backup: no existing file is overwritten, and a missing database is an error', async () => {
    writeFileSync(backupFile, 'mine')
    expect(await readRefusal('backup', backupFile)).toContain('exists already')
    expect(readFileSync(backupFile, 'utf8')).toBe('mine')
    expect(await readRefusal('backup', join(workFolder, 'none/site.backup'))).toContain('cannot be written')
    rmSync(dataDir, { recursive: true })
    expect(await readRefusal('backup', join(workFolder, 'other'))).toContain('There is no database')
    expect(existsSync(join(workFolder, 'other'))).toBe(false)
    expect(existsSync(dataDir)).toBe(false)
  })

  it('restore: the command refuses while a server runs, and refuses damaged and foreign files; then nothing changes', async () => {
    await runAdmin('backup', backupFile)
    const listEntries = () =>
      readdirSync(dataDir)
        .filter((name) => name !== 'import.lock')
        .sort()
    const openServer = await openDataDir()
    const folderEntries = listEntries()
    expect(await readRefusal('restore', backupFile)).toContain('stop the server first')
    expect(listEntries()).toEqual(folderEntries)
    await openServer.checkHealth()
    await closeStorages()

    expect(await readRefusal('restore', join(workFolder, 'none'), '--replace')).toContain('There is no file')
    expect(await readRefusal('restore', workFolder, '--replace')).toContain('There is no file')
    expect(await readRefusal('restore', join(workFolder, 'catalogue.json'), '--replace')).toContain('is no complete backup')
    expect(await readRefusal('restore', join(dataDir, 'varispeed.sqlite'), '--replace')).toContain('is no complete backup')
    const fileBytes = readFileSync(backupFile)
    const damagedFolder = join(workFolder, 'damaged')
    writeFileSync(damagedFolder, fileBytes.subarray(0, fileBytes.length / 2))
    expect(await readRefusal('restore', damagedFolder, '--replace')).toContain('damaged')
    const changedBytes = Buffer.from(fileBytes)
    changedBytes.write('Xnn@example.com', changedBytes.indexOf('ann@example.com'))
    writeFileSync(damagedFolder, changedBytes)
    expect(await readRefusal('restore', damagedFolder, '--replace')).toContain('The backup is damaged: varispeed.sqlite has other bytes')
    rmSync(damagedFolder)
    writeFileSync(damagedFolder, fileBytes)
    const archiveDatabase = new SqliteFile(damagedFolder)
    archiveDatabase.exec("update files set name = '../evil' where name = 'identity/keys.json'")
    archiveDatabase.close()
    expect(await readRefusal('restore', damagedFolder, '--replace')).toContain('is no complete backup')
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
  const findCatalogueName = () => readdirSync(dataDir).find((name) => /^catalogue-\d+\.sqlite$/.test(name)) ?? ''
  const changeDatabase = (fileName: string, sqlStatements: string) => {
    const file = new SqliteFile(join(dataDir, fileName))
    file.exec(sqlStatements)
    file.close()
  }

  it('check: a new site has no damage, and each kind of damage is found', async () => {
    expect(await runCheck()).toEqual({ text: 'Everything is in order.', exitCode: 0 })
    writeFileSync(join(dataDir, 'identity/keys.json'), '{}')
    changeDatabase('varispeed.sqlite', "insert into refresh_families (id, uid, auth_time) values ('f', 'gone', 1)")
    changeDatabase(
      findCatalogueName(),
      "delete from context_songs where position = 3; insert into song_tokens(song_tokens) values ('delete-all')",
    )
    const { text, exitCode } = await runCheck()
    expect(exitCode).toBe(1)
    for (const backupProblem of [
      'keys.json is damaged',
      '1 rows of refresh_families belong to no row',
      '3 playlists or categories have',
      'the search does not find AAAA',
    ])
      expect(text).toContain(backupProblem)
  })
})

describe('damaged files', () => {
  /** Overwrites all pages of a database file except the first ones, which SQLite reads when it opens the file. */
  const overwritePages = (fileName: string, keptPageCount: number) => {
    const fileBytes = readFileSync(join(dataDir, fileName))
    writeFileSync(
      join(dataDir, fileName),
      Buffer.concat([fileBytes.subarray(0, keptPageCount * 4096), Buffer.alloc(fileBytes.length - keptPageCount * 4096, 0xaa)]),
    )
  }
  const findCatalogueName = () => readdirSync(dataDir).find((name) => /^catalogue-\d+\.sqlite$/.test(name)) ?? ''

  it('check: damaged files are named, and backup does not copy them', async () => {
    overwritePages(findCatalogueName(), 4)
    let exitCode = 0
    const setExitCode = (code: number) => {
      exitCode = code
    }
    const checkOutput = await runCommand(['check', '--json'], { env: { DATA_DIR: dataDir }, setExitCode })
    expect(JSON.parse(checkOutput).problems).toContainEqual(expect.stringMatching(/catalogue.*(damaged|malformed|invalid|page)/i))
    expect(exitCode).toBe(1)
    expect(await readRefusal('backup', backupFile)).toContain('is damaged')
    expect(readdirSync(workFolder).sort()).toEqual(['catalogue.json', 'data'])
  })
})

describe('move-to', () => {
  it('move-to: every row is copied to PostgreSQL, where the site is the same; a target that contains rows is refused', {
    tags: ['long'],
  }, async () => {
    const storageBefore = await openDataDir()
    await storageBefore.favorites.set('ann', createSongRow(1).youtube_id, true, 1)
    const contactRequest = {
      topic: 'song-report',
      message: 'Ann\'s \u2028 \\ {"a": null}',
      brandId: 'nightcore-meridian',
      atMs: 1,
    } as const
    for (let i = 0; i < 3; i++) await storageBefore.contacts.add(contactRequest)
    const readOptions = { newSinceMs: 0 }
    const storedAccounts = await storageBefore.accounts.list({ limit: 9, offset: 0 })
    const playlist = await storageBefore.playlists.get('p', { limit: 99, offset: 0 }, readOptions)
    const pgliteDatabase = await PGlite.create({ extensions: { pg_trgm }, loadDataDir: await readEmptyCluster() })
    const openTargetDatabase = (filling?: DatabaseFilling) =>
      createPostgresDatabase(new pg.Pool({ ...createPgConfig(pgliteDatabase), types: pgTypeParsers, max: 1 }), undefined, filling)
    await expect(moveToPostgres(dataDir, openTargetDatabase, () => {})).rejects.toThrow('stop the server first')
    await closeStorages()

    const rowCounts = await moveToPostgres(dataDir, openTargetDatabase, () => {})
    expect(rowCounts).toHaveProperty('refresh_tokens')
    expect(rowCounts).toMatchObject({ accounts: 1, roles: 1, favorites: 1, 'catalogue.songs': 30, 'catalogue.context_songs': 90 })
    const storageAfter = await createStorage(await openTargetDatabase())
    openedStorages.push(storageAfter)
    expect(await storageAfter.accounts.list({ limit: 9, offset: 0 })).toEqual(storedAccounts)
    expect(await storageAfter.playlists.get('p', { limit: 99, offset: 0 }, readOptions)).toEqual(playlist)
    expect(await storageAfter.findProblems()).toEqual([])
    await storageAfter.contacts.add(contactRequest)
    const storedContacts = await storageAfter.contacts.list({ limit: 9, offset: 0 })
    expect(storedContacts.map(({ id, message }) => [Number(id), message])).toEqual([4, 3, 2, 1].map((id) => [id, contactRequest.message]))
    await closeStorages()
    await expect(moveToPostgres(dataDir, openTargetDatabase, () => {})).rejects.toThrow(/not empty: its table \w+ has rows/)
  })

  it.each([
    [['move-to'], '--database-url is missing'],
    [['move-to', '--database-url', 'mysql://secret@x'], '--database-url must be a postgres:// URL'],
  ])('a command with the arguments %j is refused', async (args, reason) => {
    expect(await readRefusal(...args)).toBe(reason)
  })
})
