import type { BrowserContext } from '@playwright/test'
import { expect } from '@playwright/test'
import { startSite } from '../server.ts'
import { PROJECT_ID, startEmulator } from './emulator.ts'
import type { IdentityPeer } from './peer.ts'

/** Where the SDK sends its calls when a Firebase project keeps the accounts. */
const GOOGLE = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']

/**
 * What the emulator does otherwise than a Firebase project. It stands in for one, so these are no faults of ours; but a journey could not
 * say what it says elsewhere.
 */
const gaps = {
  'no-password-policy': 'It knows no password policy (501): the page goes by six characters.',
  'tokens-unsigned':
    'Its tokens are unsigned, so the API refuses them: the tests answer the calls that need one at the edge of the network.',
  'sessions-survive-reset': 'A reset of the password ends no session.',
  'sessions-survive-change': 'Refresh tokens outlive a change of the password.',
  'codes-never-expire': 'The links of mails never expire.',
  'older-links-work': 'A newer link does not end an older one.',
  'no-limits': 'It allows any number of failed log-ins.',
  'tells-who-is-here': 'Its answers to a log-in and to a reset tell whether there is such an account; what the page says does not.',
} satisfies IdentityPeer['gaps']

interface Code {
  email: string
  requestType: string
  oobCode: string
}

/** The built site in Firebase mode. Nothing in it knows of the emulator: what leaves the browser for Google is led there. */
export async function openEmulatorPeer(): Promise<IdentityPeer> {
  const emulator = await startEmulator()
  const site = await startSite({
    FIREBASE_API_KEY: 'any-key-will-do',
    FIREBASE_PROJECT_ID: PROJECT_ID,
    FIREBASE_AUTH_DOMAIN: `${PROJECT_ID}.firebaseapp.com`,
  })
  const read = new Set<string>()

  async function codeFor(email: string, type: string): Promise<string> {
    let found: Code | undefined
    await expect
      .poll(async () => {
        const { oobCodes }: { oobCodes: Code[] } = await (
          await fetch(`${emulator.origin}/emulator/v1/projects/${PROJECT_ID}/oobCodes`)
        ).json()
        found = oobCodes.find((code) => code.email === email && code.requestType === type && !read.has(code.oobCode))
        return found
      }, `a code for ${email}`)
      .toBeDefined()
    const code = found?.oobCode ?? ''
    read.add(code)
    return code
  }

  async function admin(action: string, body: object): Promise<{ users?: { localId: string }[] }> {
    const answer = await fetch(`${emulator.origin}/identitytoolkit.googleapis.com/v1/projects/${PROJECT_ID}/accounts:${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer owner' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`accounts:${action} was answered with ${answer.status}`)
    return answer.json()
  }

  return {
    name: "Google's emulator",
    origin: site.origin(),
    serviceOrigin: emulator.origin,
    gaps,
    faults: [/status of 501/],
    async enter(context) {
      for (const origin of GOOGLE) await leadTo(context, origin, emulator.origin)
      // As the API answers a token that it takes.
      for (const [path, data] of [
        ['account/getinfo', { email: '', roles: [], discord: '', discord_id: '' }],
        ['account/delete', null],
        ['favorite/sync', { cursor: '0', whole: false, more: false, favorites: [], refused: [] }],
      ] as const)
        await context.route(`**/api/${path}`, (route) => route.fulfill({ json: { code: 200, message: 'OK', data } }))
    },
    // Links of a project all lead to one page, which tells them apart.
    resetLinkFor: async (email) =>
      `${site.origin()}/reset-password?mode=resetPassword&oobCode=${await codeFor(email, 'PASSWORD_RESET')}&lang=en`,
    verifyLinkFor: async (email) =>
      `${site.origin()}/reset-password?mode=verifyEmail&oobCode=${await codeFor(email, 'VERIFY_EMAIL')}&lang=en`,
    async disable(email) {
      const { users } = await admin('lookup', { email: [email] })
      await admin('update', { localId: users?.[0]?.localId, disableUser: true })
    },
    expireCodes: async () => emulator.advance(),
    async stop() {
      await site.stop()
      await emulator.stop()
    },
  }
}

/** The emulator serves each of Google's hosts below a folder of its name. */
const leadTo = (context: BrowserContext, origin: string, emulatorOrigin: string) =>
  context.route(`${origin}/**`, async (route) => {
    const { host, pathname, search } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: `${emulatorOrigin}/${host}${pathname}${search}` }) })
  })
