import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { socialFields, type WebsiteTexts, websiteMaxLengths } from '../../contract/website-rules.ts'
import { describeFailure, runCommand } from '../admin/run-command.ts'
import { createPlaylistChange, createPlaylistId } from '../own-playlists/testing/changes.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

let testApp: TestApp
beforeEach(async () => {
  testApp = await createTestApp()
})
afterEach(() => testApp.close())

const runAdmin = (...args: string[]) => runCommand(args, { env: testApp.environment })
const readFailure = (...args: string[]) =>
  runAdmin(...args).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => describeFailure(error),
  )
// The cast is safe, because the names are the members of the type.
const emptyTexts = Object.fromEntries([...Object.keys(websiteMaxLengths), ...socialFields].map((field) => [field, ''])) as WebsiteTexts

const HOST = 'localhost:8080'
const getPage = (url: string) => testApp.app.inject({ url, headers: { host: HOST } })

const HIDDEN_SONG_ID = 'AAAAAAAAAA2'
const SONG_TITLE = 'Second Sun'

/** Addresses whose responses name the song, unless it is hidden. */
const listCommands = [
  '/api/song/search?s=second',
  '/api/song/search?s=elan&type=artist',
  '/api/search/suggest?s=second',
  '/api/song/related?s=AAAAAAAAAA1',
  '/api/playlist/get?p=night-drive',
  '/api/playlist/get?p=nightcore',
  '/api/playlist/get?p=new',
  '/artist.xml?a=%C3%89lan',
  '/playlist.xml?p=night-drive',
  '/sitemaps/songs-1.xml',
  '/playlist?p=night-drive',
  '/embed/playlist?p=night-drive',
]
/** Addresses of the song itself. */
const ownAddresses = [
  `/api/song/get?s=${HIDDEN_SONG_ID}`,
  `/song?s=${HIDDEN_SONG_ID}`,
  `/embed/song?s=${HIDDEN_SONG_ID}`,
  `/embed/oembed?url=${encodeURIComponent(`http://${HOST}/song?s=${HIDDEN_SONG_ID}`)}`,
]

/** Waits, because a server on PostgreSQL learns of the changes of other processes within a second. */
const expectPageBody = (url: string) => expect.poll(async () => (await getPage(url)).body, { message: url, timeout: 20_000 })

