import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CONTENT_LOCKED_MESSAGE } from '../../contract/errors.ts'
import { RESERVED_NAME_MESSAGE, TAKEN_NAME_MESSAGE } from '../../contract/website-rules.ts'
import { DAY_MS } from '../durations.ts'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const CHANNEL_URL = 'https://www.youtube.com/@ann'

let site: TestApp
let nowMs = START_MS
beforeEach(async () => {
  nowMs = START_MS
  site = await createTestApp({ RATE_LIMIT_SIGNUP: '1000' }, { nowMs: () => nowMs })
})
afterEach(() => site.close())

/** Returns functions that make the calls of an account. The account is created if it does not exist. */
async function createPerson(personName: string) {
  const email = `${personName}@example.com`
  await createSdkCalls(site).signUp(email, 'secret-1')
  const callApi = async (httpMethod: 'GET' | 'POST', urlPath: string, requestBody?: Record<string, unknown>) => {
    // The test requests new tokens, because tokens are valid for an hour and the clock is moved by days.
    const idToken = (await createSdkCalls(site).signIn(email, 'secret-1')).json().idToken
    const headers = { authorization: `Bearer ${idToken}` }
    const response = await site.app.inject({
      method: httpMethod,
      url: `/api${urlPath}`,
      headers,
      ...(requestBody && { payload: requestBody }),
    })
    const retryAfter = response.headers['retry-after']
    return { ...response.json(), ...(retryAfter !== undefined && { retryAfter }) }
  }
  return {
    grant: (untilMs?: number) => site.storage.roles.grant(email, { role: 'subscriber', source: 'admin', untilMs }),
    revoke: () => site.storage.roles.revoke(email, 'subscriber', 'admin'),
    get: () => callApi('GET', '/website/get'),
    activate: (domain_name: string) => callApi('POST', '/website/activate', { domain_name }),
    save: (fields: Record<string, unknown>) => callApi('POST', '/website/save', { name: 'Ann', youtube: CHANNEL_URL, ...fields }),
    call: callApi,
  }
}
async function createSubscriber(subscriberName: string) {
  const owner = await createPerson(subscriberName)
  await owner.grant()
  return owner
}
const openWebsite = async (subscriberName: string, urlPath = '/') => {
  const { statusCode, headers, body } = await site.app.inject({ url: urlPath, headers: { host: `${subscriberName}.localhost:8080` } })
  return { status: statusCode, location: headers.location, body }
}
const readInfo = async (name: string) => (await site.app.inject(`/api/subscriber/getinfo?domain_name=${name}`)).json()
/** Advances the clock, so that cached pages expire. */
const passMinute = () => {
  nowMs += 61_000
}

it('website: the account shows the address of its website, even if the subscription has ended', async () => {
  const ann = await createPerson('ann')
  const readAddress = async () => (await ann.call('GET', '/account/getinfo')).data.website
  await ann.grant(START_MS + DAY_MS)
  expect(await readAddress()).toBeUndefined()
  await ann.activate('ann')
  expect(await readAddress()).toBe((await ann.get()).data.url)
  const websiteUrl = await readAddress()
  nowMs += DAY_MS
  expect(await ann.get()).toMatchObject({ code: 403 })
  expect(await readAddress()).toBe(websiteUrl)
})

it('website: a new website is named by its domain name, truncated to the maximum length of a name', async () => {
  const ann = await createSubscriber('ann')
  const domainName = 'a'.repeat(63)
  expect(await ann.activate(domainName)).toMatchObject({ code: 200 })
  expect((await readInfo(domainName)).data.data).toMatchObject({ domain_name: domainName, name: 'a'.repeat(60) })
})

