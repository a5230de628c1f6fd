import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import type { Config } from '../config.ts'
import type { Log } from '../services/log.ts'
import { createMailer } from '../services/mail.ts'
import type { SiteSettings } from '../services/site-settings.ts'
import type { Storage } from '../storage/storage.ts'
import { createAccountService } from './account-service.ts'
import { createIdTokens } from './id-tokens.ts'
import { openKeyRing } from './keys.ts'
import { createLogInGuard } from './log-in-guard.ts'
import { createPasswords } from './passwords.ts'
import { identityRoutes } from './routes.ts'
import { createTokenVerifier, embeddedIssuer, firebaseIssuer, googleKeys } from './token-verifier.ts'
import { type Authenticate, createAuthenticator } from './user.ts'

interface IdentityDeps {
  config: Config
  storage: Storage
  site: SiteSettings
  log: Log
  nowMs: () => number
  /** The keys of the Firebase project's tokens; by default Google's. */
  firebaseKeys: JWTVerifyGetKey | undefined
}

export interface Identity {
  authenticate: Authenticate
  /** Adds the routes of the embedded service, where that is what people sign in with. */
  register(app: FastifyInstance): Promise<void>
}

/** The longest that background work waits before it begins. */
const LATER_MAX_MS = 400

/**
 * Background work, which the server sees through when it closes. It begins a random moment later, so that neither an answer nor
 * the one after it takes longer where there is something to do.
 */
function createLater(log: Log) {
  const running = new Set<Promise<void>>()
  return {
    later(work: () => Promise<void>): void {
      const done = sleep(randomInt(LATER_MAX_MS))
        .then(work)
        .catch((err: unknown) => log.error({ err }, 'work in the background failed'))
        .finally(() => running.delete(done))
      running.add(done)
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Who people are: by a Firebase project where one is configured, else by this server itself. */
export async function createIdentity({ config, storage, site, log, nowMs, firebaseKeys }: IdentityDeps): Promise<Identity> {
  const { roles, accounts } = storage
  if (config.firebase !== undefined) {
    const verify = createTokenVerifier(firebaseIssuer(config.firebase.projectId, firebaseKeys ?? googleKeys()), nowMs)
    return { authenticate: createAuthenticator({ verify, accounts: undefined, roles, nowMs }), register: async () => {} }
  }
  const ring = await openKeyRing(config.dataDir, nowMs)
  const verify = createTokenVerifier(embeddedIssuer(ring), nowMs)
  const mailer = createMailer({ config, log })
  const { later, idle } = createLater(log)
  const { logInPair, logInAddress, signUpPerHour, mailPerHour } = config.rateLimits
  const service = createAccountService({
    ...{ accounts, verify, mailer, later, nowMs, signUpPerHour, mailPerHour },
    passwords: createPasswords(),
    issue: createIdTokens(ring, nowMs),
    guard: createLogInGuard({ pairMax: logInPair, addressMax: logInAddress, nowMs }),
  })
  return {
    authenticate: createAuthenticator({ verify, accounts, roles, nowMs }),
    register: async (app) => {
      app.addHook('onClose', async () => {
        await idle()
        await mailer.idle()
      })
      await app.register(identityRoutes, {
        ...{ service, log, nowMs },
        mailContextOf: async ({ site: { brand, mainUrl } }) => ({ origin: mainUrl, siteName: (await site.settingsOf(brand)).NAME }),
      })
    },
  }
}
