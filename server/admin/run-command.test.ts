import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStorage } from '../storage/open.ts'
import { failureText, runCommand } from './run-command.ts'

let dataDir = ''
const run = (...args: string[]) => runCommand(args, { DATA_DIR: dataDir })
const refusal = (...args: string[]) => run(...args).then(() => expect.fail('The command was not refused.'), failureText)

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'varispeed-admin-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function fileOf(content: string): string {
  const path = join(dataDir, 'import.json')
  writeFileSync(path, content)
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

describe('the admin command', () => {
  it('needs no earlier start, and says what it imported', async () => {
    const file = fileOf(JSON.stringify({ songs: [song], playlists: [playlist] }))
    expect(await run('catalog', 'import', file)).toMatch(/1 playlist.*1 song/)
    expect(JSON.parse(await run('catalog', 'import', file, '--json'))).toEqual({
      playlists: 1,
      songs: 1,
      members: 0,
      supporters: 0,
      feed: 0,
    })
  })

  it('counts the lists that are asked for anew', async () => {
    expect(await run('database', 'restored')).toBe('0 lists of favorites will be asked for anew.')
    expect(JSON.parse(await run('database', 'restored', '--json'))).toEqual({ lists: 0 })
    expect(await refusal('database', 'restored', 'please')).toContain('too much')
  })

  it('names the first bad row, and changes nothing', async () => {
    const file = fileOf(JSON.stringify({ songs: [song, { ...song, youtube_id: 'AAAAAAAAAA2', date_added: 'soon' }] }))
    expect(await refusal('catalog', 'import', file)).toMatch(/^songs\[1\]\.date_added: /)
    const unknown = fileOf(JSON.stringify({ songs: [song], playlists: [{ ...playlist, songs: ['AAAAAAAAAA9'] }] }))
    expect(await refusal('catalog', 'import', unknown)).toMatch(/^playlists\[0\]\.songs\[0\]: /)
    expect(await refusal('catalog', 'import', fileOf('{"songs": ['))).not.toContain('\n')
    const escaped = await refusal('catalog', 'import', fileOf('{"\\u001b[31msongs\\n": []}'))
    expect(escaped).not.toContain('\u001b')
    expect(escaped).not.toContain('\n')
    expect(await refusal('catalog', 'import', join(dataDir, 'nothing.json'))).not.toContain('\n')
    const storage = await openStorage({ dataDir })
    expect(await storage.catalogue.isEmpty()).toBe(true)
    await storage.close()
  })

  it('sets a text for one brand or all, and goes back to the default', async () => {
    const byDefault = await run('settings', 'get', 'HERO_TITLE')
    await run('settings', 'set', 'HERO_TITLE', 'For all')
    await run('settings', 'set', 'HERO_TITLE', 'For one', '--brand', 'slowed-reverb-meridian')
    expect(await run('settings', 'get', 'HERO_TITLE')).toBe('For all')
    expect(await run('settings', 'get', 'HERO_TITLE', '--brand', 'nightcore-meridian')).toBe('For all')
    expect(await run('settings', 'get', 'HERO_TITLE', '--brand', 'slowed-reverb-meridian')).toBe('For one')
    expect(JSON.parse(await run('settings', 'get', 'HERO_TITLE', '--json'))).toMatchObject({ value: 'For all', is_default: false })
    await run('settings', 'set', 'HERO_TITLE')
    expect(await run('settings', 'get', 'HERO_TITLE')).toBe(byDefault)
  })

  it.each([
    ['MAKER_SPEED', '3'],
    ['DEFAULT_PITCH', '1.5'],
    ['DESIGNER', 'yes'],
    ['NAME', ''],
    ['SOCIAL_X', 'javascript:alert(1)'],
    ['DONATE_LINKS', '[{"label":"x","url":"javascript:alert(1)"}]'],
    ['WHAT_IS_PATH', 'no slash'],
  ])('refuses %s=%s in one line', async (key, value) => {
    const text = await refusal('settings', 'set', key, value)
    expect(text).toContain(key)
    expect(text).not.toContain('\n')
  })

  it('takes a negative number as a value', async () => {
    await run('settings', 'set', 'DEFAULT_PITCH', '-3')
    expect(await run('settings', 'get', 'DEFAULT_PITCH')).toBe('-3')
  })

  it('sanitises HTML as it is stored', async () => {
    await run('settings', 'set', 'WHAT_IS_CONTENT', '<p onclick="x()">Hi</p><script>x()</script>')
    expect(await run('settings', 'get', 'WHAT_IS_CONTENT')).toBe('<p>Hi</p>')
  })

  it('lists messages as text a terminal can show', async () => {
    const storage = await openStorage({ dataDir })
    await storage.contacts.add({
      topic: 'song-report',
      message: 'odd\u001b[31m',
      brandId: 'nightcore-meridian',
      atMs: Date.UTC(2026, 0, 2),
    })
    await storage.close()
    expect(await run('contact', 'list')).not.toContain('\u001b')
    const [message] = JSON.parse(await run('contact', 'list', '--json'))
    expect(message).toMatchObject({ topic: 'song-report', brand: 'nightcore-meridian', created: '2026-01-02T00:00:00.000Z' })
  })

  it('says how it is used, and refuses what it does not know', async () => {
    expect(await run('--help')).toContain('catalog import')
    expect(await refusal('catalog', 'explode')).toContain("There is no command 'catalog explode'")
    expect(await refusal('settings', 'get', 'NOTHING')).toContain("There is no setting 'NOTHING'")
    expect(await refusal('settings', 'get', 'NAME', '--brand', 'x')).toContain("There is no brand 'x'")
    expect(await refusal('settings', 'get', 'NAME', '--wrong')).toContain('--wrong')
    expect(readdirSync(dataDir).filter((name) => name.includes('tmp'))).toEqual([])
  })
})
