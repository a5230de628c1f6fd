import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { DAY_MS } from '../../durations.ts'
import { createCheckout, createDonation, createSubscription } from '../../payments/testing/signed-events.ts'
import { NAME_REDIRECT_MS } from '../../websites/store.ts'
import { emailOf, type Model, messageOf, ownerOf, type PersonName, personNames, rolesOf, SONGS } from './life-model.ts'
import { FIRST_PASSWORD, type LifeSite } from './life-site.ts'

type Command = fc.AsyncCommand<Model, LifeSite>
/** Performs a step on the site and in the model. Returns whether the site accepted it: a limit may refuse it, and then nothing changes. */
type Step<T> = (model: Model, site: LifeSite, value: T) => Promise<boolean>

/** How often the site accepted each kind of step. */
export const stepCounts = new Map<string, number>()

/** Every step advances the clock by more than the time for which the site keeps data in memory without asking the database. */
const STEP_MS = 61_000
const anyPerson = fc.constantFrom(...personNames)
const isSubscriber = (model: Model, name: PersonName) => rolesOf(model, name).includes('subscriber')

function command<T>(kind: string, values: fc.Arbitrary<T>, step: Step<T>): fc.Arbitrary<Command> {
  return values.map((value) => ({
    check: () => true,
    async run(model, site) {
      model.nowMs += STEP_MS
      site.clock.nowMs = model.nowMs
      if (await step(model, site, value)) stepCounts.set(kind, (stepCounts.get(kind) ?? 0) + 1)
      await site.check(model)
    },
    toString: () => `${kind}(${JSON.stringify(value)})`,
  }))
}

/** Returns whether a call was successful. Throws if the model expects another result, except that a limit may always refuse the call. */
function isDone(action: string, code: number, expectedCode: number): boolean {
  if (code === 429) return false
  if (code !== expectedCode) throw new Error(`${action} answers ${code}, not ${expectedCode}`)
  return code === 200
}
/** Returns the code with which an endpoint for subscribers answers a person. */
function accessCode(model: Model, name: PersonName, successCode = 200): number {
  const account = model.accounts.get(name)
  if (account === undefined || account.isDisabled) return 401
  return isSubscriber(model, name) ? successCode : 403
}
const isUsable = (model: Model, name: PersonName) => model.accounts.get(name)?.isDisabled === false
const signedOut = (account: { login: unknown } | undefined) => account && Object.assign(account, { login: undefined })

