import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeFailure, runCommand } from '../admin/run-command.ts'
import { createSdkCalls, readSdkError, type SdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

// Tests the `user` commands of the admin program on the data of a running server.

let testApp: TestApp
let firebaseSdk: SdkCalls
beforeEach(async () => {
  testApp = await createTestApp()
  firebaseSdk = createSdkCalls(testApp)
})
afterEach(() => testApp.close())

const firebaseEnv = { FIREBASE_API_KEY: 'AIzaSyExampleExample', FIREBASE_PROJECT_ID: 'demo-site', FIREBASE_AUTH_DOMAIN: 'demo.example.org' }
const runAdmin = (commandLine: string, moreVariables: Record<string, string> = {}) =>
  runCommand(commandLine.split(' '), { env: { ...testApp.environment, ...moreVariables } })
const readRefusal = (commandLine: string, moreVariables: Record<string, string> = {}) =>
  runAdmin(commandLine, moreVariables).then(
    () => expect.fail('The command was not refused.'),
    (error: unknown) => describeFailure(error).message,
  )
const readRoles = async (idToken: string) =>
  (await testApp.app.inject({ url: '/api/account/getinfo', headers: { authorization: `Bearer ${idToken}` } })).json().data?.roles
const listUsers = async () => JSON.parse(await runAdmin('user list --json'))

it('user create: the new account can log in', async () => {
  expect(await runAdmin('user create --email Ann@Example.com --password secret-1 --role subscriber')).toBe(
    'ann@example.com has an account, as subscriber.',
  )
  const { idToken } = (await firebaseSdk.signIn('ann@example.com', 'secret-1')).json()
  expect(await readRoles(idToken)).toEqual(['subscriber'])
  expect(await readRefusal('user create --email ann@example.com --password secret-2')).toBe('ann@example.com has an account already')
})

it('user grant and revoke: a role that is granted to an email address takes effect once an account has verified the address, and expires at its date', async () => {
  await runAdmin('user grant --email ann@example.com --role subscriber')
  const { idToken, localId: uid } = (await firebaseSdk.signUp('ann@example.com', 'secret-1')).json()
  expect(await readRoles(idToken)).toEqual([])
  await runAdmin('user grant --email ann@example.com --role donator --until 2020-02-29')
  expect(await readRoles(idToken)).toEqual([])
  await testApp.storage.accounts.replaceCode({ uid, kind: 'verify', hash: 'v', expiresMs: Date.now() + 60_000, atMs: Date.now() })
  await testApp.storage.accounts.verifyEmail(uid, 'v', Date.now())
  expect(await readRoles(idToken)).toEqual(['subscriber'])
  expect(await runAdmin('user grant --email ann@example.com --role donator --until 2120-02-29')).toContain('2120-03-01T00:00:00.000Z')
  expect(await readRoles(idToken)).toEqual(['donator', 'subscriber'])
  await runAdmin('user revoke --email ann@example.com --role subscriber')
  expect(await readRoles(idToken)).toEqual(['donator'])
  expect(await readRefusal('user revoke --email ann@example.com --role subscriber')).toContain('was not given')
})

it('user disable, enable and delete take effect immediately', async () => {
  const { idToken, refreshToken } = (await firebaseSdk.signUp('ann@example.com', 'secret-1')).json()
  await runAdmin('user disable --email ann@example.com')
  expect(await readRoles(idToken)).toBeUndefined()
  expect(readSdkError(await firebaseSdk.refresh(refreshToken))).toBe('USER_DISABLED')
  expect(readSdkError(await firebaseSdk.signIn('ann@example.com', 'secret-1'))).toBe('USER_DISABLED')
  expect(await listUsers()).toMatchObject([{ email: 'ann@example.com', disabled: true }])
  await runAdmin('user enable --email ann@example.com')
  expect(await readRoles(idToken), 'log-ins of before are over').toBeUndefined()
  expect(await readRoles((await firebaseSdk.signIn('ann@example.com', 'secret-1')).json().idToken)).toEqual([])
  await runAdmin('user delete --email ANN@example.com --reason Spam')
  expect(await readRoles(idToken)).toBeUndefined()
  expect(readSdkError(await firebaseSdk.signIn('ann@example.com', 'secret-1'))).toBe('INVALID_LOGIN_CREDENTIALS')
  expect(await readRefusal('user delete --email ann@example.com --reason Spam')).toBe('There is no account of ann@example.com')
})

it('user list: accounts are listed, and so are email addresses that have a role but no account', async () => {
  expect(await runAdmin('user list')).toBe('No accounts.')
  await runAdmin('user create --email ann@example.com --password secret-1')
  await runAdmin('user grant --email bob@example.com --role donator --until 2120-01-01T12:00:00+01:00')
  expect(await listUsers()).toEqual([
    {
      email: 'ann@example.com',
      uid: expect.any(String),
      email_verified: true,
      disabled: false,
      roles: [],
      created: expect.stringMatching(/Z$/),
      last_login: expect.stringMatching(/Z$/),
    },
    { email: 'bob@example.com', roles: [{ role: 'donator', source: 'admin', until: '2120-01-01T11:00:00.000Z' }] },
  ])
  const text = await runAdmin('user list')
  expect(text.split('\n')).toHaveLength(2)
  expect(text).not.toContain('argon2')
})

it.each([
  ['user create --password secret-1', '--email is missing'],
  ['user create --email ann --password secret-1', '--email must'],
  ['user create --email ann@example.com', '--password is missing'],
  ['user create --email ann@example.com --password 1234567', 'at least 8'],
  ['user create --email ann@example.com --password Password1', '10,000 most frequent'],
  ['user create --email ann@example.com --password secret-1 --role boss', '--role must be subscriber or donator'],
  ['user grant --email ann@example.com', '--role is missing'],
  ['user grant --email ann@example.com --role donator --until soon', '--until must'],
  ['user grant --email ann@example.com --role donator --until 2026-02-30', '--until must'],
  ['user disable --email nobody@example.com', 'There is no account'],
])('the command `%s` is refused with a message of one line', async (commandLine, reason) => {
  const refusalText = await readRefusal(commandLine)
  expect(refusalText).toContain(reason)
  expect(refusalText).not.toContain('\n')
  expect(refusalText).not.toContain('secret-1')
  expect(await listUsers()).toEqual([])
})

it('user commands in Firebase mode: roles can be granted, and account commands are refused', async () => {
  await runAdmin('user grant --email ann@example.com --role subscriber', firebaseEnv)
  for (const commandLine of ['user create --email ann@example.com --password secret-1', 'user disable --email ann@example.com'])
    expect(await readRefusal(commandLine, firebaseEnv)).toContain('Firebase project demo-site')
})