it('website: a subscriber activates a website, which visitors can see; accounts without the role cannot activate one', async () => {
  const nonSubscriber = await createPerson('stranger')
  for (const answer of [await nonSubscriber.get(), await nonSubscriber.activate('ann'), await nonSubscriber.save({ domain_name: 'ann' })])
    expect(answer).toEqual({ code: 403, message: CONTENT_LOCKED_MESSAGE, data: null })
  const ann = await createSubscriber('ann')
  expect(await ann.get()).toEqual({ code: 201, message: 'OK', data: null })
  expect(await ann.save({ domain_name: 'ann' })).toMatchObject({ code: 409 })
  expect(await ann.activate('Ann')).toEqual({ code: 200, message: 'OK', data: null })
  expect(await ann.get()).toMatchObject({
    code: 200,
    data: { domain_name: 'ann', name: 'ann', enabled: 'yes', url: 'http://ann.localhost:8080' },
  })
  expect(await ann.activate('other')).toMatchObject({ code: 409 })
  expect(
    await ann.save({ domain_name: 'ann', name: '<script>alert(1)</script>', subtitle: 'Fast songs', form_mail: 'ann@example.org' }),
  ).toMatchObject({ code: 200 })
  const page = await openWebsite('ann')
  expect(page.status).toBe(200)
  expect(page.body).not.toContain('<script>alert(1)')
  expect(page.body).toContain('&lt;script&gt;alert(1)')
  expect(page.body).toContain('/img/og/website/ann.jpg')
  expect((await openWebsite('ann', '/playlists')).status).toBe(404)
  const { data } = await readInfo('ann')
  expect(data).toMatchObject({ data: { subtitle: 'Fast songs', youtube: CHANNEL_URL }, donator: false, profile_pic: '/img/supporter/ann' })
  expect(data.videos.length).toBeGreaterThan(0)
  expect(data.playlists.length).toBeGreaterThan(0)
  expect(JSON.stringify(data)).not.toContain('ann@example.com')
  expect((await site.app.inject('/img/website/ann/640')).statusCode).toBe(200)
  expect((await site.app.inject('/img/website/nobody/640')).statusCode).toBe(404)
  const supporters = (await site.app.inject('/api/subscriber/getsubscriberssite')).json().data
  expect(supporters.map(({ domain_name }: { domain_name: string }) => domain_name)).toEqual(expect.arrayContaining(['ann', 'aria']))
})

it('website: a domain name leads to the main site if its website is unknown or hidden, or if its subscription has ended; once the owner has the role again, the website is shown again', async () => {
  expect(await openWebsite('nobody', '/any')).toMatchObject({ status: 302, location: 'http://localhost:8080/' })
  expect((await readInfo('nobody')).code).toBe(404)
  expect((await openWebsite('aria')).status).toBe(200)
  const ann = await createPerson('ann')
  await ann.grant(START_MS + DAY_MS)
  await ann.activate('ann')
  expect((await openWebsite('ann')).status).toBe(200)
  await ann.save({ domain_name: 'ann', enabled: 'no' })
  expect((await openWebsite('ann')).status).toBe(302)
  await ann.save({ domain_name: 'ann', enabled: 'yes' })
  expect((await openWebsite('ann')).status).toBe(200)
  nowMs = START_MS + DAY_MS + 61_000
  expect(await openWebsite('ann')).toMatchObject({ status: 302, location: 'http://localhost:8080/' })
  expect((await ann.get()).code).toBe(403)
  await ann.grant()
  expect((await openWebsite('ann')).status).toBe(200)
})

it('website: after a payment with an email address, the website and the badge are shown once the owner has verified the address, also if the website was saved before', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const email = 'ann@example.com'
  const paidGrant = { purchase: 'sub_1', plan: 'premium_plus' as const, uid: undefined, email, untilMs: nowMs + 30 * DAY_MS, renews: true }
  await site.storage.payments.record(
    { id: 'evt_1', group: 'cus_1', createdMs: nowMs, fact: { kind: 'invoice', subscription: 'sub_1', periodEndMs: 0, email } },
    () => (['subscriber', 'donator'] as const).map((role) => ({ ...paidGrant, role })),
    { atMs: nowMs, createWarning: () => undefined },
  )
  expect((await readInfo('ann')).data.donator).toBe(false)
  await ann.revoke()
  expect((await readInfo('ann')).code).toBe(404)
  const uid = (await site.storage.accounts.findByEmail(email))?.uid ?? ''
  await site.storage.accounts.replaceCode({ uid, kind: 'verify', hash: 'v', expiresMs: nowMs + 1000, atMs: nowMs })
  await site.storage.accounts.verifyEmail(uid, 'v', nowMs)
  expect((await readInfo('ann')).data.donator).toBe(true)
  await ann.save({ domain_name: 'ann' })
  expect((await readInfo('ann')).data.donator).toBe(true)
})

