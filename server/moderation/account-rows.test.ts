import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStorage } from '../storage/open.ts'
import { SqliteFile } from '../storage/sqlite-driver.ts'
import { countRows } from '../storage/testing/read-tables.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-account-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

interface Column {
  name: string
  type: string
  notnull: number
  pk: number
}

/** Adds a row of the account `ann` to each table with a column for the account, whatever tables exist. */
function fillTables(): void {
  const database = new SqliteFile(join(dataDir, 'varispeed.sqlite'))
  const tables = database.prepare<[], { name: string }>("select name from sqlite_master where type = 'table'").all()
  for (const { name: tableName } of tables) {
    const columns = database.prepare<[], Column>(`pragma table_info("${tableName}")`).all()
    const ownerColumn = columns.find(({ name }) => name === 'uid' || name === 'owner')
    if (ownerColumn === undefined || tableName === 'accounts') continue
    const filledColumns = columns.filter((column) => column === ownerColumn || column.notnull === 1 || column.pk > 0)
    const values = filledColumns.map((column) => (column === ownerColumn ? "'ann'" : column.type === 'text' ? "'x'" : '7'))
    database.exec(`insert into "${tableName}" (${filledColumns.map(({ name }) => name).join(', ')}) values (${values.join(', ')})`)
  }
  database.exec(
    "insert into mails (id, contact_id, recipient, subject, body, created, expires, attempts) values ('m', 7, 'x', 'x', 'x', 1, 1, 0)",
  )
  database.close()
}

it('user delete: the counted effects are the rows that are deleted, in every table', async () => {
  await (await openStorage({ dataDir })).close()
  fillTables()
  const storage = await openStorage({ dataDir })
  await storage.accounts.create({ uid: 'ann', email: 'ann@example.com', emailVerified: true, passwordHash: 'x', atMs: 1 })
  const act = { actor: 'bea', command: 'user delete', reason: 'Spam.', atMs: 1000 }
  const rowsBefore = countRows(dataDir)
  const preview = await storage.moderation.deleteAccount('ann', { act, isDryRun: true })
  expect(countRows(dataDir)).toEqual(rowsBefore)
  const outcome = await storage.moderation.deleteAccount('ann', { act, isDryRun: false })
  expect(outcome).toEqual(preview)
  const rowsAfter = countRows(dataDir)
  await storage.close()
  const deletedCounts = Object.entries(rowsBefore).map(([tableName, rowCount]) => [tableName, rowCount - (rowsAfter[tableName] ?? 0)])
  const { admin_actions: recordedActions, refresh_families: logins, ...otherTables } = Object.fromEntries(deletedCounts)
  expect(recordedActions).toBe(-1)
  const deletedRows = Object.entries({ logins, ...otherTables }).filter(([, rowCount]) => rowCount !== 0)
  expect(outcome).toMatchObject({ kind: 'done', effects: Object.fromEntries(deletedRows) })
  expect(Object.keys(outcome.kind === 'done' ? outcome.effects : {}).toSorted()).toEqual(
    deletedRows.map(([tableName]) => tableName).toSorted(),
  )
})
