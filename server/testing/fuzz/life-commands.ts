import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { DAY_MS } from '../../durations.ts'
import { createCheckout, createDonation, createSubscription } from '../../payments/testing/signed-events.ts'
import { NAME_REDIRECT_MS } from '../../websites/store.ts'
import {
  computeRoles,
  createEmail,
  createMessage,
  findOwnerName,
  type LifeModel,
  type PersonName,
  personNames,
  SONG_IDS,
} from './life-model.ts'
import { FIRST_PASSWORD, type LifeSite } from './life-site.ts'

type LifeCommand = fc.AsyncCommand<LifeModel, LifeSite>
/** Performs a step on the site and in the model. Returns whether the site accepted it: a limit may refuse it, and then nothing changes. */
type LifeStep<T> = (model: LifeModel, site: LifeSite, value: T) => Promise<boolean>

/** How often the site accepted each kind of step. */
export const acceptedCountByStep = new Map<string, number>()

/** Every step advances the clock by more than the time for which the site keeps data in memory without asking the database. */
const STEP_CLOCK_ADVANCE_MS = 61_000
const anyPerson = fc.constantFrom(...personNames)
const isSubscriber = (model: LifeModel, name: PersonName) => computeRoles(model, name).includes('subscriber')

function createCommand<T>(commandKind: string, anyValue: fc.Arbitrary<T>, lifeStep: LifeStep<T>): fc.Arbitrary<LifeCommand> {
  return anyValue.map((drawnValue) => ({
    check: () => true,
    async run(model, site) {
      model.nowMs += STEP_CLOCK_ADVANCE_MS
      site.clock.nowMs = model.nowMs
      if (await lifeStep(model, site, drawnValue)) acceptedCountByStep.set(commandKind, (acceptedCountByStep.get(commandKind) ?? 0) + 1)
      await site.check(model)
    },
    toString: () => `${commandKind}(${JSON.stringify(drawnValue)})`,
  }))
}

/** Returns whether a call was successful. Throws if the model expects another result, except that a limit may always refuse the call. */
function isCallSuccessful(actionName: string, statusCode: number, expectedCode: number): boolean {
  if (statusCode === 429) return false
  if (statusCode !== expectedCode) throw new Error(`${actionName} answers ${statusCode}, not ${expectedCode}`)
  return statusCode === 200
}
/** Returns the code with which an endpoint for subscribers answers a person. */
function predictAccessCode(model: LifeModel, name: PersonName, successCode = 200): number {
  const account = model.accounts.get(name)
  if (account === undefined || account.isDisabled) return 401
  return isSubscriber(model, name) ? successCode : 403
}
const isAccountUsable = (model: LifeModel, name: PersonName) => model.accounts.get(name)?.isDisabled === false
const markSignedOut = (account: { login: unknown } | undefined) => account && Object.assign(account, { login: undefined })

const signUp: LifeStep<PersonName> = async (model, site, personName) => {
  const { status, body } = await site.identity(
    'signUp',
    { email: createEmail(personName), password: FIRST_PASSWORD, returnSecureToken: true },
    personName,
  )
  if (model.accounts.has(personName)) {
    if (status === 200) throw new Error(`a second account of ${personName} was made`)
    return false
  }
  if (status !== 200) throw new Error(`${personName} could not sign up: ${JSON.stringify(body)}`)
  site.noteAccount(body.localId, personName)
  model.accounts.set(personName, {
    ...{
      uid: body.localId,
      password: FIRST_PASSWORD,
      isVerified: false,
      isDisabled: false,
      favorites: new Set(),
      discordId: '',
      website: undefined,
    },
    login: { idToken: body.idToken, refreshToken: body.refreshToken, untilMs: model.nowMs + 50 * 60_000 },
  })
  return true
}

