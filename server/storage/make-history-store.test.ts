import { expect, test } from 'vitest'
import { describeStores } from './testing/databases.ts'
import { everything } from './testing/fixture.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const DAY = 24 * 3_600_000

describeStores('the history of the maker', (fixture) => {
  const history = () => fixture.storage.makeHistory
  const file = (id: string, createdMs = NOW) => ({
    id,
    file_name: `${id} é.wav`,
    file_size: 2 ** 32 + 7,
    speed: 1.25,
    pitch: -2.5,
    createdMs,
  })
  const ids = async (uid: string, page = everything) => (await history().all(uid, page)).map(({ id }) => id)

  test('keeps what was made, newest first, for each account', async () => {
    expect(await history().add('ann', file('a'))).toEqual({
      ...{ id: 'a', file_name: 'a é.wav', file_size: 4_294_967_303, speed: 1.25, pitch: -2.5 },
      created: '2026-03-01T12:00:00.000Z',
    })
    await history().add('ann', file('b', NOW + 1))
    await history().add('ann', file('c', NOW - 1))
    await history().add('bob', file('a', NOW + 9))
    await fixture.reopen()
    expect(await ids('ann')).toEqual(['b', 'a', 'c'])
    expect(await ids('ann', { limit: 1, offset: 1 })).toEqual(['a'])
    expect(await ids('bob')).toEqual(['a'])
    expect(await ids('nobody')).toEqual([])
  })

  test('a file that is told of twice, or several times at once, is there once, as it was first', async () => {
    const first = await history().add('ann', file('a'))
    expect(await history().add('ann', { ...file('a', NOW + DAY), file_name: 'other' })).toEqual(first)
    await Promise.all([1, 2, 3].map(() => history().add('ann', file('b'))))
    expect(await ids('ann')).toEqual(['b', 'a'])
  })

  test('the newest 1,000 stay, by when they were made', async () => {
    for (let index = 0; index < 1000; index += 1) await history().add('ann', file(String(index).padStart(4, '0'), NOW + index))
    await history().add('bob', file('bob'))
    await history().add('ann', file('newest', NOW + DAY))
    await history().add('ann', file('told late', NOW - DAY))
    const kept = await ids('ann')
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, 'newest', '0001'])
    expect(await ids('bob')).toEqual(['bob'])
  })

  test('goes with the account, or alone', async () => {
    await fixture.storage.accounts.create({ uid: 'ann', email: 'ann@example.com', passwordHash: 'x', atMs: NOW })
    for (const uid of ['ann', 'bob', 'cem']) await history().add(uid, file('a'))
    await fixture.storage.accounts.remove('ann')
    await history().forget('bob')
    expect([await ids('ann'), await ids('bob'), await ids('cem')]).toEqual([[], [], ['a']])
  })
})