it('website: fields and token may be in the query; a field in the body takes precedence over one in the query', async () => {
  await createSubscriber('ann')
  const idToken = (await createSdkCalls(site).signIn('ann@example.com', 'secret-1')).json().idToken
  const postForm = async (urlPath: string, queryFields: Record<string, string>, requestBody?: Record<string, string>) =>
    (
      await site.app.inject({
        method: 'POST',
        url: `/api${urlPath}?${new URLSearchParams({ firebase_auth_token: idToken, ...queryFields })}`,
        ...(requestBody && { payload: requestBody }),
      })
    ).json()
  expect(await postForm('/website/activate', {})).toMatchObject({ code: 400, message: 'domain_name is required' })
  expect(await postForm('/website/activate', { domain_name: 'query' }, { domain_name: 'body' })).toMatchObject({ code: 200 })
  expect((await readInfo('body')).code).toBe(200)
  expect(await postForm('/website/save', { domain_name: 'query', name: 'Ann', youtube: CHANNEL_URL })).toMatchObject({ code: 200 })
  expect((await readInfo('query')).data.data.name).toBe('Ann')
})

it('website: of concurrent activations by one account, one succeeds, so that none replaces the texts that the owner has saved since', async () => {
  const ann = await createSubscriber('ann')
  const answers = await Promise.all(Array.from({ length: 4 }, () => ann.activate('ann')))
  expect(answers.map(({ code }) => code).sort()).toEqual([200, 409, 409, 409])
})

it('website: if 50 subscribers request a domain name at the same time, one of them gets it', async () => {
  const fiftySubscribers = await Promise.all(Array.from({ length: 50 }, (_, index) => createSubscriber(`person${index}`)))
  const answers = await Promise.all(fiftySubscribers.map(({ activate }) => activate('wanted')))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
  expect(answers.filter(({ code, message }) => code === 409 && message === TAKEN_NAME_MESSAGE)).toHaveLength(49)
}, 60_000)

it('website: an imported supporter has a website with the texts and links of the import', async () => {
  expect((await readInfo('aria')).data.data).toMatchObject({
    name: 'Aria',
    subtitle: 'Slow songs',
    about_me: '',
    soundcloud: 'https://example.com/aria',
    youtube: '',
    enabled: 'yes',
  })
  expect((await openWebsite('aria')).body).toContain('https://example.com/aria')
})

it('website: reserved and malformed domain names are refused, and so are those of imported supporters', async () => {
  const ann = await createSubscriber('ann')
  for (const name of ['www', 'fm', 'admin', 'login', 'slowedreverb', 'my-slowedreverb', 'xn--ann-boa']) {
    const { code, message } = await ann.activate(name)
    expect([name, code, typeof message]).toEqual([name, 400, 'string'])
  }
  expect((await ann.activate('admin')).message).toBe(RESERVED_NAME_MESSAGE)
  for (const name of ['', '-ann', 'ann-', 'a.b', 'ä', 'a b', '<b>', 'a'.repeat(64)]) expect((await ann.activate(name)).code).toBe(400)
  expect((await ann.activate('aria')).message).toBe(TAKEN_NAME_MESSAGE)
})

it('website: an earlier domain name redirects to the new one for 30 days, and nobody else can have it in this time', async () => {
  const ann = await createSubscriber('ann')
  const bob = await createSubscriber('bob')
  await ann.activate('ann')
  await bob.activate('bob')
  expect((await bob.save({ domain_name: 'ann' })).code).toBe(409)
  expect((await ann.save({ domain_name: 'anna' })).code).toBe(200)
  expect(await openWebsite('ann')).toMatchObject({ status: 302, location: 'http://anna.localhost:8080/' })
  expect((await openWebsite('anna')).status).toBe(200)
  expect((await bob.save({ domain_name: 'ann' })).code).toBe(409)
  expect((await site.app.inject('/api/host?domain=ann.localhost')).statusCode).toBe(200)
  nowMs += 30 * DAY_MS
  expect((await bob.save({ domain_name: 'ann' })).code).toBe(200)
  expect((await bob.get()).data.domain_name).toBe('ann')
  passMinute()
  expect((await openWebsite('ann')).status).toBe(200)
  for (const name of ['anna1', 'anna2', 'anna3']) expect((await ann.save({ domain_name: name })).code).toBe(200)
  expect(await ann.save({ domain_name: 'anna4' })).toMatchObject({ code: 429, retryAfter: '86400' })
  expect((await ann.save({ domain_name: 'anna2' })).code).toBe(200)
})

