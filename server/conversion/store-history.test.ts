import { expect, test } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { allRows } from '../storage/testing/fixture.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')

describeStores('make history', (fixture) => {
  const historyStore = () => fixture.storage.makeHistory
  const exportedFile = (id: string, createdMs = NOW_MS) => ({
    id,
    file_name: `${id} é.wav`,
    file_size: 2 ** 32 + 7,
    speed: 1.25,
    pitch: -2.5,
    createdMs,
  })
  const fileIds = async (uid: string, page = allRows) => (await historyStore().list(uid, page)).map(({ id }) => id)

  test('conversion history: files are listed for each account, newest first', async () => {
    expect(await historyStore().add('ann', exportedFile('a'))).toEqual({
      id: 'a',
      file_name: 'a é.wav',
      file_size: 4_294_967_303,
      speed: 1.25,
      pitch: -2.5,
      created: '2026-03-01T12:00:00.000Z',
    })
    await historyStore().add('ann', exportedFile('b', NOW_MS + 1))
    await historyStore().add('ann', exportedFile('c', NOW_MS - 1))
    await historyStore().add('bob', exportedFile('a', NOW_MS + 9))
    await fixture.reopen()
    expect(await fileIds('ann')).toEqual(['b', 'a', 'c'])
    expect(await fileIds('ann', { limit: 1, offset: 1 })).toEqual(['a'])
    expect(await fileIds('bob')).toEqual(['a'])
    expect(await fileIds('nobody')).toEqual([])
  })

  test('conversion history: a file that is added several times, also concurrently, is stored once and unchanged', async () => {
    const firstRow = await historyStore().add('ann', exportedFile('a'))
    expect(await historyStore().add('ann', { ...exportedFile('a', NOW_MS + DAY_MS), file_name: 'other' })).toEqual(firstRow)
    await Promise.all([1, 2, 3].map(() => historyStore().add('ann', exportedFile('b'))))
    expect(await fileIds('ann')).toEqual(['b', 'a'])
  })

  test('conversion history: only the newest 1,000 files by creation time stay stored', { tags: ['long'] }, async () => {
    const firstFiles = Array.from({ length: 1000 }, (_, index) => exportedFile(String(index).padStart(4, '0'), NOW_MS + index))
    await Promise.all(firstFiles.map((file) => historyStore().add('ann', file)))
    await historyStore().add('bob', exportedFile('bob'))
    await historyStore().add('ann', exportedFile('newest', NOW_MS + DAY_MS))
    await historyStore().add('ann', exportedFile('reported late', NOW_MS - DAY_MS))
    const storedIds = await fileIds('ann')
    expect([storedIds.length, storedIds[0], storedIds.at(-1)]).toEqual([1000, 'newest', '0001'])
    expect(await fileIds('bob')).toEqual(['bob'])
  })

  test('conversion history: removing an account, or only its data, deletes its files', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: 'ann@example.com', passwordHash: 'x', atMs: NOW_MS })
    for (const uid of ['ann', 'bob', 'cem']) await historyStore().add(uid, exportedFile('a'))
    await fixture.storage.accounts.remove('ann', 0)
    await fixture.storage.deleteBelongings({ uid: 'bob', verifiedEmail: undefined }, NOW_MS)
    expect([await fileIds('ann'), await fileIds('bob'), await fileIds('cem')]).toEqual([[], [], ['a']])
  })
})
