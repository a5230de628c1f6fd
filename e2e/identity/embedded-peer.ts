import { startClockedSite } from './clocked-site.ts'
import { openMailbox } from './mailbox.ts'
import { type IdentityPeer, LOG_INS_MAX } from './peer.ts'

const CODE_LASTS_MS = 3_600_000

/** The service that is part of the product, which mails through a real SMTP server. */
export async function openEmbeddedPeer(): Promise<IdentityPeer> {
  const mailbox = await openMailbox()
  const site = await startClockedSite({
    ...{ SMTP_URL: mailbox.url, RATE_LIMIT_LOGIN: String(LOG_INS_MAX) },
    // All tests come from one address.
    ...{ RATE_LIMIT_LOGIN_ADDRESS: '1000', RATE_LIMIT_SIGNUP: '1000', RATE_LIMIT_MAIL: '1000' },
  })
  return {
    name: 'the embedded service',
    origin: site.origin,
    serviceOrigin: site.origin,
    gaps: {},
    faults: [],
    enter: async () => {},
    resetLinkFor: (email) => mailbox.linkFor(email, '/reset-password'),
    verifyLinkFor: (email) => mailbox.linkFor(email, '/verify-email'),
    async disable(email) {
      const account = await site.storage.accounts.byEmail(email)
      if (account === undefined || !(await site.storage.accounts.setDisabled(account.uid, true))) throw new Error(`No account of ${email}`)
    },
    expireCodes: async () => site.advance(CODE_LASTS_MS),
    async stop() {
      await site.stop()
      await mailbox.close()
    },
  }
}