it('website: invalid texts are refused with the name of their field', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  for (const [invalidFields, expectedMessage] of [
    [{ name: ' ' }, 'Name: Please fill in this field.'],
    [{ youtube: '' }, 'YouTube: Please fill in this field.'],
    [{ youtube: 'https://example.com/a' }, 'YouTube: Please enter a YouTube address.'],
    [{ twitter: 'javascript:alert(1)' }, 'X: '],
    [{ banner_url: 'http://example.com/a.png' }, 'Banner URL: '],
    [{ form_mail: 'ann' }, 'Contact email: '],
    ...(['twitter', 'patreon', 'banner_url', 'youtube'] as const).map(
      (fieldName) =>
        [
          { [fieldName]: `https://www.youtube.com/\u202Egpj.exe` },
          fieldName === 'youtube' ? 'Please enter a YouTube address.' : 'Please enter a web address that starts with https://.',
        ] as const,
    ),
    [{ discord: 'https://discord.gg/\u202Egpj.exe' }, 'Discord: Please enter an invite link or its code.'],
    [{ name: 'Ann\u202E' }, 'Name: Please remove the invisible characters'],
    [{ name: 'A\u200Bnn' }, 'Name: Please remove the invisible characters'],
    [{ subtitle: 'a\u2066b' }, 'Subtitle: Please remove the invisible characters'],
    [{ about_me: 'a\u202Db' }, 'About me: Please remove the invisible characters'],
    [{ social_text: 'a\uFEFFb' }, 'Support text: Please remove the invisible characters'],
  ] as const) {
    expect(await ann.save({ domain_name: 'ann', ...invalidFields })).toMatchObject({
      code: 400,
      message: expect.stringContaining(expectedMessage),
    })
  }
  // Texts with joined emoji, and with several lines that contain right-to-left marks.
  expect((await ann.save({ domain_name: 'ann', name: 'Ann \u{1F469}\u200D\u{1F3A4}', about_me: 'one\r\n\u200Ftwo\t' })).code).toBe(200)
})

it('website: only the owner sees the number of clicks; `GET /api/host` knows the website’s host; the account’s export contains the website until the account is deleted', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const countClick = (domain_name: string, target: string, remoteAddress = '192.0.2.1') =>
    site.app.inject({ method: 'POST', url: '/api/subscriber/click', payload: { domain_name, target }, remoteAddress })
  for (const address of ['192.0.2.1', '192.0.2.2']) expect((await countClick('ann', 'visit', address)).statusCode).toBe(200)
  expect((await countClick('ann', 'youtube')).statusCode).toBe(200)
  expect((await countClick('ann', 'password')).statusCode).toBe(400)
  expect((await countClick('nobody', 'visit')).statusCode).toBe(200)
  expect((await ann.get()).data.clicks).toEqual([
    { target: 'visit', count: 2 },
    { target: 'youtube', count: 1 },
  ])
  expect(JSON.stringify(await readInfo('ann'))).not.toContain('clicks')
  expect((await site.app.inject('/api/host?domain=ann.slowedreverb.localhost')).statusCode).toBe(200)
  expect((await site.app.inject('/api/host?domain=nobody.localhost')).statusCode).toBe(404)
  expect((await ann.call('GET', '/account/export')).data.website).toMatchObject({ domain_name: 'ann' })
  expect((await ann.call('POST', '/account/delete', {})).code).toBe(200)
  expect((await openWebsite('ann')).status).toBe(302)
  const bob = await createSubscriber('bob')
  expect((await bob.activate('ann')).message).toBe(TAKEN_NAME_MESSAGE)
  nowMs += 90 * DAY_MS
  expect((await bob.activate('ann')).code).toBe(200)
})

