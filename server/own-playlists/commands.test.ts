import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeFailure, runCommand } from '../admin/run-command.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { NOW_MS, playlistChange, playlistId } from './testing/changes.ts'

let testApp: TestApp
beforeEach(async () => {
  testApp = await createTestApp()
})
afterEach(() => testApp.close())

const runAdmin = (...args: string[]) => runCommand(args, { env: { DATA_DIR: testApp.dataDir } })
const refusalOf = (...args: string[]) =>
  runAdmin(...args).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => describeFailure(error).message,
  )

it('list reports, hide and show: the page of a reported playlist is hidden at once with a reason, and shown again', async () => {
  const { ownPlaylists } = testApp.storage
  expect(await runAdmin('list', 'reports')).toBe('No shared playlist was reported.')
  await ownPlaylists.sync('ann', { changes: [playlistChange({ title: 'Rude\ntitle' })] }, NOW_MS, { newSinceMs: 0 })
  const outcome = await ownPlaylists.share('ann', playlistId(1), true, undefined)
  const token = typeof outcome === 'string' ? '' : outcome.token
  await ownPlaylists.report(token, { clientId: 'one', reason: 'It is\u001b[31m rude', atMs: NOW_MS })
  const line = await runAdmin('list', 'reports')
  expect(line).toContain(token)
  expect(line).toMatch(/Rude title.*account ann.*It is\uFFFD\[31m rude$/)

  const statusOf = async () => (await testApp.app.inject({ url: `/api/list/get?l=${token}` })).statusCode
  expect(await statusOf()).toBe(200)
  expect(await runAdmin('list', 'hide', `https://site.example/list?l=${token}`, '--reason', 'The title is rude.')).toBe(
    `The page of ${token} is hidden.`,
  )
  expect(await statusOf()).toBe(404)
  expect(await runAdmin('list', 'reports')).toContain('hidden')
  expect(JSON.parse(await runAdmin('list', 'show', token, '--json'))).toEqual({ token, hidden: '' })
  expect(await statusOf()).toBe(200)
})

it('list hide: a text that is no token, an unknown token, or a missing reason is refused', async () => {
  const unknown = 'A'.repeat(22)
  expect(await refusalOf('list', 'hide', 'x', '--reason', 'x')).toContain('neither the address')
  expect(await refusalOf('list', 'show', 'https://site.example/list')).toContain('neither the address')
  expect(await refusalOf('list', 'hide', unknown, '--reason', 'x')).toBe(`No playlist is shared as ${unknown}`)
  expect(await refusalOf('list', 'hide', unknown)).toContain('--reason')
  expect(await refusalOf('list', 'hide', unknown, '--reason', ' ')).toContain('--reason')
})