describe('song hide', () => {
  it('no list, search, feed, page, embed or picture of a running server has the song, until it is shown again', async () => {
    for (const url of listCommands) expect.soft((await getPage(url)).body, url).toContain(HIDDEN_SONG_ID)
    for (const url of ownAddresses) expect.soft((await getPage(url)).statusCode, url).toBe(200)
    expect(await runAdmin('song', 'hide', HIDDEN_SONG_ID, '--reason', 'A claim.', '--as', 'ann')).toBe(
      `The song ${HIDDEN_SONG_ID} (${SONG_TITLE}) is hidden. It concerns playlists: 1, favorites: 0, own playlists: 0, websites: 0.`,
    )
    await expect.poll(async () => (await getPage(`/api/song/get?s=${HIDDEN_SONG_ID}`)).statusCode).toBe(404)
    for (const url of listCommands) await expectPageBody(url).not.toContain(HIDDEN_SONG_ID)
    for (const url of ownAddresses) expect((await getPage(url)).statusCode, url).toBe(404)
    expect(await runAdmin('hidden')).toContain(`song ${HIDDEN_SONG_ID}  ${SONG_TITLE}: A claim.`)
    expect(await runAdmin('log')).toMatch(/^\S+ {2}ann {2}song hide {2}song AAAAAAAAAA2 {2}hidden: A claim\.$/)

    await runAdmin('song', 'show', `https://youtu.be/${HIDDEN_SONG_ID}`, '--json')
    await expect.poll(async () => (await getPage(`/api/song/get?s=${HIDDEN_SONG_ID}`)).statusCode).toBe(200)
    for (const url of listCommands) await expectPageBody(url).toContain(HIDDEN_SONG_ID)
    for (const url of ownAddresses) expect((await getPage(url)).statusCode, url).toBe(200)
    expect(await runAdmin('hidden')).toBe('Nothing is hidden.')
  })
  it('a song that the radio is playing ends, and is not played again', async () => {
    const readSongIdOnAir = async (): Promise<string> => (await getPage('/api/radio/get')).json().data.youtube_id
    const song = await readSongIdOnAir()
    await runAdmin('song', 'hide', song, '--reason', 'A claim.')
    await expect.poll(readSongIdOnAir).not.toBe(song)
  })

  it('an unknown song, one that is hidden already, and a wrong command line are answered in one line', async () => {
    expect(await readFailure('song', 'hide', 'ZZZZZZZZZZZ', '--reason', 'x')).toEqual({
      message: 'There is no song ZZZZZZZZZZZ in the catalogue',
      exitCode: 1,
    })
    await runAdmin('song', 'hide', HIDDEN_SONG_ID, '--reason', 'A \u001b[31mclaim.')
    const { message, exitCode } = await readFailure('song', 'hide', HIDDEN_SONG_ID, '--reason', 'x')
    expect(message).toMatch(/^The song AAAAAAAAAA2 is hidden already, since \S+: A \uFFFD\[31mclaim\.$/)
    expect(exitCode).toBe(1)
    expect(await readFailure('song', 'show', 'AAAAAAAAAA1')).toMatchObject({ exitCode: 1 })
    for (const commandArgs of [
      ['song', 'hide', HIDDEN_SONG_ID],
      ['song', 'hide', 'x', '--reason', 'x'],
      ['song', 'hide', HIDDEN_SONG_ID, '--reason', ' '],
    ])
      expect(await readFailure(...commandArgs)).toMatchObject({ exitCode: 2 })
  })

  it('a dry run reports the affected rows, and changes nothing', async () => {
    expect(await runAdmin('song', 'hide', HIDDEN_SONG_ID, '--reason', 'x', '--dry-run')).toBe(
      `Nothing is changed. The song ${HIDDEN_SONG_ID} (${SONG_TITLE}) would be hidden. It concerns playlists: 1, favorites: 0, own playlists: 0, websites: 0.`,
    )
    expect(await runAdmin('log')).toBe('No action is recorded.')
  })
})

describe('playlist delete, category rename', () => {
  it('playlist: it is deleted, and its songs stay', async () => {
    const deleteResult = JSON.parse(
      await runAdmin('playlist', 'delete', `http://${HOST}/playlist?p=night-drive`, '--reason', 'Old.', '--json'),
    )
    expect(deleteResult).toEqual({ dry_run: false, target: 'playlist night-drive', title: 'Night Drive', effects: { songs: 3 } })
    await expect.poll(async () => (await getPage('/api/playlist/get?p=night-drive')).statusCode).toBe(404)
    expect((await getPage(`/api/song/get?s=${HIDDEN_SONG_ID}`)).statusCode).toBe(200)
    expect(await readFailure('playlist', 'delete', 'new', '--reason', 'x')).toMatchObject({ exitCode: 1 })
  })

  it('category: its name changes wherever it is shown', async () => {
    expect(await runAdmin('category', 'rename', 'nightcore', ' Fast songs ')).toContain(
      'The category nightcore (Nightcore) is named Fast songs.',
    )
    await expect.poll(async () => (await getPage('/api/playlist/get?p=nightcore')).body).toContain('Fast songs')
    expect(await readFailure('category', 'rename', 'nightcore', 'Fast songs')).toEqual({
      message: 'The category nightcore is named Fast songs already',
      exitCode: 1,
    })
  })
})

it('log: a command that changes something is named with its target, and one that fails or only reads is not', async () => {
  await runAdmin('settings', 'set', 'NAME', 'Fast')
  await runAdmin('settings', 'get', 'NAME')
  await runAdmin('user', 'grant', '--email', 'ann@example.com', '--role', 'donator')
  await readFailure('user', 'delete', '--email', 'ann@example.com', '--reason', 'x')
  const loggedActions: { command: string; target: string }[] = JSON.parse(await runAdmin('log', '--json'))
  expect(loggedActions.map(({ command, target }) => [command, target]).toSorted()).toEqual([
    ['settings set', 'setting NAME'],
    ['user grant', 'account not known here'],
  ])
})

it('reports, log: only the newest are listed, and a line on standard error says that there are older ones', async () => {
  const nowMs = Date.now()
  for (const [expectedMessage, atMs] of [
    ['Older', nowMs - 1000],
    ['Newer', nowMs],
  ] as const)
    await testApp.storage.contacts.add({ topic: 'song-report', message: expectedMessage, brandId: 'x', atMs })
  for (const name of ['First', 'Second']) await runAdmin('category', 'rename', 'nightcore', name)
  const runWithWarnings = async (...args: string[]) => {
    const warnings: string[] = []
    const output = await runCommand(args, { env: testApp.environment, report: (line) => warnings.push(line) })
    return { lines: output.split('\n'), warnings }
  }
  for (const listCommand of ['reports', 'log']) {
    const newestOutput = await runWithWarnings(listCommand, '--limit', '1')
    expect(newestOutput).toEqual({
      lines: [expect.stringMatching(/Newer|category/)],
      warnings: ['Only the newest 1 are listed. --limit N lists more.'],
    })
    expect(await runWithWarnings(listCommand, '--limit', '2')).toEqual({
      lines: [...newestOutput.lines, expect.stringMatching(/Older|category/)],
      warnings: [],
    })
    expect(await readFailure(listCommand, '--limit', '0')).toMatchObject({ exitCode: 2 })
  }
})

describe('content of accounts', () => {
  const LIST_NOW_MS = Date.now()
  const shareList = async () => {
    const { ownPlaylists } = testApp.storage
    await ownPlaylists.sync('ann', { changes: [createPlaylistChange({ title: 'Rude\ntitle' })] }, LIST_NOW_MS, { newSinceMs: 0 })
    const outcome = await ownPlaylists.share('ann', createPlaylistId(1), true, undefined)
    return typeof outcome === 'string' ? '' : outcome.token
  }
  const createAccount = (uid: string, emailVerified = true) =>
    testApp.storage.accounts.create({ uid, email: `${uid}@example.com`, emailVerified, passwordHash: 'x', atMs: 1 })
  const readMail = async () => {
    const mail = await testApp.storage.mails.claim(Date.now() + 1, Date.now() + 1000)
    return mail && { to: mail.to, subject: mail.subject, text: mail.text }
  }

  it('list hide, show, delete: the page is hidden immediately, the owner is mailed the reason, and reports about the playlist are marked as handled', async () => {
    await createAccount('ann')
    const shareToken = await shareList()
    const { ownPlaylists } = testApp.storage
    const readStatus = async () => (await getPage(`/api/list/get?l=${shareToken}`)).statusCode
    expect(await runAdmin('reports')).toBe('No report is open.')
    await ownPlaylists.report(shareToken, { clientId: 'one', reason: 'It is\u001b[31m rude', atMs: LIST_NOW_MS })
    expect(await runAdmin('reports')).toMatch(new RegExp(`list ${shareToken} {2}Rude title: It is\uFFFD\\[31m rude$`))
    expect(await readStatus()).toBe(200)
    expect(await runAdmin('list', 'hide', `https://site.example/list?l=${shareToken}`, '--reason', 'The title is rude.')).toBe(
      `The list ${shareToken} (Rude title) is hidden. It concerns mails: 1.`,
    )
    expect(await readStatus()).toBe(404)
    expect(await readMail()).toEqual({
      to: 'ann@example.com',
      subject: 'Your playlist was hidden',
      text: expect.stringContaining('Why: The title is rude.'),
    })
    expect(await runAdmin('reports')).toBe('No report is open.')
    expect(await runAdmin('reports', '--all')).toContain('(hidden at')
    expect(await readFailure('list', 'hide', shareToken, '--reason', 'x')).toMatchObject({
      message: expect.stringContaining('hidden already: The title'),
    })
    await runAdmin('list', 'show', shareToken)
    expect(await readStatus()).toBe(200)
    expect(await readFailure('list', 'show', shareToken)).toMatchObject({ exitCode: 1 })
    await runAdmin('list', 'delete', shareToken, '--reason', 'Spam.')
    expect(await readStatus()).toBe(404)
    const { playlists } = await ownPlaylists.sync('ann', {}, LIST_NOW_MS, { newSinceMs: 0 })
    expect(playlists).toMatchObject([{ deleted: true, hidden: 'Spam.' }])
  })

  it('site hide, show, delete: visitors do not see the site, its card and its pictures, and the owner is mailed the reason', async () => {
    await createAccount('ann')
    const { websites, supporters, roles } = testApp.storage
    await roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
    const website = { ...emptyTexts, uid: 'ann', email: 'ann@example.com', name: 'Ann', domain_name: 'anns', enabled: 'yes' as const }
    await websites.save({ ...website, links: [], accent: '', songs: [] }, 1)
    const isLive = async () => (await websites.resolve('anns', Date.now()))?.isLive
    const isListed = async () => (await supporters.list({ limit: 9, offset: 0 }, Date.now())).some((each) => each.domain_name === 'anns')
    expect([await isLive(), await isListed()]).toEqual([true, true])
    await runAdmin('site', 'hide', 'ANNS', '--reason', 'Malware.')
    expect([await isLive(), await isListed()]).toEqual([false, false])
    expect(await readMail()).toMatchObject({ to: 'ann@example.com', subject: "Your site 'anns' was hidden" })
    await websites.save({ ...website, links: [], accent: '', songs: [] }, 2)
    expect(await isLive()).toBe(false)
    await runAdmin('site', 'show', 'anns', '--reason', 'Cleaned.')
    expect([await isLive(), await isListed()]).toEqual([true, true])
    expect(await runAdmin('site', 'delete', 'anns', '--reason', 'Malware again.', '--dry-run')).toContain('would be deleted')
    await runAdmin('site', 'delete', 'anns', '--reason', 'Malware again.')
    expect(await websites.find('ann')).toBeUndefined()
    expect(await readFailure('site', 'hide', 'anns', '--reason', 'x')).toEqual({ message: 'There is no site anns', exitCode: 1 })
    expect(await readFailure('site', 'hide', 'a.b', '--reason', 'x')).toMatchObject({ exitCode: 2 })
  })

  it('mails to owners come from the site by its name, and end with a link to the contact form, the name and the domain', async () => {
    await createAccount('ann')
    const shareToken = await shareList()
    await runAdmin('settings', 'set', 'NAME', 'Harbour')
    await runAdmin('settings', 'set', 'DOMAIN', 'harbour.example')
    await runAdmin('list', 'hide', shareToken, '--reason', 'Spam.')
    await runAdmin('user', 'change-address', '--email', 'ann@example.com', '--to', 'new@example.com', '--reason', 'Lost.')
    for (const subject of ['Your playlist was hidden', 'The address of your account was changed']) {
      const mail = await testApp.storage.mails.claim(Date.now() + 1, Date.now() + 1000)
      const link = 'http://localhost:8080/get-in-touch?topic=other'
      expect(mail).toMatchObject({ to: 'ann@example.com', sender: 'Harbour', subject, link })
      expect(mail?.text).toContain('team of Harbour')
      expect(mail?.text.endsWith(`:\n\n${link}\n\nHarbour\nharbour.example`)).toBe(true)
    }
  })

  it('an address that nobody has verified gets no mail, and the log says so', async () => {
    await createAccount('ann', false)
    const shareToken = await shareList()
    expect(await runAdmin('list', 'hide', shareToken, '--reason', 'Spam.')).toContain('mails: 0')
    expect(await runAdmin('log', `list ${shareToken}`)).toContain('hidden, no address to mail to: Spam.')
    expect(await readMail()).toBeUndefined()
  })

  it('user sign-out, change-address: logins end, and the account is known by its new, unverified address', async () => {
    await createAccount('ann')
    await createAccount('bob')
    const { accounts, logins, roles } = testApp.storage
    await roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
    const newLogin = { familyId: 'f', tokenHash: 'h', authTimeMs: 1, loginId: 'l', device: '', network: '' }
    const addLogin = (n: number) => accounts.addLogin('ann', 'x', { ...newLogin, familyId: `f${n}`, tokenHash: `h${n}`, loginId: `l${n}` })
    await addLogin(1)
    expect(await runAdmin('user', 'sign-out', '--email', 'ANN@example.com', '--reason', 'Stolen.')).toBe(
      'The account ann (ann@example.com) is signed out. It concerns logins: 1.',
    )
    expect(await logins.listOf('ann')).toEqual([])
    await addLogin(2)
    const changeAddressArgs = (newAddress: string) => [
      'user',
      'change-address',
      '--email',
      'ann@example.com',
      '--to',
      newAddress,
      '--reason',
      'Lost the old one.',
    ]
    expect(await readFailure(...changeAddressArgs('bob@example.com'))).toEqual({
      message: 'bob@example.com has an account already',
      exitCode: 1,
    })
    expect(await readFailure(...changeAddressArgs('ann@example.com'))).toMatchObject({ exitCode: 1 })
    expect(await readFailure(...changeAddressArgs('x'))).toMatchObject({ message: expect.stringContaining('--to must be'), exitCode: 2 })
    await runAdmin(...changeAddressArgs('New@Example.com'))
    expect(await accounts.findByEmail('new@example.com')).toMatchObject({ uid: 'ann', emailVerified: false })
    expect(await logins.listOf('ann')).toEqual([])
    expect(await roles.listGrants({ uid: 'ann', verifiedEmail: undefined })).toMatchObject([{ role: 'subscriber' }])
    expect(await readMail()).toMatchObject({ to: 'ann@example.com', subject: 'The address of your account was changed' })
    // The log outlives an account, and so it names no address.
    expect(await runAdmin('log')).not.toContain('@')
  })

  it('user delete: a dry run counts the rows and changes nothing; the log names the account by its uid, with who, when and why', async () => {
    await createAccount('ann')
    const shareToken = await shareList()
    await testApp.storage.roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    const deleteArgs = ['user', 'delete', '--email', 'ANN@example.com', '--reason', 'Asked for.', '--as', 'bea']
    const effectsText = 'accounts: 1, roles: 1, applied changes: 1, own playlists: 1, own playlist positions: 1'
    expect(await runAdmin(...deleteArgs, '--dry-run')).toBe(
      `Nothing is changed. The account ann (ann@example.com) would be deleted. It concerns ${effectsText}.`,
    )
    expect(JSON.parse(await runAdmin(...deleteArgs, '--dry-run', '--json'))).toMatchObject({
      dry_run: true,
      target: 'account ann',
      title: 'ann@example.com',
      effects: { accounts: 1, roles: 1, own_playlists: 1, favorites: 0, logins: 0 },
    })
    expect(await testApp.storage.accounts.findByUid('ann')).toBeDefined()
    expect((await getPage(`/api/list/get?l=${shareToken}`)).statusCode).toBe(200)
    expect(await runAdmin('log')).toBe('No action is recorded.')
    expect(await readFailure('user', 'delete', '--email', 'ann@example.com')).toEqual({ message: '--reason is missing', exitCode: 2 })

    expect(await runAdmin(...deleteArgs)).toBe(`The account ann (ann@example.com) is deleted. It concerns ${effectsText}.`)
    expect(await testApp.storage.accounts.findByUid('ann')).toBeUndefined()
    expect((await getPage(`/api/list/get?l=${shareToken}`)).statusCode).toBe(404)
    expect(await runAdmin('log')).toMatch(/^\S+ {2}bea {2}user delete {2}account ann {2}deleted: Asked for\.$/)
    expect(await readFailure(...deleteArgs)).toEqual({ message: 'There is no account of ann@example.com', exitCode: 1 })
  })

  it('contact delete, reports close: a message is deleted, and the reports of a song are closed', async () => {
    const { contacts } = testApp.storage
    const addSongReport = (message: string) => contacts.add({ topic: 'song-report', message, brandId: 'x', atMs: Date.now() })
    await addSongReport(`Song: ${HIDDEN_SONG_ID}\nReason: Wrong title`)
    await addSongReport('Nonsense')
    expect(await runAdmin('reports')).toMatch(/message 2: Nonsense\n.*song AAAAAAAAAA2: Wrong title$/)
    await runAdmin('reports', 'close', `song ${HIDDEN_SONG_ID}`, '--reason', 'The title is right.')
    expect(await readFailure('reports', 'close', `song ${HIDDEN_SONG_ID}`, '--reason', 'x')).toMatchObject({ exitCode: 1 })
    expect(await readFailure('reports', 'close', 'song x', '--reason', 'x')).toMatchObject({ message: "Nobody has reported 'song x'" })
    expect(await runAdmin('contact', 'delete', '#2', '--reason', 'Nonsense.')).toContain('The message 2 (song-report) is deleted.')
    expect(await runAdmin('reports')).toBe('No report is open.')
    expect(await contacts.list({ limit: 9, offset: 0 })).toHaveLength(1)
    expect(await readFailure('contact', 'delete', '2', '--reason', 'x')).toEqual({ message: 'There is no message 2', exitCode: 1 })
    expect(await readFailure('contact', 'delete', 'x', '--reason', 'x')).toMatchObject({ exitCode: 2 })
  })
})
