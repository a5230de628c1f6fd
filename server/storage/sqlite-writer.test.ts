import { expect, it } from 'vitest'
import type { SqliteConnection } from './dialects/sqlite-connection.ts'
import { createWriter } from './dialects/sqlite-writer.ts'

it('if the commit and the rollback of a transaction both fail, its jobs fail, and the next transaction still runs', async () => {
  let isCommitBroken = true
  const handleStub = {
    inTransaction: true,
    exec: (statement: string) => {
      if (isCommitBroken && /^(?:commit|rollback)$/.test(statement)) throw new Error(`${statement} failed`)
    },
  }
  // The cast is safe, because the writer uses only these members of a connection.
  const writer = createWriter({ handle: handleStub, queries: {} } as unknown as SqliteConnection, 'file', () => {})
  await expect(writer.write(async () => 'written')).rejects.toThrow('commit failed')
  await writer.idle()
  isCommitBroken = false
  expect(await writer.write(async () => 'written')).toBe('written')
})