const signUp: Step<PersonName> = async (model, site, name) => {
  const { status, body } = await site.identity('signUp', { email: emailOf(name), password: FIRST_PASSWORD, returnSecureToken: true }, name)
  if (model.accounts.has(name)) {
    if (status === 200) throw new Error(`a second account of ${name} was made`)
    return false
  }
  if (status !== 200) throw new Error(`${name} could not sign up: ${JSON.stringify(body)}`)
  site.noteAccount(body.localId, name)
  model.accounts.set(name, {
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

const confirmMail: Step<PersonName> = async (model, site, name) => {
  const account = model.accounts.get(name)
  if (account === undefined || account.isDisabled || account.isVerified) return false
  const idToken = await site.tokenOf(model, name)
  const oobCode = await site.mailedCode(name, () => site.identity('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken }, name))
  if (oobCode === undefined) return false
  const { code } = await site.call(model, name, 'POST', '/account/confirm_email', { code: oobCode })
  account.isVerified = isDone('/account/confirm_email', code, 200)
  return account.isVerified
}

const resetPassword: Step<PersonName> = async (model, site, name) => {
  const account = model.accounts.get(name)
  if (account === undefined || account.isDisabled) return false
  const oobCode = await site.mailedCode(name, () =>
    site.identity('sendOobCode', { requestType: 'PASSWORD_RESET', email: emailOf(name) }, name),
  )
  if (oobCode === undefined) return false
  const newPassword = `a reset Passphrase ${model.nowMs}`
  site.keepSecret(newPassword, newPassword)
  const { status } = await site.identity('resetPassword', { oobCode, newPassword }, name)
  if (status !== 200) return false
  Object.assign(account, { password: newPassword, isVerified: true, login: undefined })
  return true
}

const changePassword: Step<PersonName> = async (model, site, name) => {
  const account = model.accounts.get(name)
  if (account === undefined || account.isDisabled) return false
  signedOut(account)
  const idToken = await site.tokenOf(model, name)
  const password = `a changed Passphrase ${model.nowMs}`
  site.keepSecret(password, password)
  const { status, body } = await site.identity(
    'update',
    { idToken, password, currentPassword: account.password, returnSecureToken: true },
    name,
  )
  if (status !== 200) return false
  const oldTokenAnswer = await site.post('/identitytoolkit.googleapis.com/v1/accounts:lookup', { idToken }, name)
  if (oldTokenAnswer.statusCode === 200) throw new Error(`a token of ${name} outlives a change of the password`)
  Object.assign(account, {
    password,
    login: { idToken: body.idToken, refreshToken: body.refreshToken, untilMs: model.nowMs + 50 * 60_000 },
  })
  return true
}

const signOut: Step<PersonName> = async (model, site, name) => {
  const account = model.accounts.get(name)
  if (account?.login === undefined) return false
  const { refreshToken, idToken } = account.login
  await site.post('/api/account/sign_out', { refresh_token: refreshToken }, name)
  const payload = { grant_type: 'refresh_token', refresh_token: refreshToken }
  const renewedTokens = await site.send({ method: 'POST', url: '/securetoken.googleapis.com/v1/token?key=any', payload }, name)
  if (renewedTokens.statusCode === 200) throw new Error(`${name} is signed out, and the refresh token works`)
  await requireSignedOut(site, name, idToken)
  signedOut(account)
  return true
}

/** Throws if the token of an ended login is still accepted. */
async function requireSignedOut(site: LifeSite, name: PersonName, idToken: string): Promise<void> {
  const { statusCode } = await site.send({ url: '/api/account/getinfo', headers: { authorization: `Bearer ${idToken}` } }, name)
  if (statusCode !== 401) throw new Error(`${name} is signed out, and the identity token is answered with ${statusCode}`)
}

const signOutEverywhere: Step<PersonName> = async (model, site, name) => {
  const account = model.accounts.get(name)
  const idToken = await site.tokenOf(model, name)
  const { code } = await site.call(model, name, 'POST', '/account/end_logins', {})
  if (!isDone('/account/end_logins', code, isUsable(model, name) ? 200 : 401) || idToken === undefined) return false
  await requireSignedOut(site, name, idToken)
  signedOut(account)
  return true
}

const setDisabled: Step<[PersonName, boolean]> = async (model, site, [name, isDisabled]) => {
  const account = model.accounts.get(name)
  if (account === undefined || account.isDisabled === isDisabled) return false
  await site.storage.accounts.setDisabled(account.uid, isDisabled)
  Object.assign(account, { isDisabled, login: undefined })
  return true
}

const deleteAccount: Step<PersonName> = async (model, site, name) => {
  const account = model.accounts.get(name)
  // The endpoint requires that the password was typed in the last minutes.
  if (isUsable(model, name)) signedOut(account)
  const { code } = await site.call(model, name, 'POST', '/account/delete', {})
  if (!isDone('/account/delete', code, isUsable(model, name) ? 200 : 401) || account === undefined) return false
  model.accounts.delete(name)
  model.deletedUids.add(account.uid)
  // Paid roles stay with the email address.
  for (const payment of model.payments) if (payment.uid === account.uid) payment.uid = undefined
  return true
}

const pay: Step<{ name: PersonName; plan: 'premium' | 'premium_plus'; isByUid: boolean }> = async (
  model,
  site,
  { name, plan, isByUid },
) => {
  const uid = isByUid ? model.accounts.get(name)?.uid : undefined
  const id = `sub_${model.payments.length}`
  const customer = `cus_${id}`
  const untilMs = Math.floor(model.nowMs / 1000) * 1000 + 30 * DAY_MS
  const checkout = createCheckout(customer, id, {
    client_reference_id: uid ?? null,
    customer_details: { email: emailOf(name) },
    metadata: { plan },
  })
  const events = [
    ['checkout.session.completed', checkout],
    ['customer.subscription.created', createSubscription(customer, id, 'active', untilMs / 1000, plan)],
  ] as const
  for (const [type, object] of model.payments.length % 2 === 0 ? events : events.toReversed()) await site.pay(type, object, model.nowMs)
  model.payments.push({ id, plan, email: emailOf(name), uid, untilMs })
  return true
}

const donate: Step<{ name: PersonName; isByUid: boolean }> = async (model, site, { name, isByUid }) => {
  const uid = isByUid ? model.accounts.get(name)?.uid : undefined
  const id = `pi_${model.payments.length}`
  const createdSeconds = Math.floor(model.nowMs / 1000)
  await site.pay(
    'checkout.session.completed',
    createDonation(id, { client_reference_id: uid ?? null, customer_details: { email: emailOf(name) }, created: createdSeconds }),
    model.nowMs,
  )
  model.payments.push({ id, plan: 'donate', email: emailOf(name), uid, untilMs: createdSeconds * 1000 + 30 * DAY_MS })
  return true
}

/** Ends the newest current subscription, or refunds the newest donation. */
const endPayment: Step<boolean> = async (model, site, isDonation) => {
  const payment = model.payments.findLast(({ plan, untilMs }) => (plan === 'donate') === isDonation && untilMs > model.nowMs)
  if (payment === undefined) return false
  const { id, plan, untilMs } = payment
  if (isDonation) await site.pay('charge.refunded', { id: `ch_${id}`, object: 'charge', payment_intent: id, refunded: true }, model.nowMs)
  else await site.pay('customer.subscription.deleted', createSubscription(`cus_${id}`, id, 'canceled', untilMs / 1000, plan), model.nowMs)
  payment.untilMs = isDonation ? 0 : Math.floor(model.nowMs / 1000) * 1000
  return true
}

const activate: Step<PersonName> = async (model, site, name) => {
  const account = model.accounts.get(name)
  const domain = `${name}-${model.domains.size}`
  const { code } = await site.call(model, name, 'POST', '/website/activate', { domain_name: domain })
  if (!isDone('/website/activate', code, accessCode(model, name, account?.website === undefined ? 200 : 409)) || account === undefined)
    return false
  account.website = { domain, isEnabled: true, hasBanner: false }
  model.domains.set(domain, { uid: account.uid, untilMs: Number.POSITIVE_INFINITY })
  return true
}

const saveWebsite: Step<{ name: PersonName; isEnabled: boolean; domain: 'same' | 'new' | 'of another' }> = async (
  model,
  site,
  { name, isEnabled, domain: domainKind },
) => {
  const account = model.accounts.get(name)
  const takenDomain = [...model.domains.keys()].find((each) => ownerOf(model, each) !== undefined && ownerOf(model, each) !== name)
  const domains = { same: account?.website?.domain, new: `${name}-${model.domains.size}`, 'of another': takenDomain }
  const domain = domains[domainKind] ?? `${name}-none`
  const payload = { domain_name: domain, name, youtube: `https://www.youtube.com/@${name}`, enabled: isEnabled ? 'yes' : 'no' }
  const { code } = await site.call(model, name, 'POST', '/website/save', payload)
  const isTaken = domainKind === 'of another' && takenDomain !== undefined
  if (
    !isDone('/website/save', code, accessCode(model, name, account?.website === undefined || isTaken ? 409 : 200)) ||
    account?.website === undefined
  )
    return false
  const earlierOwner = model.domains.get(account.website.domain)
  if (earlierOwner !== undefined) earlierOwner.untilMs = model.nowMs + NAME_REDIRECT_MS
  model.domains.set(domain, { uid: account.uid, untilMs: Number.POSITIVE_INFINITY })
  Object.assign(account.website, { domain, isEnabled })
  return true
}

const setBanner: Step<{ name: PersonName; hasFile: boolean }> = async (model, site, { name, hasFile }) => {
  const website = model.accounts.get(name)?.website
  const { code } = await site.upload(model, name, '/website/banner', hasFile ? site.banner : undefined, 'banner.png')
  if (!isDone('/website/banner', code, accessCode(model, name, website === undefined ? 409 : 200)) || website === undefined) return false
  website.hasBanner = hasFile
  return true
}

const promote: Step<PersonName> = async (model, site, name) => {
  const link = `https://www.youtube.com/@${name}`
  const { code } = await site.call(model, name, 'POST', '/promotion/save', { youtube_channel: link, youtube_share: link })
  return isDone('/promotion/save', code, accessCode(model, name))
}

const convert: Step<{ name: PersonName; isCancelled: boolean }> = async (model, site, { name, isCancelled }) => {
  if (!site.hasFfmpeg) return false
  const jobId = randomUUID()
  const conversion = site.upload(model, name, '/make/convert', Buffer.from('fLaC song'), 'song.flac', { speed: '25', job_id: jobId })
  if (isCancelled) await site.call(model, name, 'POST', '/make/cancel', { job_id: jobId })
  const { code, data } = await conversion
  // A conversion that is cancelled before its end is answered with an error.
  if (isCancelled && code !== 200) return code < 500
  if (!isDone('/make/convert', code, accessCode(model, name))) return false
  if ((await site.send({ url: data }, undefined)).statusCode !== 200) throw new Error('a converted file could not be downloaded')
  for (const other of personNames) {
    const { code: status } = await site.call(model, other, 'GET', `/make/status?job_id=${jobId}`)
    if (other !== name && status === 200) throw new Error(`${other} sees a conversion of ${name}`)
  }
  return true
}

const changeFavorite: Step<{ name: PersonName; song: string; isFavorite: boolean; isSync: boolean }> = async (
  model,
  site,
  { name, song, isFavorite, isSync },
) => {
  const account = model.accounts.get(name)
  const changes = [{ id: randomUUID(), s: song, favorite: isFavorite, at: new Date(model.nowMs).toISOString(), device: randomUUID() }]
  const { code } = isSync
    ? await site.call(model, name, 'POST', '/favorite/sync', { changes })
    : await site.call(model, name, 'POST', isFavorite ? '/favorite/add' : '/favorite/remove', { s: song })
  if (!isDone('a change of favorites', code, isUsable(model, name) ? 200 : 401) || account === undefined) return false
  if (isFavorite) account.favorites.add(song)
  else account.favorites.delete(song)
  return true
}

const contact: Step<PersonName> = async (model, site, name) => {
  const message = {
    topic: 'other',
    email: emailOf(name),
    discord: name,
    youtube_url: 'https://www.youtube.com/@a',
    message: messageOf(name),
  }
  return isDone('/contact/request', (await site.call(model, name, 'POST', '/contact/request', message)).code, 200)
}

const linkDiscord: Step<[PersonName, PersonName]> = async (model, site, [name, discordOf]) => {
  const account = model.accounts.get(name)
  const token = await site.tokenOf(model, name)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const linkAnswer = await site.send(
    { method: 'POST', url: '/api/account/discord_link', headers, payload: { return_url: '/account' } },
    name,
  )
  if (!isDone('/account/discord_link', linkAnswer.statusCode, isUsable(model, name) ? 200 : 401) || account === undefined) return false
  const id = `8035111022467891${personNames.indexOf(discordOf)}`
  site.setDiscordPerson({ id, username: discordOf, global_name: discordOf })
  const callback = new URL(await site.follow(linkAnswer.json().data.authorize_url))
  const cookie = String(linkAnswer.headers['set-cookie']).split(';')[0] ?? ''
  const answer = await site.send({ url: callback.pathname + callback.search, headers: { cookie } }, name)
  const isTaken = [...model.accounts].some(([other, { discordId }]) => other !== name && discordId === id)
  const outcome = /discord=(\w+)/.exec(String(answer.headers.location))?.[1]
  if (outcome !== (isTaken ? 'taken' : 'linked')) throw new Error(`linking Discord ended with ${outcome}`)
  if (!isTaken) account.discordId = id
  return !isTaken
}

const unlinkDiscord: Step<PersonName> = async (model, site, name) => {
  const { code } = await site.call(model, name, 'GET', '/account/disconnect_discord')
  if (!isDone('/account/disconnect_discord', code, isUsable(model, name) ? 200 : 401)) return false
  Object.assign(model.accounts.get(name) ?? {}, { discordId: '' })
  return true
}

const passTime: Step<number> = async (model, site, ms) => {
  model.nowMs += ms
  site.clock.nowMs = model.nowMs
  await site.storage.deleteExpired(model.nowMs)
  return true
}

/**
 * Signs all people up. Gives two of them a subscription and a website, one of which is hidden, so that later steps have data to work on.
 */
export async function prepareAccounts(model: Model, site: LifeSite): Promise<void> {
  for (const name of personNames) await signUp(model, site, name)
  for (const name of ['ann', 'bob'] as const) await pay(model, site, { name, plan: 'premium', isByUid: true })
  for (const name of ['ann', 'bob'] as const) {
    await activate(model, site, name)
    await setBanner(model, site, { name, hasFile: true })
  }
  await saveWebsite(model, site, { name: 'bob', isEnabled: false, domain: 'same' })
  for (const name of personNames) await changeFavorite(model, site, { name, song: SONGS[0], isFavorite: true, isSync: true })
  await site.check(model)
}

const anyFlag = fc.boolean()
const steps: readonly fc.Arbitrary<Command>[] = [
  command('sign up', anyPerson, signUp),
  command('confirm the address', anyPerson, confirmMail),
  command('reset the password', anyPerson, resetPassword),
  command('change the password', anyPerson, changePassword),
  command('sign out', anyPerson, signOut),
  command('sign out everywhere', anyPerson, signOutEverywhere),
  command('pay', fc.record({ name: anyPerson, plan: fc.constantFrom('premium', 'premium_plus'), isByUid: anyFlag }), pay),
  command('donate', fc.record({ name: anyPerson, isByUid: anyFlag }), donate),
  command('activate', anyPerson, activate),
  command(
    'save the website',
    fc.record({ name: anyPerson, isEnabled: anyFlag, domain: fc.constantFrom('same', 'new', 'of another') }),
    saveWebsite,
  ),
  command('set the banner', fc.record({ name: anyPerson, hasFile: anyFlag }), setBanner),
  command('promote', anyPerson, promote),
  command('convert', fc.record({ name: anyPerson, isCancelled: anyFlag }), convert),
  command(
    'change a favorite',
    fc.record({ name: anyPerson, song: fc.constantFrom(...SONGS), isFavorite: anyFlag, isSync: anyFlag }),
    changeFavorite,
  ),
  command('contact', anyPerson, contact),
  command('link Discord', fc.tuple(anyPerson, anyPerson), linkDiscord),
  command('unlink Discord', anyPerson, unlinkDiscord),
]
/** Steps that delete data that other steps need. */
const endings: readonly fc.Arbitrary<Command>[] = [
  command('disable or enable', fc.tuple(anyPerson, anyFlag), setDisabled),
  command('delete the account', anyPerson, deleteAccount),
  command('end a payment', anyFlag, endPayment),
  command('pass time', fc.constantFrom(60_000, 3_600_000, DAY_MS, 31 * DAY_MS), passTime),
]
/** All steps. Those that delete nothing are chosen most often. */
export const lifeCommands = [...steps, ...steps, ...endings]
export const stepKinds = steps.length + endings.length
