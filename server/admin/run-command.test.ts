import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStorage } from '../storage/open.ts'
import { bundleProgram } from '../testing/bundle-program.ts'
import { commands } from './commands.ts'
import { describeFailure, runCommand } from './run-command.ts'

let dataDir = ''
const runAdmin = (...args: string[]) => runCommand(args, { env: { DATA_DIR: dataDir } })
const readRefusal = (...args: string[]) =>
  runAdmin(...args).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => describeFailure(error).message,
  )

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'varispeed-admin-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function writeImportFile(fileContent: string): string {
  const path = join(dataDir, 'import.json')
  writeFileSync(path, fileContent)
  return path
}

const song = {
  youtube_id: 'AAAAAAAAAA1',
  title: 'One',
  author_name: 'Somebody',
  category_id: 'c',
  category_name: 'C',
  date_added: '2026-01-01',
}
const playlist = { id: 'p', title: 'P', category_id: 'c', category_name: 'C', songs: ['AAAAAAAAAA1'] }

describe('the documentation of the admin command', () => {
  const tableRows = readFileSync(new URL('../../docs/admin.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(/(?<!\\)\|/)[1] ?? '')
  it.each(commands.map((command) => [command.words, command] as const))(
    'docs/admin.md lists %s with its operands and required options',
    (commandWords, command) => {
      const commandForms = tableRows.flatMap((row) => [...row.matchAll(/`([^`]*)`/g)].map(([, form = '']) => form))
      const commandForm = commandForms.find((each) => `${each} `.startsWith(`${commandWords} `)) ?? ''
      const requiredOptions = Object.entries(command.options).flatMap(([name, option]) => (option.required ? [`--${name}`] : []))
      for (const term of [...Object.keys(command.operands).map((name) => name.toUpperCase()), ...requiredOptions])
        expect(commandForm).toContain(term)
      expect(commandForm).not.toBe('')
    },
  )
})

describe('the admin command', () => {
  it('catalog import: the command works before the first start of the server, and prints what was imported', async () => {
    const file = writeImportFile(JSON.stringify({ songs: [song], playlists: [playlist] }))
    expect(await runAdmin('catalog', 'import', file)).toMatch(/1 playlist.*1 song/)
    expect(JSON.parse(await runAdmin('catalog', 'import', file, '--json'))).toEqual({
      playlists: 1,
      songs: 1,
      members: 0,
      supporters: 0,
      feed: 0,
    })
  })

  it('database restored: the number of renewed favorite lists, and of accounts with playlists, is printed', async () => {
    expect(await runAdmin('database', 'restored')).toBe('0 lists of favorites and the playlists of 0 accounts will be asked for anew.')
    expect(JSON.parse(await runAdmin('database', 'restored', '--json'))).toEqual({ lists: 0, playlist_accounts: 0 })
    expect(await readRefusal('database', 'restored', 'please')).toContain('too much')
  })

  it('catalog import: the first invalid row is named, and nothing changes', async () => {
    const file = writeImportFile(JSON.stringify({ songs: [song, { ...song, youtube_id: 'AAAAAAAAAA2', date_added: 'soon' }] }))
    expect(await readRefusal('catalog', 'import', file)).toMatch(/^songs\[1\]\.date_added: /)
    const unknownSongFile = writeImportFile(JSON.stringify({ songs: [song], playlists: [{ ...playlist, songs: ['AAAAAAAAAA9'] }] }))
    expect(await readRefusal('catalog', 'import', unknownSongFile)).toMatch(/^playlists\[0\]\.songs\[0\]: /)
    expect(await readRefusal('catalog', 'import', writeImportFile('{"songs": ['))).not.toContain('\n')
    const escapedRefusal = await readRefusal('catalog', 'import', writeImportFile('{"\\u001b[31msongs\\n": []}'))
    expect(escapedRefusal).not.toContain('\u001b')
    expect(escapedRefusal).not.toContain('\n')
    expect(await readRefusal('catalog', 'import', join(dataDir, 'nothing.json'))).not.toContain('\n')
    const storage = await openStorage({ dataDir })
    expect(await storage.catalogue.isEmpty()).toBe(true)
    await storage.close()
  })

  it('catalog restore-song: a song that was reported as unplayable returns, also one whose id begins with a hyphen', async () => {
    const songs = [song, { ...song, youtube_id: '-AAAAAAAAA2' }]
    await runAdmin('catalog', 'import', writeImportFile(JSON.stringify({ songs })))
    const storage = await openStorage({ dataDir })
    for (const clientId of ['a', 'b', 'c'])
      await storage.songs.reportUnplayable({ songId: '-AAAAAAAAA2', reason: 'video error 100', clientId, atMs: Date.now() })
    await storage.close()
    expect(await runAdmin('catalog', 'list-unplayable')).toContain('-AAAAAAAAA2')
    expect(await runAdmin('catalog', 'restore-song', '-AAAAAAAAA2')).toBe('-AAAAAAAAA2 is played again.')
    expect(await runAdmin('catalog', 'list-unplayable')).toBe('No song is reported as unplayable.')
    expect(JSON.parse(await runAdmin('catalog', 'restore-song', 'https://youtu.be/AAAAAAAAAA1', '--json'))).toEqual({
      youtube_id: 'AAAAAAAAAA1',
      restored: false,
    })
    expect(await readRefusal('catalog', 'restore-song', 'nonsense')).toContain('nonsense')
    expect(await readRefusal('catalog', 'restore-song', '--all', 'AAAAAAAAAA1')).toContain('not both')
  })

  it('catalog restore-song --all: all songs return; list-unplayable also lists reported songs that stay playable because the maximum number of songs is already excluded', async () => {
    const songIds = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'AAAAAAAAAA4']
    const songs = songIds.map((youtube_id) => ({ ...song, youtube_id }))
    await runAdmin('catalog', 'import', writeImportFile(JSON.stringify({ songs })))
    const storage = await openStorage({ dataDir })
    for (const songId of songIds)
      for (const clientId of ['a', 'b', 'c'])
        await storage.songs.reportUnplayable({ songId, reason: 'video error 100', clientId, atMs: Date.now() })
    await storage.close()
    expect(await runAdmin('catalog', 'list-unplayable')).toMatch(/The limit is reached: .*5 %.*20 %.*\nAAAAAAAAAA4 .*$/)
    expect(JSON.parse(await runAdmin('catalog', 'restore-song', '--all', '--json'))).toEqual({ restored: 3 })
    expect(await runAdmin('catalog', 'list-unplayable')).toBe('No song is reported as unplayable.')
    expect(await runAdmin('catalog', 'restore-song', '--all')).toBe('0 songs are played again.')
  })

  it('settings: a text can be set for one brand or for all, and its default restored', async () => {
    const defaultOutput = await runAdmin('settings', 'get', 'HERO_TITLE')
    await runAdmin('settings', 'set', 'HERO_TITLE', 'For all')
    await runAdmin('settings', 'set', 'HERO_TITLE', 'For one', '--brand', 'slowed-reverb-meridian')
    expect(await runAdmin('settings', 'get', 'HERO_TITLE')).toBe('For all')
    expect(await runAdmin('settings', 'get', 'HERO_TITLE', '--brand', 'nightcore-meridian')).toBe('For all')
    expect(await runAdmin('settings', 'get', 'HERO_TITLE', '--brand', 'slowed-reverb-meridian')).toBe('For one')
    expect(JSON.parse(await runAdmin('settings', 'get', 'HERO_TITLE', '--json'))).toMatchObject({ value: 'For all', is_default: false })
    await runAdmin('settings', 'set', 'HERO_TITLE')
    expect(await runAdmin('settings', 'get', 'HERO_TITLE')).toBe(defaultOutput)
  })

  it.each([
    ['MAKER_SPEED', '3'],
    ['DEFAULT_PITCH', '1.5'],
    ['DESIGNER', 'yes'],
    ['NAME', ''],
    ['SOCIAL_X', 'javascript:alert(1)'],
    ['CHECKOUT_DONATE', ' javascript:alert(1)'],
    ['HERO_LINK', 'JavaScript:alert(1)'],
    ['LOGO', 'data:text/html,x'],
    ['DONATE_LINKS', '[{"label":"x","url":"javascript:alert(1)"}]'],
    ['WHAT_IS_PATH', 'no slash'],
    ['WHAT_IS_PATH', '/faq'],
    ['WHAT_IS_PATH', '/healthz'],
    ['WHAT_IS_PATH', '/go'],
  ])('settings: %s=%s is refused with a message of one line', async (settingKey, settingValue) => {
    const text = await readRefusal('settings', 'set', settingKey, settingValue)
    expect(text).toContain(settingKey)
    expect(text).not.toContain('\n')
  })

  it('settings: a negative number is accepted as a value', async () => {
    await runAdmin('settings', 'set', 'DEFAULT_PITCH', '-3')
    expect(await runAdmin('settings', 'get', 'DEFAULT_PITCH')).toBe('-3')
  })

  it('settings: HTML is sanitised before it is stored', async () => {
    await runAdmin('settings', 'set', 'WHAT_IS_CONTENT', '<p onclick="x()">Hi</p><script>x()</script>')
    expect(await runAdmin('settings', 'get', 'WHAT_IS_CONTENT')).toBe('<p>Hi</p>')
  })

  it('settings: a long text can be set from JSON or a file, and is sanitised', async () => {
    const timeline = [{ title: 'Start', description: 'We begin.', date: '2026-01', icon: 'launch' }]
    const timelinePath = join(dataDir, 'timeline.json')
    writeFileSync(timelinePath, JSON.stringify(timeline, null, 2))
    await runAdmin('settings', 'set', 'TIMELINE', timelinePath)
    expect(JSON.parse(await runAdmin('settings', 'get', 'TIMELINE'))).toEqual(timeline)
    await runAdmin('settings', 'set', 'TIMELINE', '[]', '--brand', 'slowed-reverb-meridian')
    expect(await runAdmin('settings', 'get', 'TIMELINE', '--brand', 'slowed-reverb-meridian')).toBe('[]')
    await runAdmin('settings', 'set', 'TIMELINE')
    expect(JSON.parse(await runAdmin('settings', 'get', 'TIMELINE')).length).toBeGreaterThan(4)
    expect(await readRefusal('settings', 'set', 'FAQ', '[{"question":"?"}]')).toContain('FAQ must be JSON')
    expect(await readRefusal('settings', 'set', 'FAQ', './no-such-file.json')).toContain('cannot be read')
  })

  it('settings: LOGO accepts a file or an address', async () => {
    const logoPath = join(dataDir, 'logo.svg')
    writeFileSync(logoPath, '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
    await runAdmin('settings', 'set', 'LOGO', logoPath)
    expect(await runAdmin('settings', 'get', 'LOGO')).toMatch(/^\/img\/logo\/[0-9a-f]{32}\.svg$/)
    await runAdmin('settings', 'set', 'LOGO', '/icon.svg')
    expect(await runAdmin('settings', 'get', 'LOGO')).toBe('/icon.svg')
    expect(await readRefusal('settings', 'set', 'LOGO', './no-such-logo.svg')).toContain('cannot be read')
  })

  it('feed add: one item or a list of items is stored, and an item with a known id is changed', async () => {
    const newsPath = join(dataDir, 'news.json')
    const addNews = async (importContent: unknown) => {
      writeFileSync(newsPath, JSON.stringify(importContent))
      return runAdmin('feed', 'add', newsPath)
    }
    expect(await addNews({ id: 'one', title: 'Old', content: '<p onclick="x()">Hi</p>', date: '2026-01-02' })).toBe(
      '1 news item is stored.',
    )
    expect(
      await addNews([
        { id: 'one', title: 'New', content: '<p>Hi</p>', date: '2026-01-02' },
        { title: 'B', content: '', date: '2026-01-03' },
      ]),
    ).toBe('2 news items are stored.')
    const storage = await openStorage({ dataDir })
    const feedItems = await storage.feed.list({ limit: 10, offset: 0 }, Date.now())
    await storage.close()
    expect(
      feedItems.filter(({ title }) => ['Old', 'New', 'B'].includes(title)).map(({ title, content_tree }) => [title, content_tree]),
    ).toEqual([
      ['B', []],
      ['New', [{ tag: 'p', children: ['Hi'] }]],
    ])
    writeFileSync(newsPath, '{')
    expect(await readRefusal('feed', 'add', newsPath)).toContain('is not JSON')
    expect(await readRefusal('feed', 'add', join(dataDir, 'none.json'))).toContain('cannot be read')
    writeFileSync(newsPath, '[{"title":"x"}]')
    expect(await readRefusal('feed', 'add', newsPath)).toContain('feed[0]')
  })

  it('contact list: control characters in messages are replaced', async () => {
    const storage = await openStorage({ dataDir })
    await storage.contacts.add({
      topic: 'song-report',
      message: 'odd\u001b[31m',
      brandId: 'nightcore-meridian',
      atMs: Date.UTC(2026, 0, 2),
    })
    await storage.close()
    expect(await runAdmin('contact', 'list')).not.toContain('\u001b')
    const [message] = JSON.parse(await runAdmin('contact', 'list', '--json'))
    expect(message).toMatchObject({ topic: 'song-report', brand: 'nightcore-meridian', created: '2026-01-02T00:00:00.000Z' })
  })

  it('the help of all commands, of a group, and of a single command is printed', async () => {
    expect(await runAdmin('--help')).toContain('catalog import')
    const settingsHelp = await runAdmin('settings', '--help')
    expect(settingsHelp).toContain('settings get')
    expect(settingsHelp).not.toContain('user create')
    for (const { words, summary, operands, options } of commands) {
      const helpText = await runAdmin(...words.split(' '), '--help')
      expect(helpText).toContain(`Usage: npm run admin -- ${words}`)
      expect(helpText).toContain(summary)
      for (const name of Object.keys(operands)) expect(helpText).toContain(name.toUpperCase())
      for (const name of Object.keys(options)) expect(helpText).toContain(`--${name}`)
    }
    expect(await runAdmin('settings', 'set', '-h')).toContain('set KEY [VALUE] [--brand ID]')
    expect(await runAdmin('settings', 'get', '-h')).toContain('WHAT_IS_PATH')
  })

  it('docs/admin.md names every command', () => {
    const page = readFileSync(new URL('../../docs/admin.md', import.meta.url), 'utf8')
    for (const { words } of commands) expect(page).toContain(`\`${words}`)
  })

  it.each([
    [['catalog', 'explode'], "There is no command 'catalog explode'"],
    [[], 'Which command?'],
    [['settings'], 'Which command?'],
    [['please'], "There is no command 'please'"],
    [['settings', 'get'], "KEY is missing after 'settings get'"],
    [['settings', 'get', 'NOTHING'], "There is no setting 'NOTHING'"],
    [['settings', 'get', 'NAME', 'LOGO'], "'LOGO' is too much"],
    [['settings', 'get', 'NAME', '--brand', 'x'], "There is no brand 'x'"],
    [['settings', 'get', 'NAME', '--brand'], '--brand'],
    [['settings', 'get', 'NAME', '--wrong'], "Unknown option '--wrong'"],
    [['settings', 'get', 'NAME', '--email', 'ann@example.com'], "Unknown option '--email'"],
    [['settings', 'get', 'NAME', '--json=yes'], '--json'],
  ])('the arguments %j are refused with exit code 2', async (args, expectedMessage) => {
    const commandFailure = await runAdmin(...args).then(() => expect.fail('The command was not refused.'), describeFailure)
    expect(commandFailure.message).toContain(expectedMessage)
    expect(commandFailure.exitCode).toBe(2)
    expect(readdirSync(dataDir).filter((name) => name.includes('tmp'))).toEqual([])
  })

  it("the program prints only its result to standard output, and exits with the command's code", { tags: ['long'] }, async () => {
    const program = await bundleProgram(new URL('main.ts', import.meta.url))
    const runProgram = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
        env: { PATH: process.env.PATH, DATA_DIR: dataDir },
        encoding: 'utf8',
      })
      return { status, stdout, stderr }
    }
    expect(runProgram('catalog', 'list-unplayable')).toEqual({ status: 0, stdout: 'No song is reported as unplayable.\n', stderr: '' })
    expect(runProgram('catalog', 'restore-song')).toEqual({ status: 2, stdout: '', stderr: "ID is missing after 'catalog restore-song'\n" })
    expect(runProgram('feed', 'add', 'none.json')).toMatchObject({ status: 1, stdout: '' })
  })

  it('a command that fails has exit code 1', async () => {
    const failure = await runAdmin('feed', 'add', join(dataDir, 'none.json')).catch(describeFailure)
    expect(failure).toEqual({ message: expect.stringContaining('cannot be read'), exitCode: 1 })
  })
})
