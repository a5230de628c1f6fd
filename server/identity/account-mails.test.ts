import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'
import { createSdkCalls, readSdkError, type SdkCalls } from './testing/sdk-calls.ts'

const MINUTE_MS = 60_000
let nowMs = 0
let site: TestApp
let sdk: SdkCalls
beforeEach(async () => {
  nowMs = Date.parse('2026-03-01T12:00:00Z')
  site = await createTestApp({}, { nowMs: () => nowMs })
  sdk = createSdkCalls(site)
})
afterEach(() => site.close())

const signUpAnn = async () => (await sdk.signUp('Ann@Example.com', 'secret-1')).json()

it('mailed codes: a link that is requested again within ten minutes is the same, so that nobody can invalidate the last mail', async () => {
  await signUpAnn()
  await sdk.sendReset('ann@example.com')
  const [firstLink] = await sdk.readMailLinks(1)
  nowMs += 9 * MINUTE_MS
  await sdk.sendReset('ann@example.com', { ipAddress: '10.6.6.6' })
  expect(await sdk.readMailLinks(2)).toEqual([firstLink, firstLink])
  nowMs += MINUTE_MS
  await sdk.sendReset('ann@example.com', { ipAddress: '10.6.6.6' })
  expect(new Set(await sdk.readMailLinks(3)).size).toBe(2)
})

it('mailed codes: the mail states how long its link works, also if the link is mailed again', async () => {
  await signUpAnn()
  await sdk.sendReset('ann@example.com')
  await sdk.readMailLinks(1)
  nowMs += 8.5 * MINUTE_MS
  await sdk.sendReset('ann@example.com')
  await sdk.readMailLinks(2)
  const limits = sdk.readMails().map((text) => /within \d+ minutes \(.*? UTC\)/.exec(text.replace(/\s+/g, ' '))?.[0])
  expect(limits.sort()).toEqual(['within 51 minutes (until 2026-03-01 13:00 UTC)', 'within 60 minutes (until 2026-03-01 13:00 UTC)'])
})

it('mails: strangers cannot use up the mail limit of an account whose owner has logged in from the same network', async () => {
  await signUpAnn()
  await sdk.signIn('ann@example.com', 'secret-1', { ipAddress: '10.7.7.7' })
  for (let client = 0; client < 4; client++)
    for (let i = 0; i < 5; i++) await sdk.sendReset('ann@example.com', { ipAddress: `10.8.8.${client}` })
  expect(readSdkError(await sdk.sendReset('ann@example.com', { ipAddress: '10.8.8.9' }))).toBe('TOO_MANY_ATTEMPTS_TRY_LATER')
  expect((await sdk.sendReset('ann@example.com', { ipAddress: '10.7.7.7' })).statusCode).toBe(200)
})

it('mails: each password change sends a notice', async () => {
  const { idToken } = await signUpAnn()
  nowMs += 1
  await sdk.identity('update', { idToken, password: 'secret-2' })
  await sdk.readMailLinks(1)
  expect(sdk.readMails().join()).toContain('was changed on 2026-03-01 12:00 (UTC)')
  await sdk.sendReset('ann@example.com')
  const link = (await sdk.readMailLinks(2)).find((each) => each.includes('oobCode'))
  await sdk.identity('resetPassword', { oobCode: new URL(link ?? '').searchParams.get('oobCode'), newPassword: 'secret-3' })
  await sdk.readMailLinks(3)
})

it('mails: password changes send a limited number of notices, and none to unconfirmed addresses once the client’s limit is reached', async () => {
  const changePasswords = async (email: string, changeCount: number) => {
    let { idToken } = (await sdk.signUp(email, 'secret-0')).json()
    for (let i = 1; i <= changeCount; i++) {
      nowMs += 1
      await sdk.identity('update', { idToken, password: `secret-${i}` })
      idToken = (await sdk.signIn(email, `secret-${i}`)).json().idToken
    }
  }
  await changePasswords('ann@example.com', 7)
  for (let i = 0; i < 10; i++) await changePasswords(`victim${i}@example.com`, 3)
  await sdk.readMailLinks(30)
  expect(sdk.readMails().filter((mail) => mail.includes('To: ann@example.com'))).toHaveLength(5)
})
