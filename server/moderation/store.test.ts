import { expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'
import {
  allRows,
  createPlaylistRow,
  createSongRow,
  createSongRows,
  createSongSearch,
  formatSongId,
  songReadOptions,
} from '../storage/testing/fixture.ts'

const exampleAct = { actor: 'ann', command: 'song hide', reason: 'A claim of the owner.', atMs: 1000 }
const actOptions = { act: exampleAct, isDryRun: false }
const dryRunOptions = { act: exampleAct, isDryRun: true }

describeStores('changes of the catalogue by admins', { isLongOnPostgres: true }, (fixture) => {
  const { hideItem, showItem, deleteItem, renameCategory, listHidden, listActions } = {
    hideItem: (...args: Parameters<typeof fixture.storage.moderation.hideItem>) => fixture.storage.moderation.hideItem(...args),
    showItem: (...args: Parameters<typeof fixture.storage.moderation.showItem>) => fixture.storage.moderation.showItem(...args),
    deleteItem: (...args: Parameters<typeof fixture.storage.moderation.deleteItem>) => fixture.storage.moderation.deleteItem(...args),
    renameCategory: (...args: Parameters<typeof fixture.storage.moderation.renameCategory>) =>
      fixture.storage.moderation.renameCategory(...args),
    listHidden: () => fixture.storage.moderation.listHidden(),
    listActions: () => fixture.storage.moderation.listActions(10),
  }
  const readSongIds = async (id: string) =>
    (await fixture.storage.playlists.get(id, allRows, songReadOptions))?.songs.map((each) => each.youtube_id)
  const searchTitles = async (text: string) =>
    (await fixture.storage.songs.search(createSongSearch(text), songReadOptions)).map((song) => song.title)
  const importAll = () =>
    fixture.importRows({
      songs: createSongRows(4),
      playlists: [createPlaylistRow('a', [1, 2, 3, 4]), createPlaylistRow('b', [2]), createPlaylistRow('c', [1])],
    })

  test('a hidden song leaves playlists, categories and the search, and returns to its places', async () => {
    await importAll()
    const revisionBefore = fixture.storage.revision()
    expect(await hideItem('song', formatSongId(2), actOptions)).toEqual({
      kind: 'done',
      target: { kind: 'song', id: formatSongId(2), title: 'Song 2' },
      effects: { playlists: 2, favorites: 0, own_playlists: 0, websites: 0 },
    })
    expect(fixture.storage.revision()).not.toBe(revisionBefore)
    expect(await readSongIds('a')).toEqual([formatSongId(1), formatSongId(3), formatSongId(4)])
    expect(await readSongIds('b')).toEqual([])
    expect(await readSongIds('house')).not.toContain(formatSongId(2))
    expect(await readSongIds('new')).not.toContain(formatSongId(2))
    expect(await searchTitles('song 2')).toEqual([])
    expect(await fixture.storage.songs.get(formatSongId(2), undefined, songReadOptions)).toBeUndefined()
    expect(await hideItem('song', formatSongId(2), actOptions)).toMatchObject({
      kind: 'already',
      target: { hidden: { reason: exampleAct.reason } },
    })
    expect(await listHidden()).toMatchObject([{ id: formatSongId(2), hidden: { since: '1970-01-01T00:00:01.000Z' } }])

    expect(await showItem('song', formatSongId(2), actOptions)).toMatchObject({ kind: 'done' })
    expect(await readSongIds('a')).toEqual([1, 2, 3, 4].map(formatSongId))
    expect(await readSongIds('b')).toEqual([formatSongId(2)])
    expect(await searchTitles('song 2')).toEqual(['Song 2'])
    expect(await showItem('song', formatSongId(2), actOptions)).toMatchObject({ kind: 'already' })
    expect(await listHidden()).toEqual([])
    expect((await listActions()).map(({ target, outcome, reason }) => [target, outcome, reason])).toEqual(
      expect.arrayContaining([
        [`song ${formatSongId(2)}`, 'hidden', exampleAct.reason],
        [`song ${formatSongId(2)}`, 'shown', exampleAct.reason],
      ]),
    )
    expect(await fixture.storage.findProblems()).toEqual([])
  })

  test('an open report is listed however many newer ones were acted on', async () => {
    const { contacts, moderation } = fixture.storage
    const addSongReport = (message: string, atMs: number) => contacts.add({ topic: 'song-report', message, brandId: 'x', atMs })
    await addSongReport(`Song: ${formatSongId(1)}\nReason: Early`, 100)
    await addSongReport(`Song: ${formatSongId(2)}\nReason: Late`, 200)
    await addSongReport('Late, without a song', 300)
    const listOpenReports = async () => (await moderation.listReports(1, { isOpen: true })).map(({ target }) => target)
    const [messageTarget = ''] = await listOpenReports()
    expect(messageTarget).toMatch(/^message \d+$/)
    await moderation.recordAction(exampleAct, { target: messageTarget, outcome: 'reports closed' })
    expect(await listOpenReports()).toEqual([`song ${formatSongId(2)}`])
    await moderation.recordAction(exampleAct, { target: `song ${formatSongId(2)}`, outcome: 'reports closed' })
    expect(await listOpenReports()).toEqual([`song ${formatSongId(1)}`])
    expect(await moderation.listReports(9)).toHaveLength(3)
  })

  test('the reports of a target are listed however many newer ones there are of others', async () => {
    const { contacts, moderation } = fixture.storage
    const addSongReport = (message: string, atMs: number) => contacts.add({ topic: 'song-report', message, brandId: 'x', atMs })
    await addSongReport(`Song: ${formatSongId(1)}\nReason: Early`, 100)
    await addSongReport('Without a song', 200)
    await addSongReport(`Song: ${formatSongId(2)}\nReason: Late`, 300)
    const [, messageTarget = ''] = (await moderation.listReports(9)).map(({ target }) => target)
    for (const [reportTarget, reportReason] of [
      [`song ${formatSongId(1)}`, 'Early'],
      [messageTarget, 'Without a song'],
    ] as const)
      expect(await moderation.listReports(1, { target: reportTarget })).toMatchObject([{ target: reportTarget, reason: reportReason }])
    expect(await moderation.listReports(9, { target: 'song x' })).toEqual([])
    // A message that does not begin with `Song: ` is not a report of the song whose id follows its first six letters.
    await addSongReport(`Without ${formatSongId(3)}`, 400)
    expect(await moderation.listReports(9, { target: `song ${`Without ${formatSongId(3)}`.slice(6, 17)}` })).toEqual([])
  })

  test('an import leaves a hidden song and playlist out of the catalogue, and updates the rows that are shown again later', async () => {
    await importAll()
    await hideItem('song', formatSongId(2), actOptions)
    await hideItem('playlist', 'c', actOptions)
    await fixture.importRows({
      songs: [createSongRow(2, { title: 'Renamed' }), createSongRow(5)],
      playlists: [createPlaylistRow('a', [5, 2, 1]), createPlaylistRow('c', [3, 2])],
    })
    expect(await readSongIds('a')).toEqual([formatSongId(5), formatSongId(1)])
    expect(await fixture.storage.playlists.get('c', allRows, songReadOptions)).toBeUndefined()
    await showItem('playlist', 'c', actOptions)
    expect(await readSongIds('c')).toEqual([formatSongId(3)])
    await showItem('song', formatSongId(2), actOptions)
    expect(await readSongIds('a')).toEqual([5, 2, 1].map(formatSongId))
    expect(await readSongIds('c')).toEqual([3, 2].map(formatSongId))
    expect(await searchTitles('renamed')).toEqual(['Renamed'])
  })

  test('a song that is shown again while its playlist is hidden is in the playlist once the playlist is shown again', async () => {
    await importAll()
    await hideItem('song', formatSongId(2), actOptions)
    await hideItem('playlist', 'a', actOptions)
    await showItem('song', formatSongId(2), actOptions)
    await deleteItem('song', formatSongId(4), actOptions)
    await showItem('playlist', 'a', actOptions)
    expect(await readSongIds('a')).toEqual([1, 2, 3].map(formatSongId))
    await hideItem('song', formatSongId(2), actOptions)
    await showItem('song', formatSongId(2), actOptions)
    expect(await readSongIds('a')).toEqual([1, 2, 3].map(formatSongId))
  })

  test('a deleted song or playlist is not in the catalogue, also if it was hidden before; an import adds it again', async () => {
    await importAll()
    await hideItem('song', formatSongId(2), actOptions)
    expect(await deleteItem('song', formatSongId(2), actOptions)).toMatchObject({ kind: 'done' })
    expect(await deleteItem('song', formatSongId(2), actOptions)).toEqual({ kind: 'unknown' })
    expect(await deleteItem('playlist', 'c', actOptions)).toMatchObject({ kind: 'done', effects: { songs: 1 } })
    expect(await listHidden()).toEqual([])
    expect(await readSongIds('a')).toEqual([1, 3, 4].map(formatSongId))
    await importAll()
    expect(await readSongIds('a')).toEqual([1, 2, 3, 4].map(formatSongId))
    expect(await readSongIds('c')).toEqual([formatSongId(1)])
  })

  test('a category keeps its new name after imports', async () => {
    await importAll()
    const readHouseTitle = async () => (await fixture.storage.playlists.get('house', allRows, songReadOptions))?.playlist.category_name
    expect(await renameCategory('house', 'Deep house', actOptions)).toMatchObject({ kind: 'done', target: { title: 'House' } })
    expect(await readHouseTitle()).toBe('Deep house')
    await importAll()
    expect(await readHouseTitle()).toBe('Deep house')
    expect((await fixture.storage.songs.search(createSongSearch('song 1'), songReadOptions))[0]?.category_name).toBe('Deep house')
    expect(await renameCategory('house', 'Deep house', actOptions)).toMatchObject({ kind: 'already' })
    expect(await renameCategory('none', 'x', actOptions)).toEqual({ kind: 'unknown' })
  })

  test('a dry run changes and records nothing', async () => {
    await importAll()
    const revisionBefore = fixture.storage.revision()
    expect(await hideItem('song', formatSongId(2), dryRunOptions)).toMatchObject({ kind: 'done', effects: { playlists: 2 } })
    expect(await deleteItem('playlist', 'a', dryRunOptions)).toMatchObject({ kind: 'done', effects: { songs: 4 } })
    expect(await renameCategory('house', 'x', dryRunOptions)).toMatchObject({ kind: 'done' })
    expect(await hideItem('song', formatSongId(9), dryRunOptions)).toEqual({ kind: 'unknown' })
    expect(fixture.storage.revision()).toBe(revisionBefore)
    expect(await listActions()).toEqual([])
    expect(await readSongIds('a')).toHaveLength(4)
  })
})

describeStores('deletion of accounts by admins', (fixture) => {
  test('a dry run counts the rows of an account and deletes nothing; the deletion has the same effects and is recorded', async () => {
    const { accounts, contacts, moderation, presets, roles } = fixture.storage
    for (const uid of ['ann', 'bob']) {
      await accounts.create({ uid, email: `${uid}@example.com`, emailVerified: uid === 'ann', passwordHash: 'x', atMs: 1 })
      await presets.change(uid, [{ name: 'a', settings: null, changedMs: 1 }])
    }
    const newLogin = { familyId: 'f', tokenHash: 'h', authTimeMs: 1, loginId: 'l', device: '', network: '' }
    await accounts.addLogin('ann', 'x', newLogin)
    await roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    const mail = { to: 'team@example.com', subject: 'x', text: 'x', expiresMs: 1 }
    await contacts.add({ topic: 'other', message: 'x', brandId: 'x', atMs: 1, email: 'ANN@example.com' }, mail)
    await contacts.add({ topic: 'other', message: 'x', brandId: 'x', atMs: 1, email: 'bob@example.com' }, mail)
    const act = { ...exampleAct, command: 'user delete' }
    const preview = await moderation.deleteAccount('ann', { act, isDryRun: true })
    expect(preview).toMatchObject({
      kind: 'done',
      target: { kind: 'account', id: 'ann', title: 'ann@example.com' },
      effects: { accounts: 1, logins: 1, roles: 1, contacts: 1, mails: 1, maker_presets: 1, favorites: 0 },
    })
    // The address of Bob is not verified, so that the message may be of somebody else.
    expect(await moderation.deleteAccount('bob', { act, isDryRun: true })).toMatchObject({ effects: { contacts: 0, maker_presets: 1 } })
    expect(await accounts.findByUid('ann')).toBeDefined()
    expect(await moderation.listActions(9)).toEqual([])
    expect(await moderation.deleteAccount('ann', { act, isDryRun: false })).toEqual(preview)
    expect(await accounts.findByUid('ann')).toBeUndefined()
    expect(await contacts.list({ limit: 9, offset: 0 })).toHaveLength(1)
    expect(await moderation.listActions(9)).toMatchObject([
      { command: 'user delete', target: 'account ann', outcome: 'deleted', reason: act.reason },
    ])
    expect(await moderation.deleteAccount('ann', { act, isDryRun: false })).toEqual({ kind: 'unknown' })
  })
})

describeStores('change of the address of an account by admins', (fixture) => {
  const act = { ...exampleAct, command: 'user change-address' }
  const newAddress = 'new@example.com'

  test('roles that wait for the new address belong to the account once its owner has verified it, besides those that it has', async () => {
    const { accounts, moderation, roles } = fixture.storage
    await accounts.create({ uid: 'ann', email: 'ann@example.com', emailVerified: true, passwordHash: 'x', atMs: 1 })
    await roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: 5 })
    await roles.grant(newAddress, { role: 'subscriber', source: 'admin', untilMs: 7 })
    expect(await moderation.changeAddress('ann', newAddress, { act, isDryRun: false })).toMatchObject({
      kind: 'done',
      effects: { deleted_grants: 0 },
    })
    expect(await roles.listGrants({ uid: 'ann', verifiedEmail: undefined })).toEqual([{ role: 'donator', source: 'admin', untilMs: 5 }])
    expect(await roles.listGrants({ uid: 'ann', verifiedEmail: newAddress })).toEqual([
      { role: 'donator', source: 'admin', untilMs: 5 },
      { role: 'subscriber', source: 'admin', untilMs: 7 },
    ])
  })

  test('a waiting role that the account has from the same source is deleted and counted, and the account has it until the later end; from another source it is not', async () => {
    const { accounts, moderation, roles } = fixture.storage
    // The first role waited for the earlier address; the account has it because that address is verified.
    await roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: 5 })
    await accounts.create({ uid: 'ann', email: 'ann@example.com', emailVerified: true, passwordHash: 'x', atMs: 1 })
    await roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: 5 })
    await roles.grant(newAddress, { role: 'subscriber', source: 'admin', untilMs: undefined })
    await roles.grant(newAddress, { role: 'subscriber', source: 'payment', untilMs: 7 })
    await roles.grant(newAddress, { role: 'donator', source: 'admin', untilMs: 7 })
    await roles.grant('bob@example.com', { role: 'subscriber', source: 'admin', untilMs: 9 })
    const preview = await moderation.changeAddress('ann', newAddress, { act, isDryRun: true })
    expect(preview).toMatchObject({ kind: 'done', effects: { deleted_grants: 2 } })
    expect(await roles.list({ limit: 9, offset: 0 })).toHaveLength(6)
    expect(await moderation.changeAddress('ann', newAddress, { act, isDryRun: false })).toEqual(preview)
    expect(await roles.listGrants({ uid: 'ann', verifiedEmail: newAddress })).toEqual([
      { role: 'donator', source: 'admin', untilMs: 7 },
      { role: 'subscriber', source: 'admin', untilMs: undefined },
      { role: 'subscriber', source: 'payment', untilMs: 7 },
    ])
    expect(await roles.list({ limit: 9, offset: 0 })).toHaveLength(4)
  })
})