it('website: the picture of a hidden website is not shown, whether the website or its account is disabled, the subscription has ended, or the name is an earlier one', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('anna')
  await ann.save({ domain_name: 'ann' })
  const { uid } = (await site.storage.accounts.findByEmail('ann@example.com')) ?? { uid: '' }
  const redBanner = await sharp({ create: { width: 1280, height: 400, channels: 3, background: '#f00' } })
    .webp()
    .toBuffer()
  await site.storage.websites.savePicture('banner', uid, redBanner)
  /** Returns whether the upper part of a picture, above the words of a link preview, is mostly red, like the banner. */
  const showsBanner = async (urlPath: string) => {
    const { statusCode, rawPayload } = await site.app.inject({ url: urlPath, headers: { accept: 'image/webp' } })
    if (statusCode !== 200) return false
    const { width = 1, height = 1 } = await sharp(rawPayload).metadata()
    const { channels } = await sharp(
      await sharp(rawPayload)
        .extract({ left: 0, top: 0, width, height: Math.round(height / 4) })
        .toBuffer(),
    ).stats()
    return (channels[0]?.mean ?? 0) > 150 && (channels[1]?.mean ?? 255) < 100
  }
  const listBannerVisibility = async () => {
    const paths = ['ann', 'anna'].flatMap((name) => [`/img/website/${name}/320`, `/img/og/website/${name}.jpg`])
    return Promise.all(paths.map(showsBanner))
  }
  expect(await listBannerVisibility()).toEqual([true, true, false, false])
  for (const [hideWebsite, showWebsite] of [
    [() => ann.save({ domain_name: 'ann', enabled: 'no' }), () => ann.save({ domain_name: 'ann', enabled: 'yes' })],
    [ann.revoke, ann.grant],
    [() => site.storage.accounts.setDisabled(uid, true), () => site.storage.accounts.setDisabled(uid, false)],
  ] as const) {
    await hideWebsite()
    expect(await listBannerVisibility()).toEqual([false, false, false, false])
    await showWebsite()
    expect(await listBannerVisibility()).toEqual([true, true, false, false])
  }
}, 60_000)

it('website: domain names that look official are refused, including those of the brands; a website that already has such a name keeps it', async () => {
  const ann = await createSubscriber('ann')
  const officialName =
    'nightcore meridian nightcoremeridian slowed-reverb legal dmca copyright privacy terms moderator owner password reset-password sign-on mta-sts www1 mx1 ns3 id openid oauth2 stripe-checkout paypal-payments paypa1 adm1n nightcore-official resetpassword'
  for (const name of officialName.split(' ')) expect([name, (await ann.activate(name)).message]).toEqual([name, RESERVED_NAME_MESSAGE])
  expect((await ann.activate('nightcore-by-ann')).code).toBe(200)
  const storedWebsite = await site.storage.websites.find((await site.storage.accounts.findByEmail('ann@example.com'))?.uid ?? '')
  if (storedWebsite === undefined) throw new Error('no website')
  await site.storage.websites.save({ ...storedWebsite, domain_name: 'legal' }, nowMs)
  expect((await ann.save({ domain_name: 'legal', subtitle: 'kept' })).code).toBe(200)
  expect((await ann.save({ domain_name: 'privacy' })).message).toBe(RESERVED_NAME_MESSAGE)
})

it('website: an uploaded picture is the banner until it is removed; other files are refused', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const sendUpload = async (uploadBytes?: Buffer) => {
    const idToken = (await createSdkCalls(site).signIn('ann@example.com', 'secret-1')).json().idToken
    const form = new FormData()
    if (uploadBytes) form.append('file', new Blob([new Uint8Array(uploadBytes)]), 'banner.png')
    else form.append('nothing', '')
    const { headers, body } = new Response(form)
    const bodyBytes = Buffer.from(await new Response(body).arrayBuffer())
    const uploadAnswer = await site.app.inject({
      method: 'POST',
      url: '/api/website/banner',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': headers.get('content-type') ?? '' },
      payload: bodyBytes,
    })
    return uploadAnswer.json()
  }
  let pictureEtag = ''
  const readBannerType = async () => {
    const headers = { accept: 'image/webp', 'if-none-match': pictureEtag }
    const response = await site.app.inject({ url: '/img/website/ann/640', headers })
    // A browser revalidates the banner each time, so that it shows a change immediately.
    expect(response.headers['cache-control']).toBe('no-cache')
    if (response.statusCode === 304) return 'unchanged'
    pictureEtag = String(response.headers.etag)
    return response.headers['content-type']
  }
  expect(await readBannerType()).toContain('svg')
  const redBanner = await sharp({ create: { width: 1280, height: 400, channels: 3, background: '#f00' } })
    .png()
    .toBuffer()
  expect(await sendUpload(redBanner)).toEqual({ code: 200, message: 'OK', data: null })
  expect((await ann.get()).data.has_banner).toBe(true)
  expect(await readBannerType()).toBe('image/webp')
  expect(await sendUpload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject({ code: 400 })
  expect(await readBannerType()).toBe('unchanged')
  expect((await sendUpload()).code).toBe(200)
  expect(await readBannerType()).toContain('svg')
})

