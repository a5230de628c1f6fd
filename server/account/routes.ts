import type { Login, RoleGrant, SubscriptionInterruption } from '../../contract/account.ts'
import { createCheckoutUrl } from '../../contract/checkout-url.ts'
import { ApiError } from '../../contract/errors.ts'
import { FAVORITES_MAX } from '../../contract/favorite-limits.ts'
import type { ConversionService } from '../conversion/conversions.ts'
import { createWebsiteUrlBuilder } from '../http/hosts.ts'
import { LongList, readPages } from '../http/long-list.ts'
import { requireUser, toRoleHolder, type User } from '../http/user.ts'
import { hashSecret, parseRefreshToken } from '../identity/secrets.ts'
import type { LoginStore } from '../identity/store-logins.ts'
import type { PromotionService } from '../promotion/promotions.ts'
import { type RouteContext, readPagination } from '../route-context.ts'
import { checkoutSettingKeys } from '../site/content.ts'
import type { Storage } from '../storage/open.ts'
import type { WebsiteService } from '../websites/websites.ts'

/** An account can be deleted only within this time after the user has entered the password. */
const RECENT_LOGIN_MAX_AGE_MS = 5 * 60_000

const toIsoTime = (ms: number) => new Date(ms).toISOString()

interface AccountGrant extends RoleGrant {
  untilMs: number
  interruption?: SubscriptionInterruption | undefined
}

/** Returns the role grants of an account, expired ones too, latest end first. */
async function listGrants({ roles, payments }: Storage, user: User): Promise<AccountGrant[]> {
  const roleHolder = toRoleHolder(user)
  const givenGrants = await roles.listGrants(roleHolder)
  const paidGrants = await payments.listGrants(roleHolder)
  return [
    ...givenGrants.map(({ role, source, untilMs }) => ({ role, source, untilMs })),
    ...paidGrants.map(({ role, plan, untilMs, renews, interruption }) => ({
      role,
      interruption,
      source: 'payment' as const,
      plan,
      untilMs,
      ...(renews && { renews }),
    })),
  ]
    .map(({ untilMs, ...grant }) => ({
      ...grant,
      untilMs: untilMs ?? Number.POSITIVE_INFINITY,
      ...(untilMs === undefined ? {} : { until: toIsoTime(untilMs) }),
    }))
    .toSorted((a, b) => (a.untilMs === b.untilMs ? 0 : b.untilMs - a.untilMs))
}

const toRoleGrant = ({ untilMs: _untilMs, interruption: _interruption, ...grant }: AccountGrant): RoleGrant => grant

const findGrantEnd = ({ plan, untilMs }: AccountGrant) => ({
  ...(plan === undefined ? {} : { plan }),
  until: toIsoTime(untilMs),
})

async function listLoginsOf(logins: LoginStore, { uid, loginId: ownLoginId }: User): Promise<Login[]> {
  return (await logins.listOf(uid)).map(({ loginId, device, network, createdMs, lastUsedMs }) => ({
    id: loginId,
    device,
    network,
    created: new Date(createdMs).toISOString(),
    last_used: new Date(lastUsedMs).toISOString(),
    current: loginId === ownLoginId,
  }))
}

/** Returns why a paid subscription of the account, which still exists, is not renewed; `undefined` if there is no such subscription. */
const findInterruption = (grants: readonly Pick<AccountGrant, 'role' | 'interruption'>[]) =>
  grants.find(({ role, interruption }) => role === 'subscriber' && interruption !== undefined)?.interruption

const SECOND_SUBSCRIPTION_MESSAGE =
  'You have a subscription already, so that a second one would be charged as well. Change the one that you have.'

interface AccountDeps {
  promotions: Pick<PromotionService, 'of'>
  websites: Pick<WebsiteService, 'of'>
  conversions: Pick<ConversionService, 'sweep'>
}

