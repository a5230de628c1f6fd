import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openFirebaseAuth } from './firebase-auth.ts'

const email = 'ann@example.com'
let password = 'secret-1'
/** The refresh tokens of the logins that are still valid. */
const openLogins = new Set<string>()
let loginCount = 0
/** The kinds of emails that were requested. */
const mailedTypes: string[] = []

function createLogin() {
  const refreshToken = `refresh-${++loginCount}`
  openLogins.add(refreshToken)
  const claims = { sub: 'u1', iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 3600 }
  return { localId: 'u1', email, refreshToken, idToken: `x.${btoa(JSON.stringify(claims))}.${loginCount}`, expiresIn: '3600' }
}

/** Answers the requests of the Firebase SDK as the site's identity service does. */
async function answerSdk(requestInput: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const actionName = /accounts:(\w+)/.exec(String(requestInput))?.[1]
  const body = JSON.parse(String(init?.body ?? '{}'))
  if (actionName === 'lookup') return Response.json({ users: [{ localId: 'u1', email, emailVerified: true }] })
  if (actionName === 'signInWithPassword' && body.password !== password)
    return Response.json({ error: { code: 400, message: 'INVALID_LOGIN_CREDENTIALS' } }, { status: 400 })
  if (actionName === 'sendOobCode') {
    mailedTypes.push(body.requestType)
    return Response.json({ email })
  }
  if (actionName === 'update') {
    password = body.password
    openLogins.clear()
  }
  return Response.json(createLogin())
}

const firebaseAuth = openFirebaseAuth({
  site: {},
  offline: () => false,
  onPerson: () => {},
  endSession: (refreshToken) => openLogins.delete(refreshToken),
})

beforeEach(() => {
  vi.spyOn(window, 'fetch').mockImplementation(answerSdk)
})
afterEach(async () => {
  await firebaseAuth.signOut()
  vi.restoreAllMocks()
  localStorage.clear()
})

it('confirming the password ends the earlier login, so that only one login remains', async () => {
  await firebaseAuth.logIn(email, password)
  const [firstLogin] = openLogins
  await firebaseAuth.reauthenticate(password)
  expect(openLogins.size).toBe(1)
  expect(openLogins).not.toContain(firstLogin)
  await expect(firebaseAuth.reauthenticate('not this')).rejects.toMatchObject({ code: 'wrong-current-password' })
  expect(openLogins.size).toBe(1)
  await firebaseAuth.changePassword(password, 'secret-2')
  expect(openLogins.size).toBe(1)
  await firebaseAuth.signOut()
  expect(openLogins.size).toBe(0)
})

it('a sign-up requests the email that confirms the address, and signs nobody in, because the page asks for the password next', async () => {
  await firebaseAuth.signUp(email, password)
  expect([loginCount > 0, openLogins.size, mailedTypes]).toEqual([true, 0, ['VERIFY_EMAIL']])
})
