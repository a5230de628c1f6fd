import { expect, test } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { allRows } from '../storage/testing/fixture.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')

describeStores('make history', (fixture) => {
  const getHistoryStore = () => fixture.storage.makeHistory
  const createExportedFile = (fileId: string, createdMs = NOW_MS) => ({
    id: fileId,
    file_name: `${fileId} é.wav`,
    file_size: 2 ** 32 + 7,
    speed: 1.25,
    pitch: -2.5,
    createdMs,
  })
  const readFileIds = async (uid: string, page = allRows) => (await getHistoryStore().list(uid, page)).map(({ id }) => id)

  test('conversion history: files are listed for each account, newest first', async () => {
    expect(await getHistoryStore().add('ann', createExportedFile('a'))).toEqual({
      id: 'a',
      file_name: 'a é.wav',
      file_size: 4_294_967_303,
      speed: 1.25,
      pitch: -2.5,
      created: '2026-03-01T12:00:00.000Z',
    })
    await getHistoryStore().add('ann', createExportedFile('b', NOW_MS + 1))
    await getHistoryStore().add('ann', createExportedFile('c', NOW_MS - 1))
    await getHistoryStore().add('bob', createExportedFile('a', NOW_MS + 9))
    await fixture.reopen()
    expect(await readFileIds('ann')).toEqual(['b', 'a', 'c'])
    expect(await readFileIds('ann', { limit: 1, offset: 1 })).toEqual(['a'])
    expect(await readFileIds('bob')).toEqual(['a'])
    expect(await readFileIds('nobody')).toEqual([])
  })

  test('conversion history: a file that is added several times, also concurrently, is stored once and unchanged', async () => {
    const firstRow = await getHistoryStore().add('ann', createExportedFile('a'))
    expect(await getHistoryStore().add('ann', { ...createExportedFile('a', NOW_MS + DAY_MS), file_name: 'other' })).toEqual(firstRow)
    await Promise.all([1, 2, 3].map(() => getHistoryStore().add('ann', createExportedFile('b'))))
    expect(await readFileIds('ann')).toEqual(['b', 'a'])
  })

  test('conversion history: only the newest 1,000 files by creation time stay stored', { tags: ['long'] }, async () => {
    const firstFiles = Array.from({ length: 1000 }, (_, index) => createExportedFile(String(index).padStart(4, '0'), NOW_MS + index))
    await Promise.all(firstFiles.map((file) => getHistoryStore().add('ann', file)))
    await getHistoryStore().add('bob', createExportedFile('bob'))
    await getHistoryStore().add('ann', createExportedFile('newest', NOW_MS + DAY_MS))
    await getHistoryStore().add('ann', createExportedFile('reported late', NOW_MS - DAY_MS))
    const storedIds = await readFileIds('ann')
    expect([storedIds.length, storedIds[0], storedIds.at(-1)]).toEqual([1000, 'newest', '0001'])
    expect(await readFileIds('bob')).toEqual(['bob'])
  })

  test('conversion history: removing an account, or only its data, deletes its files', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: 'ann@example.com', passwordHash: 'x', atMs: NOW_MS })
    for (const uid of ['ann', 'bob', 'cem']) await getHistoryStore().add(uid, createExportedFile('a'))
    await fixture.storage.accounts.remove('ann', 0)
    await fixture.storage.deleteBelongings({ uid: 'bob', verifiedEmail: undefined }, NOW_MS)
    expect([await readFileIds('ann'), await readFileIds('bob'), await readFileIds('cem')]).toEqual([[], [], ['a']])
  })
})
