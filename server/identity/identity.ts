import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import type { Config } from '../config.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Authenticate } from '../http/user.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { SiteSettings } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import type { MailContext } from './account-mails.ts'
import { type AccountService, createAccountService } from './account-service.ts'
import { createAuthenticator } from './authenticator.ts'
import { createIdTokenIssuer } from './id-tokens.ts'
import { openKeyRing } from './keys.ts'
import { createLoginGuard } from './login-guard.ts'
import { createMailedCodeDeriver } from './mailed-codes.ts'
import { createPasswordHasher, type PasswordCost } from './passwords.ts'
import { createEmbeddedIssuer, createFirebaseIssuer, createGoogleKeys, createTokenVerifier } from './token-verifier.ts'

interface IdentityDeps {
  config: Config
  storage: Storage
  fileStore: FileStore
  mailer: Mailer
  siteSettings: SiteSettings
  log: Log
  nowMs: () => number
  /** The public keys that verify the Firebase project's tokens; by default Google's. */
  firebaseKeys: JWTVerifyGetKey | undefined
  /** The cost of a password hash; by default the recommended one. */
  passwordCost: PasswordCost | undefined
}

/** The embedded identity service, which its routes call. */
export interface EmbeddedIdentity {
  service: AccountService
  /** Returns the site's name and origin for mails that a request causes. */
  createMailContext: (request: FastifyRequest) => Promise<MailContext>
  /** Resolves when all background work has finished. */
  waitUntilIdle(): Promise<void>
}

export interface Identity {
  authenticate: Authenticate
  /** The embedded identity service; undefined if a Firebase project manages the accounts. */
  embedded: EmbeddedIdentity | undefined
}

/** The maximum random delay of background work in milliseconds. */
const BACKGROUND_DELAY_MAX_MS = 400

/**
 * Runs background work, which the server awaits on close. The random delay prevents response times from disclosing whether there is
 * work to do, for instance whether an account exists.
 */
function createBackgroundRunner(log: Log) {
  const runningWork = new Set<Promise<void>>()
  return {
    runInBackground(runWork: () => Promise<void>): void {
      const delayedWork = sleep(randomInt(BACKGROUND_DELAY_MAX_MS))
        .then(runWork)
        .catch((err: unknown) => log.error({ err }, 'background work failed'))
        .finally(() => runningWork.delete(delayedWork))
      runningWork.add(delayedWork)
    },
    async waitUntilIdle() {
      while (runningWork.size > 0) await Promise.all(runningWork)
    },
  }
}

/** Creates the authentication: by a Firebase project if one is configured, else by the embedded identity service. */
export async function createIdentity({
  config,
  storage,
  fileStore,
  mailer,
  siteSettings: site,
  log,
  nowMs,
  firebaseKeys,
  passwordCost,
}: IdentityDeps): Promise<Identity> {
  const { roles, payments, accounts, logins, attempts } = storage
  if (config.firebase !== undefined) {
    const verifyToken = createTokenVerifier(createFirebaseIssuer(config.firebase.projectId, firebaseKeys ?? createGoogleKeys()), nowMs)
    return { authenticate: createAuthenticator({ verifyToken, logins: undefined, roles, payments, nowMs }), embedded: undefined }
  }
  const keyRing = await openKeyRing({ fileStore, runExclusively: storage.runExclusively, nowMs })
  const verifyToken = createTokenVerifier(createEmbeddedIssuer(keyRing), nowMs)
  const { runInBackground, waitUntilIdle } = createBackgroundRunner(log)
  const { failedLoginsPerPair, failedLoginsPerAddress, signUpPerHour, mailPerHour } = config.rateLimits
  const accountService = createAccountService({
    accounts,
    logins,
    attempts,
    verifyToken,
    mailer,
    runInBackground,
    nowMs,
    signUpPerHour,
    mailPerHour,
    passwords: createPasswordHasher(passwordCost),
    issueIdToken: createIdTokenIssuer(keyRing, nowMs),
    deriveMailedCode: createMailedCodeDeriver(keyRing),
    guardLogin: createLoginGuard({
      attempts,
      maxFailuresPerPair: failedLoginsPerPair,
      maxFailuresPerAddress: failedLoginsPerAddress,
      nowMs,
    }),
  })
  return {
    authenticate: createAuthenticator({ verifyToken, logins, roles, payments, nowMs }),
    embedded: {
      service: accountService,
      waitUntilIdle,
      createMailContext: async ({ site: { brand, mainUrl } }) => {
        const { NAME, DOMAIN } = await site.settingsOf(brand)
        return { origin: mainUrl, siteName: NAME, siteDomain: DOMAIN }
      },
    },
  }
}
