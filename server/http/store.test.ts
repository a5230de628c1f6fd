import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { openStorage } from '../storage/open.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createDailyClientIds } from './client-id.ts'

const START_MS = Date.UTC(2026, 6, 1)

describeStores('client ids', (fixture) => {
  it('client ids are the same within a UTC day and in every process, and those of the previous day can no longer be computed', async () => {
    let nowMs = START_MS
    const [firstProcess, secondProcess] = [1, 2].map(() => createDailyClientIds(fixture.storage.salts, () => nowMs))
    const readClientIds = async (address: string) => [await firstProcess?.(address), await secondProcess?.(address)]
    const [firstId] = await readClientIds('192.0.2.1')
    nowMs += DAY_MS - 1
    expect(await readClientIds('192.0.2.1')).toEqual([firstId, firstId])
    expect(await firstProcess?.('192.0.2.2')).not.toBe(firstId)
    nowMs += 1
    const [secondId] = await readClientIds('192.0.2.1')
    expect(await readClientIds('192.0.2.1')).toEqual([secondId, secondId])
    expect(secondId).not.toBe(firstId)
    nowMs = START_MS
    expect(await firstProcess?.('192.0.2.1')).not.toBe(firstId)
  })

  it('reading the salt of a day is retried after a failure', async () => {
    let remainingFailures = 1
    const clientId = createDailyClientIds(
      {
        ofDay: async (dayNumber) => {
          if (remainingFailures-- > 0) throw new Error('the database does not answer')
          return fixture.storage.salts.ofDay(dayNumber)
        },
      },
      () => START_MS,
    )
    await expect(clientId('192.0.2.1')).rejects.toThrow('the database does not answer')
    expect(await clientId('192.0.2.1')).toMatch(/^[\w-]{22}$/)
  })
})

it("a deleted salt is no longer contained in SQLite's file", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-salts-'))
  try {
    const storage = await openStorage({ dataDir })
    const firstSalt = await storage.salts.ofDay(1)
    const secondSalt = await storage.salts.ofDay(2)
    await storage.close()
    const file = await readFile(join(dataDir, 'varispeed.sqlite'), 'latin1')
    expect([file.includes(firstSalt), file.includes(secondSalt)]).toEqual([false, true])
  } finally {
    await rm(dataDir, { recursive: true })
  }
})