it("website: in the lists of supporters, a website whose channel belongs to a member has the member's picture, as long as visitors can see the website", async () => {
  const channelId = `UC${'m'.repeat(22)}`
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  await ann.save({ domain_name: 'ann', youtube: `https://www.youtube.com/channel/${channelId}` })
  const findPicture = () => site.storage.pictures.findSource('supporter', 'ann', nowMs)
  expect(await findPicture()).toEqual({ name: 'Ann' })
  const channel_pic = 'https://pictures.example/m.png'
  const membersFile = join(site.dataDir, 'members.json')
  await writeFile(membersFile, JSON.stringify({ members: [{ channel_id: channelId, channel_name: 'M', channel_pic }] }))
  await site.storage.catalogue.importFile(membersFile)
  expect(await findPicture()).toEqual({ url: channel_pic, name: 'Ann' })
  await ann.save({ domain_name: 'ann', youtube: `https://www.youtube.com/channel/${channelId}`, enabled: 'no' })
  expect(await findPicture()).toEqual({})
})

it('website: names of accounts and bare hosts are stored as web addresses; of several invalid fields the first is named', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const givenInput = {
    youtube: '@annhale',
    twitter: 'annhale',
    instagram: 'instagram.com/ann',
    tiktok: '@ann.hale',
    soundcloud: 'https://example.com/a',
  }
  expect(await ann.save({ domain_name: 'ann', ...givenInput })).toMatchObject({ code: 200 })
  expect((await ann.get()).data).toMatchObject({
    youtube: 'https://www.youtube.com/@annhale',
    twitter: 'https://x.com/annhale',
    instagram: 'https://instagram.com/ann',
    tiktok: 'https://www.tiktok.com/@ann.hale',
    soundcloud: 'https://example.com/a',
  })
  expect(await ann.save({ domain_name: 'ann', youtube: 'vimeo.com/ann', links: [{ title: '', url: 'x' }] })).toMatchObject({
    code: 400,
    message: 'Link 1: Please fill in this field.',
  })
})

it("website: the owner's songs come first, in the owner's order, and `own_count` is their number; saving the website without songs keeps the stored ones", async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const allInfo = (await readInfo('ann')).data
  expect(allInfo.own_count).toBe(0)
  const [firstVideo, secondVideo] = allInfo.videos
  const unknownId = 'zzzzzzzzzz9'
  const songs = [
    { title: 'Mine', url: `https://youtu.be/${unknownId}` },
    { title: '', url: secondVideo.youtube_url },
    { title: 'Renamed', url: firstVideo.youtube_id },
  ]
  expect(await ann.save({ domain_name: 'ann', songs })).toMatchObject({ code: 200 })
  expect(await ann.save({ domain_name: 'ann', subtitle: 'later' })).toMatchObject({ code: 200 })
  const { videos, own_count } = (await readInfo('ann')).data
  expect(own_count).toBe(3)
  expect(videos.slice(0, 3)).toMatchObject([
    { youtube_id: unknownId, title: 'Mine', author_name: 'Ann' },
    { youtube_id: secondVideo.youtube_id, title: secondVideo.title, author_name: secondVideo.author_name },
    { youtube_id: firstVideo.youtube_id, title: 'Renamed' },
  ])
  expect(new Set(videos.map(({ youtube_id }: { youtube_id: string }) => youtube_id)).size).toBe(videos.length)
  expect((await ann.get()).data.songs[1]).toEqual({ title: '', url: secondVideo.youtube_url })
  expect((await site.app.inject(`/img/song/${unknownId}/320`)).statusCode).toBe(200)
  expect((await site.app.inject('/img/song/zzzzzzzzzz8/320')).statusCode).toBe(404)
  for (const [wrongInput, expectedMessage] of [
    [[{ title: '', url: 'https://example.com' }], 'Song 1: Please enter the link of a video on YouTube.'],
    [[songs[1], songs[1]], 'Song 2: This song is in the list already.'],
  ] as const)
    expect(await ann.save({ domain_name: 'ann', songs: wrongInput })).toMatchObject({ code: 400, message: expectedMessage })
  expect(await ann.save({ domain_name: 'ann', songs: Array.from({ length: 9 }, () => songs[0]) })).toMatchObject({ code: 400 })
  // If the owner has chosen no songs, the songs of the owner's channel are shown.
  const channelId = `UC${'s'.repeat(22)}`
  const songsFile = join(site.dataDir, 'songs.json')
  const songRow = { author_name: 'Ann', category_id: 'rock', category_name: 'Rock', date_added: '2020-01-01' }
  await writeFile(
    songsFile,
    JSON.stringify({ songs: [{ ...songRow, youtube_id: 'SSSSSSSSSS1', title: 'Own', author_channel_id: channelId }] }),
  )
  await site.storage.catalogue.importFile(songsFile)
  await ann.save({ domain_name: 'ann', songs: [], youtube: `https://www.youtube.com/channel/${channelId}` })
  const own = (await readInfo('ann')).data
  expect([own.own_count, own.videos[0].title]).toEqual([1, 'Own'])
  expect((await ann.get()).data.channel_songs).toBe(1)
})