const confirmMail: LifeStep<PersonName> = async (model, site, personName) => {
  const modelAccount = model.accounts.get(personName)
  if (modelAccount === undefined || modelAccount.isDisabled || modelAccount.isVerified) return false
  const idToken = await site.tokenOf(model, personName)
  const oobCode = await site.mailedCode(personName, () =>
    site.identity('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken }, personName),
  )
  if (oobCode === undefined) return false
  const { code } = await site.call(model, personName, 'POST', '/account/confirm_email', { code: oobCode })
  modelAccount.isVerified = isCallSuccessful('/account/confirm_email', code, 200)
  return modelAccount.isVerified
}

const resetPassword: LifeStep<PersonName> = async (model, site, personName) => {
  const modelAccount = model.accounts.get(personName)
  if (modelAccount === undefined || modelAccount.isDisabled) return false
  const oobCode = await site.mailedCode(personName, () =>
    site.identity('sendOobCode', { requestType: 'PASSWORD_RESET', email: createEmail(personName) }, personName),
  )
  if (oobCode === undefined) return false
  const newPassword = `a reset Passphrase ${model.nowMs}`
  site.keepSecret(newPassword, newPassword)
  const { status } = await site.identity('resetPassword', { oobCode, newPassword }, personName)
  if (status !== 200) return false
  Object.assign(modelAccount, { password: newPassword, isVerified: true, login: undefined })
  return true
}

const changePassword: LifeStep<PersonName> = async (model, site, personName) => {
  const modelAccount = model.accounts.get(personName)
  if (modelAccount === undefined || modelAccount.isDisabled) return false
  markSignedOut(modelAccount)
  const idToken = await site.tokenOf(model, personName)
  const password = `a changed Passphrase ${model.nowMs}`
  site.keepSecret(password, password)
  const { status, body } = await site.identity(
    'update',
    { idToken, password, currentPassword: modelAccount.password, returnSecureToken: true },
    personName,
  )
  if (status !== 200) return false
  const oldTokenAnswer = await site.post('/identitytoolkit.googleapis.com/v1/accounts:lookup', { idToken }, personName)
  if (oldTokenAnswer.statusCode === 200) throw new Error(`a token of ${personName} outlives a change of the password`)
  Object.assign(modelAccount, {
    password,
    login: { idToken: body.idToken, refreshToken: body.refreshToken, untilMs: model.nowMs + 50 * 60_000 },
  })
  return true
}

const signOut: LifeStep<PersonName> = async (model, site, personName) => {
  const modelAccount = model.accounts.get(personName)
  if (modelAccount?.login === undefined) return false
  const { refreshToken, idToken } = modelAccount.login
  await site.post('/api/account/sign_out', { refresh_token: refreshToken }, personName)
  const requestBody = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const renewedTokens = await site.send(
    { method: 'POST', url: '/securetoken.googleapis.com/v1/token?key=any', payload: requestBody },
    personName,
  )
  if (renewedTokens.statusCode === 200) throw new Error(`${personName} is signed out, and the refresh token works`)
  await requireSignedOut(site, personName, idToken)
  markSignedOut(modelAccount)
  return true
}

/** Throws if the token of an ended login is still accepted. */
async function requireSignedOut(site: LifeSite, name: PersonName, idToken: string): Promise<void> {
  const { statusCode } = await site.send({ url: '/api/account/getinfo', headers: { authorization: `Bearer ${idToken}` } }, name)
  if (statusCode !== 401) throw new Error(`${name} is signed out, and the identity token is answered with ${statusCode}`)
}

const signOutEverywhere: LifeStep<PersonName> = async (model, site, personName) => {
  const modelAccount = model.accounts.get(personName)
  const idToken = await site.tokenOf(model, personName)
  const { code } = await site.call(model, personName, 'POST', '/account/end_logins', {})
  if (!isCallSuccessful('/account/end_logins', code, isAccountUsable(model, personName) ? 200 : 401) || idToken === undefined) return false
  await requireSignedOut(site, personName, idToken)
  markSignedOut(modelAccount)
  return true
}

const setDisabled: LifeStep<[PersonName, boolean]> = async (model, site, [personName, isDisabled]) => {
  const modelAccount = model.accounts.get(personName)
  if (modelAccount === undefined || modelAccount.isDisabled === isDisabled) return false
  await site.storage.accounts.setDisabled(modelAccount.uid, isDisabled)
  Object.assign(modelAccount, { isDisabled, login: undefined })
  return true
}

const deleteAccount: LifeStep<PersonName> = async (model, site, personName) => {
  const modelAccount = model.accounts.get(personName)
  // The endpoint requires that the password was typed in the last minutes.
  if (isAccountUsable(model, personName)) markSignedOut(modelAccount)
  const { code } = await site.call(model, personName, 'POST', '/account/delete', {})
  if (!isCallSuccessful('/account/delete', code, isAccountUsable(model, personName) ? 200 : 401) || modelAccount === undefined) return false
  model.accounts.delete(personName)
  model.deletedUids.add(modelAccount.uid)
  // Paid roles stay with the email address.
  for (const payment of model.payments) if (payment.uid === modelAccount.uid) payment.uid = undefined
  return true
}

const payPlan: LifeStep<{ name: PersonName; plan: 'premium' | 'premium_plus'; isByUid: boolean }> = async (
  model,
  site,
  { name, plan, isByUid },
) => {
  const uid = isByUid ? model.accounts.get(name)?.uid : undefined
  const subscriptionId = `sub_${model.payments.length}`
  const customerId = `cus_${subscriptionId}`
  const untilMs = Math.floor(model.nowMs / 1000) * 1000 + 30 * DAY_MS
  const checkoutObject = createCheckout(customerId, subscriptionId, {
    client_reference_id: uid ?? null,
    customer_details: { email: createEmail(name) },
    metadata: { plan },
  })
  const paymentEvents = [
    ['checkout.session.completed', checkoutObject],
    ['customer.subscription.created', createSubscription(customerId, subscriptionId, 'active', untilMs / 1000, plan)],
  ] as const
  for (const [type, object] of model.payments.length % 2 === 0 ? paymentEvents : paymentEvents.toReversed())
    await site.pay(type, object, model.nowMs)
  model.payments.push({ id: subscriptionId, plan, email: createEmail(name), uid, untilMs })
  return true
}

const payDonation: LifeStep<{ name: PersonName; isByUid: boolean }> = async (model, site, { name, isByUid }) => {
  const uid = isByUid ? model.accounts.get(name)?.uid : undefined
  const paymentIntentId = `pi_${model.payments.length}`
  const createdSeconds = Math.floor(model.nowMs / 1000)
  await site.pay(
    'checkout.session.completed',
    createDonation(paymentIntentId, {
      client_reference_id: uid ?? null,
      customer_details: { email: createEmail(name) },
      created: createdSeconds,
    }),
    model.nowMs,
  )
  model.payments.push({ id: paymentIntentId, plan: 'donate', email: createEmail(name), uid, untilMs: createdSeconds * 1000 + 30 * DAY_MS })
  return true
}

/** Ends the newest current subscription, or refunds the newest donation. */
const endPayment: LifeStep<boolean> = async (model, site, isDonation) => {
  const modelPayment = model.payments.findLast(({ plan, untilMs }) => (plan === 'donate') === isDonation && untilMs > model.nowMs)
  if (modelPayment === undefined) return false
  const { id, plan, untilMs } = modelPayment
  if (isDonation) await site.pay('charge.refunded', { id: `ch_${id}`, object: 'charge', payment_intent: id, refunded: true }, model.nowMs)
  else await site.pay('customer.subscription.deleted', createSubscription(`cus_${id}`, id, 'canceled', untilMs / 1000, plan), model.nowMs)
  modelPayment.untilMs = isDonation ? 0 : Math.floor(model.nowMs / 1000) * 1000
  return true
}

const activateWebsite: LifeStep<PersonName> = async (model, site, personName) => {
  const modelAccount = model.accounts.get(personName)
  const domainName = `${personName}-${model.domains.size}`
  const { code } = await site.call(model, personName, 'POST', '/website/activate', { domain_name: domainName })
  if (
    !isCallSuccessful('/website/activate', code, predictAccessCode(model, personName, modelAccount?.website === undefined ? 200 : 409)) ||
    modelAccount === undefined
  )
    return false
  modelAccount.website = { domain: domainName, isEnabled: true, hasBanner: false }
  model.domains.set(domainName, { uid: modelAccount.uid, untilMs: Number.POSITIVE_INFINITY })
  return true
}

const saveWebsite: LifeStep<{ name: PersonName; isEnabled: boolean; domain: 'same' | 'new' | 'of another' }> = async (
  model,
  site,
  { name, isEnabled, domain: domainKind },
) => {
  const modelAccount = model.accounts.get(name)
  const takenDomain = [...model.domains.keys()].find(
    (each) => findOwnerName(model, each) !== undefined && findOwnerName(model, each) !== name,
  )
  const domainByKind = { same: modelAccount?.website?.domain, new: `${name}-${model.domains.size}`, 'of another': takenDomain }
  const domainName = domainByKind[domainKind] ?? `${name}-none`
  const websiteBody = { domain_name: domainName, name, youtube: `https://www.youtube.com/@${name}`, enabled: isEnabled ? 'yes' : 'no' }
  const { code } = await site.call(model, name, 'POST', '/website/save', websiteBody)
  const isDomainTaken = domainKind === 'of another' && takenDomain !== undefined
  if (
    !isCallSuccessful(
      '/website/save',
      code,
      predictAccessCode(model, name, modelAccount?.website === undefined || isDomainTaken ? 409 : 200),
    ) ||
    modelAccount?.website === undefined
  )
    return false
  const earlierOwner = model.domains.get(modelAccount.website.domain)
  if (earlierOwner !== undefined) earlierOwner.untilMs = model.nowMs + NAME_REDIRECT_MS
  model.domains.set(domainName, { uid: modelAccount.uid, untilMs: Number.POSITIVE_INFINITY })
  Object.assign(modelAccount.website, { domain: domainName, isEnabled })
  return true
}

const setBanner: LifeStep<{ name: PersonName; hasFile: boolean }> = async (model, site, { name, hasFile }) => {
  const modelWebsite = model.accounts.get(name)?.website
  const { code } = await site.upload(model, name, '/website/banner', hasFile ? site.banner : undefined, 'banner.png')
  if (
    !isCallSuccessful('/website/banner', code, predictAccessCode(model, name, modelWebsite === undefined ? 409 : 200)) ||
    modelWebsite === undefined
  )
    return false
  modelWebsite.hasBanner = hasFile
  return true
}

const savePromotion: LifeStep<PersonName> = async (model, site, personName) => {
  const link = `https://www.youtube.com/@${personName}`
  const { code } = await site.call(model, personName, 'POST', '/promotion/save', { youtube_channel: link, youtube_share: link })
  return isCallSuccessful('/promotion/save', code, predictAccessCode(model, personName))
}

const convertSong: LifeStep<{ name: PersonName; isCancelled: boolean }> = async (model, site, { name, isCancelled }) => {
  if (!site.hasFfmpeg) return false
  const jobId = randomUUID()
  const conversionPromise = site.upload(model, name, '/make/convert', Buffer.from('fLaC song'), 'song.flac', { speed: '25', job_id: jobId })
  if (isCancelled) await site.call(model, name, 'POST', '/make/cancel', { job_id: jobId })
  const { code, data } = await conversionPromise
  // A conversion that is cancelled before its end is answered with an error.
  if (isCancelled && code !== 200) return code < 500
  if (!isCallSuccessful('/make/convert', code, predictAccessCode(model, name))) return false
  if ((await site.send({ url: data }, undefined)).statusCode !== 200) throw new Error('a converted file could not be downloaded')
  for (const other of personNames) {
    const { code: status } = await site.call(model, other, 'GET', `/make/status?job_id=${jobId}`)
    if (other !== name && status === 200) throw new Error(`${other} sees a conversion of ${name}`)
  }
  return true
}

const changeFavorite: LifeStep<{ name: PersonName; song: string; isFavorite: boolean; isSync: boolean }> = async (
  model,
  site,
  { name, song, isFavorite, isSync },
) => {
  const modelAccount = model.accounts.get(name)
  const favoriteChanges = [
    { id: randomUUID(), s: song, favorite: isFavorite, at: new Date(model.nowMs).toISOString(), device: randomUUID() },
  ]
  const { code } = isSync
    ? await site.call(model, name, 'POST', '/favorite/sync', { changes: favoriteChanges })
    : await site.call(model, name, 'POST', isFavorite ? '/favorite/add' : '/favorite/remove', { s: song })
  if (!isCallSuccessful('a change of favorites', code, isAccountUsable(model, name) ? 200 : 401) || modelAccount === undefined) return false
  if (isFavorite) modelAccount.favorites.add(song)
  else modelAccount.favorites.delete(song)
  return true
}

const sendContact: LifeStep<PersonName> = async (model, site, personName) => {
  const contactMessage = {
    topic: 'other',
    email: createEmail(personName),
    discord: personName,
    youtube_url: 'https://www.youtube.com/@a',
    message: createMessage(personName),
  }
  return isCallSuccessful('/contact/request', (await site.call(model, personName, 'POST', '/contact/request', contactMessage)).code, 200)
}

const linkDiscord: LifeStep<[PersonName, PersonName]> = async (model, site, [personName, discordOwnerName]) => {
  const modelAccount = model.accounts.get(personName)
  const idToken = await site.tokenOf(model, personName)
  const headers = idToken === undefined ? {} : { authorization: `Bearer ${idToken}` }
  const linkAnswer = await site.send(
    { method: 'POST', url: '/api/account/discord_link', headers, payload: { return_url: '/account' } },
    personName,
  )
  if (
    !isCallSuccessful('/account/discord_link', linkAnswer.statusCode, isAccountUsable(model, personName) ? 200 : 401) ||
    modelAccount === undefined
  )
    return false
  const linkedDiscordId = `8035111022467891${personNames.indexOf(discordOwnerName)}`
  site.setDiscordPerson({ id: linkedDiscordId, username: discordOwnerName, global_name: discordOwnerName })
  const callbackUrl = new URL(await site.follow(linkAnswer.json().data.authorize_url))
  const cookie = String(linkAnswer.headers['set-cookie']).split(';')[0] ?? ''
  const callbackAnswer = await site.send({ url: callbackUrl.pathname + callbackUrl.search, headers: { cookie } }, personName)
  const isDiscordIdTaken = [...model.accounts].some(([other, { discordId }]) => other !== personName && discordId === linkedDiscordId)
  const linkOutcome = /discord=(\w+)/.exec(String(callbackAnswer.headers.location))?.[1]
  if (linkOutcome !== (isDiscordIdTaken ? 'taken' : 'linked')) throw new Error(`linking Discord ended with ${linkOutcome}`)
  if (!isDiscordIdTaken) modelAccount.discordId = linkedDiscordId
  return !isDiscordIdTaken
}

const unlinkDiscord: LifeStep<PersonName> = async (model, site, personName) => {
  const { code } = await site.call(model, personName, 'GET', '/account/disconnect_discord')
  if (!isCallSuccessful('/account/disconnect_discord', code, isAccountUsable(model, personName) ? 200 : 401)) return false
  Object.assign(model.accounts.get(personName) ?? {}, { discordId: '' })
  return true
}

const passTime: LifeStep<number> = async (model, site, elapsedMs) => {
  model.nowMs += elapsedMs
  site.clock.nowMs = model.nowMs
  await site.storage.deleteExpired(model.nowMs)
  return true
}

/**
 * Signs all people up. Gives two of them a subscription and a website, one of which is hidden, so that later steps have data to work on.
 */
export async function prepareAccounts(model: LifeModel, site: LifeSite): Promise<void> {
  for (const name of personNames) await signUp(model, site, name)
  for (const name of ['ann', 'bob'] as const) await payPlan(model, site, { name, plan: 'premium', isByUid: true })
  for (const name of ['ann', 'bob'] as const) {
    await activateWebsite(model, site, name)
    await setBanner(model, site, { name, hasFile: true })
  }
  await saveWebsite(model, site, { name: 'bob', isEnabled: false, domain: 'same' })
  for (const name of personNames) await changeFavorite(model, site, { name, song: SONG_IDS[0], isFavorite: true, isSync: true })
  await site.check(model)
}

const anyFlag = fc.boolean()
const lifeSteps: readonly fc.Arbitrary<LifeCommand>[] = [
  createCommand('sign up', anyPerson, signUp),
  createCommand('confirm the address', anyPerson, confirmMail),
  createCommand('reset the password', anyPerson, resetPassword),
  createCommand('change the password', anyPerson, changePassword),
  createCommand('sign out', anyPerson, signOut),
  createCommand('sign out everywhere', anyPerson, signOutEverywhere),
  createCommand('pay', fc.record({ name: anyPerson, plan: fc.constantFrom('premium', 'premium_plus'), isByUid: anyFlag }), payPlan),
  createCommand('donate', fc.record({ name: anyPerson, isByUid: anyFlag }), payDonation),
  createCommand('activate', anyPerson, activateWebsite),
  createCommand(
    'save the website',
    fc.record({ name: anyPerson, isEnabled: anyFlag, domain: fc.constantFrom('same', 'new', 'of another') }),
    saveWebsite,
  ),
  createCommand('set the banner', fc.record({ name: anyPerson, hasFile: anyFlag }), setBanner),
  createCommand('promote', anyPerson, savePromotion),
  createCommand('convert', fc.record({ name: anyPerson, isCancelled: anyFlag }), convertSong),
  createCommand(
    'change a favorite',
    fc.record({ name: anyPerson, song: fc.constantFrom(...SONG_IDS), isFavorite: anyFlag, isSync: anyFlag }),
    changeFavorite,
  ),
  createCommand('contact', anyPerson, sendContact),
  createCommand('link Discord', fc.tuple(anyPerson, anyPerson), linkDiscord),
  createCommand('unlink Discord', anyPerson, unlinkDiscord),
]
/** Steps that delete data that other steps need. */
const deletingSteps: readonly fc.Arbitrary<LifeCommand>[] = [
  createCommand('disable or enable', fc.tuple(anyPerson, anyFlag), setDisabled),
  createCommand('delete the account', anyPerson, deleteAccount),
  createCommand('end a payment', anyFlag, endPayment),
  createCommand('pass time', fc.constantFrom(60_000, 3_600_000, DAY_MS, 31 * DAY_MS), passTime),
]
/** All steps. Those that delete nothing are chosen most often. */
export const lifeCommands = [...lifeSteps, ...lifeSteps, ...deletingSteps]
export const stepKindCount = lifeSteps.length + deletingSteps.length