export function registerAccountRoutes(
  { endpoint, storage, site, nowMs }: RouteContext,
  { promotions, websites, conversions }: AccountDeps,
): void {
  endpoint('GET /account/getinfo', {}, async (_input, request) => {
    const user = requireUser(request)
    const { uid, email = '', roles } = user
    const discordAccount = await storage.discord.find(uid)
    const storedWebsite = await storage.websites.find(uid)
    const allGrants = await listGrants(storage, user)
    const currentGrants = allGrants.filter(({ untilMs }) => untilMs > nowMs()).map(toRoleGrant)
    const interruption = findInterruption(allGrants)
    const latestGrant = allGrants.find(({ role }) => role === 'subscriber')
    return {
      grants: currentGrants,
      email,
      roles: [...roles],
      discord: discordAccount?.name ?? '',
      discord_id: discordAccount?.id ?? '',
      ...(latestGrant === undefined || latestGrant.untilMs > nowMs() ? {} : { ended: findGrantEnd(latestGrant) }),
      ...(interruption === undefined ? {} : { interrupted: interruption }),
      ...(storedWebsite === undefined ? {} : { website: createWebsiteUrlBuilder(request.site)(storedWebsite.domain_name) }),
    }
  })

  endpoint('GET /account/export', {}, async (_input, request) => {
    const user = requireUser(request)
    const { uid, email = '', emailVerified } = user
    const storedAccount = await storage.accounts.findByUid(uid)
    const discordAccount = await storage.discord.find(uid)
    const promotionView = await promotions.of(uid)
    const websiteView = await websites.of(uid, createWebsiteUrlBuilder(request.site), await site.viewOf(request.site.brand))
    const exportHead = {
      uid,
      email,
      email_verified: emailVerified,
      ...(storedAccount === undefined
        ? {}
        : { created: toIsoTime(storedAccount.createdMs), last_login: toIsoTime(storedAccount.lastLoginMs) }),
      roles: (await listGrants(storage, user)).map(toRoleGrant),
      ...(discordAccount === undefined
        ? {}
        : { discord: { id: discordAccount.id, name: discordAccount.name, linked: toIsoTime(discordAccount.linkedMs) } }),
      ...(promotionView.youtube_channel === '' ? {} : { promotion: promotionView }),
      ...(websiteView === undefined ? {} : { website: websiteView }),
      logins: await listLoginsOf(storage.logins, user),
      messages: await storage.contacts.listOf(toRoleHolder(user)),
      make_history: await storage.makeHistory.list(uid, readPagination({})),
      maker_presets: await storage.presets.list(uid),
      notifications: (await storage.pushes.listOf(uid)).map(({ endpoint, created }) => ({
        service: new URL(endpoint).host,
        since: toIsoTime(created),
      })),
      followed_artists: await storage.follows.list(uid),
      playlists: [],
      favorites: [],
    }
    return new LongList(
      exportHead,
      storage.ownPlaylists.exportAll(uid),
      readPages({ limit: FAVORITES_MAX, offset: 0 }, (page) => storage.favorites.exportPage(uid, page)),
    )
  })

  endpoint('POST /account/checkout', {}, async ({ plan }, request) => {
    const user = requireUser(request)
    const paidGrants = await storage.payments.listGrants(toRoleHolder(user))
    const hasSubscription =
      findInterruption(paidGrants) !== undefined ||
      paidGrants.some(({ role, plan: paidPlan, untilMs }) => role === 'subscriber' && paidPlan !== 'donate' && untilMs > nowMs())
    if (plan !== 'donate' && hasSubscription) throw new ApiError('conflict', SECOND_SUBSCRIPTION_MESSAGE)
    const settings = await site.settingsOf(request.site.brand)
    const url = createCheckoutUrl(settings[checkoutSettingKeys[plan]], { email: user.email ?? '', uid: user.uid })
    if (url === undefined) throw new ApiError('not-found', 'This plan is not open yet.')
    return { url }
  })

  endpoint('POST /account/sign_out', {}, async ({ refresh_token }) => {
    const token = parseRefreshToken(refresh_token)
    if (token !== undefined) await storage.logins.endByToken(token.familyId, token.hash)
    return null
  })

  endpoint('POST /account/confirm_email', {}, async ({ code: codeText }, request) => {
    const { uid } = requireUser(request)
    const code = await storage.accounts.findCode(hashSecret(codeText))
    if (code?.kind !== 'verify') throw new ApiError('not-found', 'This link was already used, or a newer one was sent.')
    if (code.uid !== uid) throw new ApiError('forbidden', 'This link is for another account.')
    if (!(await storage.accounts.verifyEmail(uid, hashSecret(codeText), nowMs()))) throw new ApiError('bad-input', 'This link has expired.')
    return null
  })

  endpoint('POST /account/delete', {}, async (_input, request) => {
    const user = requireUser(request)
    const { uid, authTimeMs } = user
    if (authTimeMs < nowMs() - RECENT_LOGIN_MAX_AGE_MS)
      throw new ApiError('forbidden', 'Please log in again before you delete your account.')
    // The page itself deletes an account of a Firebase project at Firebase. This server then deletes only the account's data.
    if (!(await storage.accounts.remove(uid, nowMs()))) await storage.deleteBelongings(toRoleHolder(user), nowMs())
    await conversions.sweep()
    return null
  })
}

export function registerLoginRoutes({ endpoint, storage: { logins } }: RouteContext): void {
  endpoint('GET /account/logins', {}, async (_input, request) => listLoginsOf(logins, requireUser(request)))

  endpoint('POST /account/end_login', {}, async ({ id }, request) => {
    if (!(await logins.end(requireUser(request).uid, id))) throw new ApiError('not-found', 'This login has ended already.')
    return null
  })

  endpoint('POST /account/end_logins', {}, async ({ others_only = false }, request) => {
    const { uid, loginId } = requireUser(request)
    await logins.endAll(uid, others_only ? loginId : undefined)
    return null
  })
}