it('website: songs that the catalogue does not have need a title, unless the website had them without one before', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const [knownVideo] = (await readInfo('ann')).data.videos
  const createSong = (id: string, title = '') => ({ title, url: `https://youtu.be/${id}` })
  const songs = [createSong('zzzzzzzzzz1'), createSong(knownVideo.youtube_id), createSong('zzzzzzzzzz2', 'Mine'), createSong('zzzzzzzzzz3')]
  expect(await ann.save({ domain_name: 'ann', songs })).toMatchObject({
    code: 400,
    message: 'Song 1, Song 4: Please enter a title, because our catalogue does not have this video.',
  })
  expect((await ann.get()).data.songs).toEqual([])
  expect(await ann.save({ domain_name: 'ann', songs: songs.slice(1, 3) })).toMatchObject({ code: 200 })
  // An earlier version stored songs without a title.
  const { uid = '' } = (await site.storage.accounts.findByEmail('ann@example.com')) ?? {}
  const website = await site.storage.websites.find(uid)
  if (website === undefined) expect.fail('The website was not stored.')
  await site.storage.websites.save({ ...website, songs: [{ youtube_id: 'zzzzzzzzzz1', title: '' }] }, nowMs)
  expect((await readInfo('ann')).data.videos[0]).toMatchObject({ title: 'Ann', author_name: 'Ann' })
  expect(await ann.save({ domain_name: 'ann', songs: songs.slice(0, 3) })).toMatchObject({ code: 200 })
  expect(await ann.save({ domain_name: 'ann', songs })).toMatchObject({ code: 400, message: expect.stringMatching('^Song 4: ') })
  const lookedUpVideo = { author_name: 'Ann', author_channel_id: null, duration: null }
  await site.storage.songs.storeVideos([{ song_id: 'zzzzzzzzzz3', title: 'Told by YouTube', ...lookedUpVideo }], nowMs)
  expect(await ann.save({ domain_name: 'ann', songs })).toMatchObject({ code: 200 })
  expect((await ann.get()).data.songs[3].title).toBe('Told by YouTube')
})

it("website: the owner's links keep their order and titles; the clicks on a link are counted as long as its address stays the same, whatever its place in the list; a form may send the links as JSON", async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const countClick = (target: string, remoteAddress: string) =>
    site.app.inject({ method: 'POST', url: '/api/subscriber/click', payload: { domain_name: 'ann', target }, remoteAddress })
  const readClickCounts = async () => {
    const { clicks, links } = (await ann.get()).data
    return links.map(({ id, title }: { id: string; title: string }) => [
      title,
      clicks.find(({ target }: { target: string }) => target === id)?.count ?? 0,
    ])
  }
  const linkEntries = [
    { title: 'Shop', url: 'shop.example/a' },
    { title: 'Requests', url: 'https://ko-fi.com/ann' },
  ]
  expect(await ann.save({ domain_name: 'ann', links: JSON.stringify(linkEntries), accent: 'mint' })).toMatchObject({ code: 200 })
  const { links, accent } = (await readInfo('ann')).data.data
  expect([links, accent]).toEqual([
    [
      { id: 'link-1', title: 'Shop', url: 'https://shop.example/a' },
      { id: 'link-2', title: 'Requests', url: 'https://ko-fi.com/ann' },
    ],
    'mint',
  ])
  await countClick('link-2', '192.0.2.1')
  await countClick('link-2', '192.0.2.2')
  await countClick('link-3', '192.0.2.1')
  expect((await countClick('link-21', '192.0.2.1')).statusCode).toBe(400)
  expect(await readClickCounts()).toEqual([
    ['Shop', 0],
    ['Requests', 2],
  ])
  await ann.save({ domain_name: 'ann', links: [{ ...links[1], title: 'Ask me' }, { title: 'New', url: 'new.example' }, links[0]] })
  expect(await readClickCounts()).toEqual([
    ['Ask me', 2],
    ['New', 0],
    ['Shop', 0],
  ])
  // A link whose address has changed counts as a new link.
  await ann.save({ domain_name: 'ann', links: [{ ...links[1], url: 'https://ko-fi.com/other' }] })
  expect(await readClickCounts()).toEqual([['Requests', 0]])
  expect((await ann.get()).data.clicks).toEqual([])
})

