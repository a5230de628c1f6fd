import { FAILED_LOGINS_MAX, type IdentityTestSite } from './identity-test-site.ts'
import { openMailbox } from './mailbox.ts'
import { startSiteWithTestClock } from './site-with-test-clock.ts'

const MAILED_CODE_LIFETIME_MS = 3_600_000

/** Starts the site with its embedded identity service, which sends mails through an SMTP server. */
export async function startEmbeddedIdentitySite(): Promise<IdentityTestSite> {
  const openedMailbox = await openMailbox()
  const site = await startSiteWithTestClock({
    SMTP_URL: openedMailbox.url,
    RATE_LIMIT_LOGIN: String(FAILED_LOGINS_MAX),
    // The rate limits are raised, because all tests share one IP address.
    RATE_LIMIT_LOGIN_ADDRESS: '1000',
    RATE_LIMIT_SIGNUP: '1000',
    RATE_LIMIT_MAIL: '1000',
  })
  return {
    serviceName: 'the embedded service',
    origin: site.origin,
    serviceOrigin: site.origin,
    knownDifferences: {},
    expectedErrors: [],
    routeRequests: async () => {},
    waitForResetLink: (email) => openedMailbox.waitForLink(email, '/reset-password'),
    waitForVerifyLink: (email) => openedMailbox.waitForLink(email, '/verify-email'),
    async disableAccount(email) {
      const account = await site.storage.accounts.findByEmail(email)
      if (account === undefined || !(await site.storage.accounts.setDisabled(account.uid, true))) throw new Error(`No account of ${email}`)
    },
    expireCodes: async () => site.advanceClock(MAILED_CODE_LIFETIME_MS),
    async stop() {
      await site.stop()
      await openedMailbox.close()
    },
  }
}
