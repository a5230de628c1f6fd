import { afterEach, beforeEach, expect, it } from 'vitest'
import { errorOf, type SdkCalls, sdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { failureText, runCommand } from './run-command.ts'

// The command works on the data of a server that runs.

let site: TestApp
let sdk: SdkCalls
beforeEach(async () => {
  site = await createTestApp()
  sdk = sdkCalls(site)
})
afterEach(() => site.close())

const firebase = { FIREBASE_API_KEY: 'AIzaSyExampleExample', FIREBASE_PROJECT_ID: 'demo-site', FIREBASE_AUTH_DOMAIN: 'demo.example.org' }
const run = (words: string, more: Record<string, string> = {}) => runCommand(words.split(' '), { DATA_DIR: site.dataDir, ...more })
const refusal = (words: string, more: Record<string, string> = {}) =>
  run(words, more).then(() => expect.fail('The command was not refused.'), failureText)
const rolesNow = async (idToken: string) =>
  (await site.app.inject({ url: '/api/account/getinfo', headers: { authorization: `Bearer ${idToken}` } })).json().data?.roles
const list = async () => JSON.parse(await run('user list --json'))

it('an account is made, and logs in', async () => {
  expect(await run('user create --email Ann@Example.com --password secret-1 --role subscriber')).toBe(
    'ann@example.com has an account, as subscriber.',
  )
  const { idToken } = (await sdk.signIn('ann@example.com', 'secret-1')).json()
  expect(await rolesNow(idToken)).toEqual(['subscriber'])
  expect(await refusal('user create --email ann@example.com --password secret-2')).toBe('ann@example.com has an account already')
})

it('a role is given, before sign-up too, ends by its date, and is taken away', async () => {
  await run('user grant --email ann@example.com --role subscriber')
  await run('user grant --email ann@example.com --role donator --until 2020-02-29')
  const { idToken } = (await sdk.signUp('ann@example.com', 'secret-1')).json()
  expect(await rolesNow(idToken)).toEqual(['subscriber'])
  expect(await run('user grant --email ann@example.com --role donator --until 2120-02-29')).toContain('2120-03-01T00:00:00.000Z')
  expect(await rolesNow(idToken)).toEqual(['donator', 'subscriber'])
  await run('user revoke --email ann@example.com --role subscriber')
  expect(await rolesNow(idToken)).toEqual(['donator'])
  expect(await refusal('user revoke --email ann@example.com --role subscriber')).toContain('was not given')
})

it('an account is disabled at once, enabled again, and deleted', async () => {
  const { idToken, refreshToken } = (await sdk.signUp('ann@example.com', 'secret-1')).json()
  await run('user disable --email ann@example.com')
  expect(await rolesNow(idToken)).toBeUndefined()
  expect(errorOf(await sdk.refresh(refreshToken))).toBe('USER_DISABLED')
  expect(errorOf(await sdk.signIn('ann@example.com', 'secret-1'))).toBe('USER_DISABLED')
  expect(await list()).toMatchObject([{ email: 'ann@example.com', disabled: true }])
  await run('user enable --email ann@example.com')
  expect(await rolesNow(idToken), 'log-ins of before are over').toBeUndefined()
  expect(await rolesNow((await sdk.signIn('ann@example.com', 'secret-1')).json().idToken)).toEqual([])
  await run('user delete --email ANN@example.com')
  expect(await rolesNow(idToken)).toBeUndefined()
  expect(errorOf(await sdk.signIn('ann@example.com', 'secret-1'))).toBe('INVALID_LOGIN_CREDENTIALS')
  expect(await refusal('user delete --email ann@example.com')).toBe('There is no account of ann@example.com')
})

it('accounts are listed, and addresses that only have a role', async () => {
  expect(await run('user list')).toBe('No accounts.')
  await run('user create --email ann@example.com --password secret-1')
  await run('user grant --email bob@example.com --role donator --until 2120-01-01T12:00:00+01:00')
  expect(await list()).toEqual([
    {
      ...{ email: 'ann@example.com', uid: expect.any(String), email_verified: false, disabled: false, roles: [] },
      ...{ created: expect.stringMatching(/Z$/), last_login: expect.stringMatching(/Z$/) },
    },
    { email: 'bob@example.com', roles: [{ role: 'donator', source: 'admin', until: '2120-01-01T11:00:00.000Z' }] },
  ])
  const text = await run('user list')
  expect(text.split('\n')).toHaveLength(2)
  expect(text).not.toContain('argon2')
})

it.each([
  ['user create --password secret-1', '--email is missing'],
  ['user create --email ann --password secret-1', '--email must'],
  ['user create --email ann@example.com', '--password is missing'],
  ['user create --email ann@example.com --password 12345', 'at least 6'],
  ['user create --email ann@example.com --password secret-1 --role boss', '--role must be subscriber or donator'],
  ['user grant --email ann@example.com', '--role must be'],
  ['user grant --email ann@example.com --role donator --until soon', '--until must'],
  ['user grant --email ann@example.com --role donator --until 2026-02-30', '--until must'],
  ['user disable --email nobody@example.com', 'There is no account'],
])('%s is refused in one line', async (words, reason) => {
  const text = await refusal(words)
  expect(text).toContain(reason)
  expect(text).not.toContain('\n')
  expect(text).not.toContain('secret-1')
  expect(await list()).toEqual([])
})

it('in Firebase mode roles are given here, and accounts are the project’s', async () => {
  await run('user grant --email ann@example.com --role subscriber', firebase)
  for (const words of ['user create --email ann@example.com --password secret-1', 'user disable --email ann@example.com'])
    expect(await refusal(words, firebase)).toContain('Firebase project demo-site')
})
