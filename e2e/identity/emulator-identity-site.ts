import type { BrowserContext } from '@playwright/test'
import { expect } from '@playwright/test'
import { startSite } from '../server.ts'
import { EMULATOR_PROJECT_ID, startAuthEmulator } from './emulator.ts'
import type { IdentityTestSite } from './identity-test-site.ts'

/** The hosts that the Firebase SDK calls in Firebase mode. */
const GOOGLE_ORIGINS = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']

/** The differences between the emulator and a Firebase project. Tests of these behaviours expect the emulator's behaviour. */
const emulatorDifferences = {
  'no-password-policy': 'The emulator has no password policy (501): the page requires eight characters.',
  'tokens-unsigned':
    'The tokens of the emulator are unsigned, so the API refuses them: the tests intercept the API requests that need a token.',
  'sessions-survive-reset': 'A password reset does not revoke refresh tokens.',
  'sessions-survive-change': 'A password change does not revoke refresh tokens.',
  'codes-never-expire': 'The links in mails never expire.',
  'older-links-work': 'A newer link does not invalidate an older one.',
  'no-limits': 'The emulator allows any number of failed logins.',
  'reveals-accounts': 'The responses to logins and password resets reveal whether an account exists; the page does not show it.',
} satisfies IdentityTestSite['knownDifferences']

/** A one-time code that the emulator would mail to a user. */
interface MailedCode {
  email: string
  requestType: string
  oobCode: string
}

/**
 * Starts the built site in Firebase mode, and the emulator. The browser's calls to Google are routed to the emulator. The site itself is
 * unchanged.
 */
export async function startEmulatorIdentitySite(): Promise<IdentityTestSite> {
  const authEmulator = await startAuthEmulator()
  const site = await startSite({
    FIREBASE_API_KEY: 'any-key-will-do',
    FIREBASE_PROJECT_ID: EMULATOR_PROJECT_ID,
    FIREBASE_AUTH_DOMAIN: `${EMULATOR_PROJECT_ID}.firebaseapp.com`,
  })
  const usedCodes = new Set<string>()

  /** Waits for a code of the given type that was not returned before. */
  async function waitForCode(email: string, requestType: string): Promise<string> {
    let foundCode: MailedCode | undefined
    await expect
      .poll(async () => {
        const { oobCodes }: { oobCodes: MailedCode[] } = await (
          await fetch(`${authEmulator.origin}/emulator/v1/projects/${EMULATOR_PROJECT_ID}/oobCodes`)
        ).json()
        foundCode = oobCodes.find((code) => code.email === email && code.requestType === requestType && !usedCodes.has(code.oobCode))
        return foundCode
      }, `a code for ${email}`)
      .toBeDefined()
    const code = foundCode?.oobCode ?? ''
    usedCodes.add(code)
    return code
  }

  async function callAdminApi(adminAction: string, requestBody: object): Promise<{ users?: { localId: string }[] }> {
    const response = await fetch(
      `${authEmulator.origin}/identitytoolkit.googleapis.com/v1/projects/${EMULATOR_PROJECT_ID}/accounts:${adminAction}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
        body: JSON.stringify(requestBody),
      },
    )
    if (!response.ok) throw new Error(`accounts:${adminAction}: status ${response.status}`)
    return response.json()
  }

  return {
    serviceName: "Google's emulator",
    origin: site.origin(),
    serviceOrigin: authEmulator.origin,
    knownDifferences: emulatorDifferences,
    expectedErrors: [/status of 501/],
    async routeRequests(context) {
      for (const origin of GOOGLE_ORIGINS) await redirectRequests(context, origin, authEmulator.origin)
      // Simulates the responses of the site's API to a valid token, because the API does not accept the emulator's tokens.
      for (const [urlPath, responseData] of [
        ['account/getinfo', { email: '', roles: [], discord: '', discord_id: '' }],
        ['account/delete', null],
        ['favorite/sync', { cursor: '0', whole: false, more: false, favorites: [], refused: [] }],
        ['list/sync', { cursor: '0', whole: false, more: false, playlists: [], entries: [], songs: [], refused: [] }],
      ] as const)
        await context.route(`**/api/${urlPath}`, (route) => route.fulfill({ json: { code: 200, message: 'OK', data: responseData } }))
    },
    // The links are rewritten, because in a Firebase project the links of all mails have the same action URL.
    waitForResetLink: async (email) =>
      `${site.origin()}/reset-password?mode=resetPassword&oobCode=${await waitForCode(email, 'PASSWORD_RESET')}&lang=en`,
    waitForVerifyLink: async (email) =>
      `${site.origin()}/reset-password?mode=verifyEmail&oobCode=${await waitForCode(email, 'VERIFY_EMAIL')}&lang=en`,
    async disableAccount(email) {
      const { users } = await callAdminApi('lookup', { email: [email] })
      await callAdminApi('update', { localId: users?.[0]?.localId, disableUser: true })
    },
    expireCodes: async () => authEmulator.advanceClock(),
    async stop() {
      await site.stop()
      await authEmulator.stop()
    },
  }
}

/** Redirects requests for a Google origin to the emulator, which serves each Google host under a path that contains the host's name. */
const redirectRequests = (context: BrowserContext, serviceOrigin: string, emulatorOrigin: string) =>
  context.route(`${serviceOrigin}/**`, async (route) => {
    const { host, pathname, search } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: `${emulatorOrigin}/${host}${pathname}${search}` }) })
  })