it('website: until the portrait is removed, it is shown at its own address, and in the link preview in front of a banner that fills the picture', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const sendAccent = async (hexColour?: string) => {
    const idToken = (await createSdkCalls(site).signIn('ann@example.com', 'secret-1')).json().idToken
    const form = new FormData()
    if (hexColour === undefined) form.append('nothing', '')
    else {
      const picture = await sharp({ create: { width: 400, height: 400, channels: 3, background: hexColour } })
        .png()
        .toBuffer()
      form.append('file', new Blob([new Uint8Array(picture)]), 'portrait.png')
    }
    const { headers, body } = new Response(form)
    return site.app.inject({
      method: 'POST',
      url: '/api/website/portrait',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': headers.get('content-type') ?? '' },
      payload: Buffer.from(await new Response(body).arrayBuffer()),
    })
  }
  const readPictureAddress = async (): Promise<string> => (await readInfo('ann')).data.profile_pic
  const drawnAddress = await readPictureAddress()
  expect((await sendAccent('#f00')).statusCode).toBe(200)
  expect((await ann.get()).data.has_portrait).toBe(true)
  const redAddress = await readPictureAddress()
  const isPixelRed = async (pictureBytes: Buffer, leftPx: number, topPx: number) => {
    const [pixel = 0, green = 0] = await sharp(pictureBytes).extract({ left: leftPx, top: topPx, width: 1, height: 1 }).raw().toBuffer()
    return pixel > 200 && green < 60
  }
  const { rawPayload } = await site.app.inject({ url: `${redAddress}/320`, headers: { accept: 'image/webp' } })
  expect(await isPixelRed(rawPayload, 160, 160)).toBe(true)
  const previewBytes = (await site.app.inject('/img/og/website/ann.jpg')).rawPayload
  expect(await sharp(previewBytes).metadata()).toMatchObject({ width: 1200, height: 630 })
  expect([await isPixelRed(previewBytes, 188, 442), await isPixelRed(previewBytes, 600, 100)]).toEqual([true, false])
  const readPageImage = async () =>
    /og:image" content="([^"]+)"/.exec((await site.app.inject({ url: '/', headers: { host: 'ann.localhost' } })).body)?.[1]
  const redImage = await readPageImage()
  await ann.save({ domain_name: 'ann', name: 'Another name' })
  expect((await site.app.inject('/img/og/website/ann.jpg')).rawPayload).not.toEqual(previewBytes)
  expect(await readPageImage()).not.toBe(redImage)
  await sendAccent('#00f')
  expect(new Set([drawnAddress, redAddress, await readPictureAddress()]).size).toBe(3)
  expect((await sendAccent()).statusCode).toBe(200)
  expect(await readPictureAddress()).toBe(drawnAddress)
})

it('website: a click that a visitor repeats counts once, whichever process answers', async () => {
  const ann = await createSubscriber('ann')
  await ann.activate('ann')
  const otherProcess = await createTestApp({}, { nowMs: () => nowMs, appWithSameData: site })
  try {
    const payload = { domain_name: 'ann', target: 'visit' }
    for (const { app } of [site, otherProcess]) await app.inject({ method: 'POST', url: '/api/subscriber/click', payload })
    expect((await ann.get()).data.clicks).toEqual([{ target: 'visit', count: 1 }])
  } finally {
    await otherProcess.close()
  }
})
