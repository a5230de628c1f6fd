import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { TSchema } from 'typebox'
import type { ContentSettings } from '../../contract/content.ts'
import type { EndpointData } from '../../contract/endpoints.ts'
import { type ImportFileKey, type ImportRow, supporterTextFields } from '../../contract/import.ts'
import type { OwnPlaylistSyncRequest } from '../../contract/own-playlist.ts'
import { PLAYLIST_DESCRIPTION_MAX_LENGTH, PLAYLIST_TITLE_MAX_LENGTH } from '../../contract/own-playlist-rules.ts'
import { LINK_PATTERN, Settings } from '../../contract/site.ts'
import { SOCIAL_URL_MAX_LENGTH, socialFields, websiteMaxLengths } from '../../contract/website-rules.ts'
import { runCommand } from '../../server/admin/run-command.ts'
import { callIdentityService, createCredentials } from '../identity/steps.ts'
import { type Site, startSite } from '../server.ts'
import { fetchApi } from '../steps.ts'

const TEXT_LENGTH = 20_000
const NAME_LENGTH = 300
const LINE_LENGTH = 500
const PARAGRAPH_LENGTH = 5000
const LINK_LENGTH = 2000
/** A setting that is HTML has at most 100,000 characters once it is escaped. An `&` is escaped as five characters. */
const HTML_LENGTH = 19_900

/** The number of songs, of playlists, and of each other kind of row. The texts of each row repeat a different punctuation unit. */
const ROW_COUNT = 4
export const rowIndexes = Array.from({ length: ROW_COUNT }, (_, index) => index)

/** The punctuation units: the punctuation marks of ASCII, and pairs of them that begin a construct of HTML, Markdown or a URL. */
const punctuationUnits = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '](', '<!', '&#', '[[', '"\'', '://', '@.', '</']
/** The punctuation units in groups. A group has one unit for each row of a kind. */
export const punctuationGroups = Array.from({ length: punctuationUnits.length / ROW_COUNT }, (_, group) =>
  punctuationUnits.slice(group * ROW_COUNT, (group + 1) * ROW_COUNT),
)

/**
 * Returns a text of `length` characters: `unit` repeated between two letters, so that trimming does not shorten the text, and no match of a
 * regular expression reaches its end.
 */
export const repeatToLength = (unit: string, length: number, start = 'a') =>
  `${start}${unit.repeat(Math.floor((length - start.length - 1) / unit.length))}a`

export const createSongId = (index: number) => `punctuated${index}`
export const createPlaylistId = (index: number) => `list-${index}`
export const createMemberId = (index: number) => `member-${index}`
export const createSupporterName = (index: number) => `supporter-${index}`
/** The domain name of the subscriber's website. */
export const WEBSITE_DOMAIN_NAME = 'punctuated'

/** Returns rows of the catalogue with long texts in every text field. The texts of each row repeat a different punctuation unit. */
function createCatalogue(punctuationUnits: readonly string[]): { [K in ImportFileKey]: ImportRow<K>[] } {
  const createCategory = (punctuationUnit: string, index: number) => ({
    category_id: `category-${index}`,
    category_name: repeatToLength(punctuationUnit, NAME_LENGTH),
  })
  return {
    songs: punctuationUnits.map((unit, index) => ({
      youtube_id: createSongId(index),
      title: repeatToLength(unit, NAME_LENGTH, 'song '),
      author_name: repeatToLength(unit, NAME_LENGTH),
      author_channel_id: repeatToLength(unit, 100),
      ...createCategory(unit, index),
      date_added: '2026-11-01',
      duration: 200,
      description: repeatToLength(unit, TEXT_LENGTH, 'https://x.yy/'),
    })),
    playlists: punctuationUnits.map((unit, index) => ({
      id: createPlaylistId(index),
      title: repeatToLength(unit, NAME_LENGTH),
      ...createCategory(unit, index),
      description: repeatToLength(unit, TEXT_LENGTH),
      home: true,
      description_url: `https://x.yy/${repeatToLength(unit.trim(), LINK_LENGTH - 20)}`,
      songs: punctuationUnits.map((_, each) => createSongId(each)),
    })),
    members: punctuationUnits.map((unit, index) => ({
      channel_id: createMemberId(index),
      channel_name: repeatToLength(unit, NAME_LENGTH),
      sub_tag: repeatToLength(unit, 100),
      testimonial: repeatToLength(unit, PARAGRAPH_LENGTH),
      subs: 1000,
    })),
    supporters: punctuationUnits.map((unit, index) => ({
      domain_name: createSupporterName(index),
      name: repeatToLength(unit, NAME_LENGTH),
      ...Object.fromEntries(
        supporterTextFields.map((field) => [
          field,
          field in websiteMaxLengths
            ? repeatToLength(unit, websiteMaxLengths[field as keyof typeof websiteMaxLengths])
            : repeatToLength(unit.trim(), SOCIAL_URL_MAX_LENGTH, 'https://x.yy/'),
        ]),
      ),
    })),
    feed: punctuationUnits.map((unit, index) => ({
      id: `item-${index}`,
      title: repeatToLength(unit, NAME_LENGTH),
      content: `<p>${repeatToLength(unit, TEXT_LENGTH)}</p>`,
      url: repeatToLength(unit.trim(), LINK_LENGTH, '/a'),
      date: '2026-11-01',
    })),
  }
}

/** Returns the content settings that are lists, such as FAQ. Each list has one entry for each punctuation unit. */
function createLists(punctuationUnits: readonly string[]): Pick<ContentSettings, 'FAQ' | 'TIMELINE' | 'PLANS' | 'BENEFITS' | 'ACADEMY'> {
  const repeatToLine = (unit: string) => repeatToLength(unit, LINE_LENGTH)
  const benefitRows = punctuationUnits.map((unit) => ({
    title: repeatToLine(unit),
    text: repeatToLength(unit, PARAGRAPH_LENGTH),
    icon: 'star' as const,
  }))
  return {
    FAQ: punctuationUnits.map((unit) => ({
      section: 'General',
      question: repeatToLine(unit),
      answer: `<p>${repeatToLength(unit, TEXT_LENGTH)}</p>`,
    })),
    TIMELINE: punctuationUnits.map((unit) => ({
      title: repeatToLine(unit),
      description: repeatToLength(unit, PARAGRAPH_LENGTH),
      date: '2026-01',
      icon: 'star',
    })),
    PLANS: punctuationUnits.map((unit) => ({
      id: 'premium',
      title: repeatToLine(unit),
      price: repeatToLine(unit),
      period: repeatToLine(unit),
      action: 'Subscribe',
      most_popular: false,
      roles: [repeatToLine(unit)],
      perks: [{ text: repeatToLine(unit) }],
    })),
    BENEFITS: benefitRows,
    ACADEMY: {
      title: repeatToLine(punctuationUnits[0] ?? ''),
      text: repeatToLength(punctuationUnits[1] ?? '', PARAGRAPH_LENGTH),
      points: benefitRows,
    },
  }
}

/** Returns a value for every setting that is a text, a link or HTML. */
function createSettings(punctuationUnit: string): Record<string, string> {
  const valueByKey: Record<string, string> = {}
  const createLink = (start = '/') => repeatToLength(punctuationUnit.trim(), LINK_LENGTH, start)
  for (const [settingKey, settingSchema] of Object.entries(Settings.properties)) {
    const { pattern, maxLength }: TSchema & { pattern?: string; maxLength?: number } = settingSchema
    if (pattern === LINK_PATTERN)
      valueByKey[settingKey] = createLink(settingKey === 'LOGO' ? '/img/logo/' : settingKey.startsWith('SOCIAL') ? 'https://x.yy/' : '/')
    else if (pattern === undefined && maxLength !== undefined) valueByKey[settingKey] = repeatToLength(punctuationUnit, maxLength)
  }
  const linksText = JSON.stringify([{ label: repeatToLength(punctuationUnit, LINE_LENGTH), url: createLink() }])
  const longHtml = `<p>${repeatToLength(punctuationUnit, HTML_LENGTH)}</p>`
  return {
    ...valueByKey,
    RADIO_NEWCOMERS: repeatToLength(punctuationUnit, NAME_LENGTH, 'category:'),
    DONATE_LINKS: linksText,
    FOOTER_LINKS: linksText,
    WHAT_IS_CONTENT: longHtml,
    PRIVACY: JSON.stringify({ updated: '2026-11-01', content: longHtml }),
  }
}

/** Changes settings of every brand with the admin command, which runs in this process, because it is called a thousand times. */
async function setSettings(site: Site, valueByKey: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(valueByKey))
    await runCommand(['settings', 'set', key, value], { env: { DATA_DIR: site.dataDir, LOG_LEVEL: 'silent' } })
}

let changeCount = 0
/**
 * Changes a setting that is not a text. Waits until the server has noticed this and all earlier changes, and has dropped its cached
 * answers.
 */
export async function publishChanges(site: Site): Promise<void> {
  const days = 1 + (++changeCount % 1000)
  await setSettings(site, { NEW_DAYS: String(days) })
  while ((await fetchApi(site, 'GET /site')).settings.NEW_DAYS !== days) await setTimeout(20)
}

/** Calls an endpoint with the subscriber's token. Returns the text of the response. */
async function callAsSubscriber(site: Site, idToken: string, urlPath: string, requestBody: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${site.port}/api${urlPath}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(requestBody),
  })
  if (response.status !== 200) throw new Error(await response.text())
  return response.text()
}

const ownPlaylistIds = rowIndexes.map(() => randomUUID())

/** Sets the texts of the subscriber's own playlists, each of which has one song. */
async function setOwnPlaylistTexts(site: Site, idToken: string, punctuationUnits: readonly string[]): Promise<void> {
  const request: OwnPlaylistSyncRequest = {
    changes: punctuationUnits.map((punctuationUnit, index) => ({
      id: randomUUID(),
      at: new Date().toISOString(),
      device: randomUUID(),
      l: ownPlaylistIds[index] ?? '',
      title: repeatToLength(punctuationUnit, PLAYLIST_TITLE_MAX_LENGTH),
      description: repeatToLength(punctuationUnit, PLAYLIST_DESCRIPTION_MAX_LENGTH),
      entries: [{ e: randomUUID(), s: createSongId(0), position: String(index) }],
    })),
  }
  await callAsSubscriber(site, idToken, '/list/sync', request)
}

/**
 * Sets all texts of the catalogue's rows, of the subscriber's own playlists, and of the settings that are lists. The texts of each row
 * repeat a different one of the `ROW_COUNT` punctuation units.
 */
export async function setRowTexts({ site, idToken }: SubscriberSite, punctuationUnits: readonly string[]): Promise<void> {
  const catalogueFile = join(site.dataDir, 'punctuation.json')
  await writeFile(catalogueFile, JSON.stringify(createCatalogue(punctuationUnits)))
  await runCommand(['catalog', 'import', catalogueFile], { env: { DATA_DIR: site.dataDir, LOG_LEVEL: 'silent' } })
  await setSettings(
    site,
    Object.fromEntries(Object.entries(createLists(punctuationUnits)).map(([key, value]) => [key, JSON.stringify(value)])),
  )
  await publishChanges(site)
  await setOwnPlaylistTexts(site, idToken, punctuationUnits)
}

/**
 * Sets the settings that are a text, a link or HTML, and the texts of the subscriber's website. All these texts repeat one punctuation
 * unit.
 */
export async function setSiteTexts({ site, idToken }: SubscriberSite, punctuationUnit: string): Promise<void> {
  await setSettings(site, createSettings(punctuationUnit))
  const repeatForField = (field: 'name' | 'subtitle' | 'about_me' | 'social_text') =>
    repeatToLength(punctuationUnit, websiteMaxLengths[field])
  const longUrl = repeatToLength(punctuationUnit.trim(), SOCIAL_URL_MAX_LENGTH, 'https://x.yy/')
  await callAsSubscriber(site, idToken, '/website/save', {
    domain_name: WEBSITE_DOMAIN_NAME,
    name: repeatForField('name'),
    subtitle: repeatForField('subtitle'),
    about_me: repeatForField('about_me'),
    social_text: repeatForField('social_text'),
    banner_url: longUrl,
    ...Object.fromEntries(socialFields.map((field) => [field, longUrl])),
    youtube: repeatToLength(punctuationUnit.trim(), SOCIAL_URL_MAX_LENGTH, 'https://www.youtube.com/'),
  })
  await publishChanges(site)
}

interface SubscriberSite {
  site: Site
  /** The identity token of the subscriber, who has a website, own playlists and one favorite. */
  idToken: string
}

export interface PunctuatedSite extends SubscriberSite {
  /** The tokens of the subscriber's own playlists, which are shared: one for each punctuation unit of a group. */
  shareTokens: readonly string[]
}

/** Starts a site with rows of simple words. It trusts the header `X-Forwarded-For`. */
export async function startPunctuatedSite(): Promise<PunctuatedSite> {
  const site = await startSite({ DEMO: 'off', TRUST_PROXY: '127.0.0.1' })
  const credentials = createCredentials()
  const { text } = await callIdentityService(`http://127.0.0.1:${site.port}`, 'signUp', { ...credentials, returnSecureToken: true })
  const { idToken }: { idToken: string } = JSON.parse(text)
  const subscriberSite = { site, idToken }
  await site.runAdmin('user', 'grant', '--email', credentials.email, '--role', 'subscriber')
  await callAsSubscriber(site, idToken, '/website/activate', { domain_name: WEBSITE_DOMAIN_NAME })
  const plainUnit = 'word '
  await setRowTexts(
    subscriberSite,
    rowIndexes.map(() => plainUnit),
  )
  await setSiteTexts(subscriberSite, plainUnit)
  await callAsSubscriber(site, idToken, '/favorite/add', { s: createSongId(0) })
  const shareTokens: string[] = []
  for (const playlistId of ownPlaylistIds) {
    const { data }: { data: EndpointData<'POST /list/share'> } = JSON.parse(
      await callAsSubscriber(site, idToken, '/list/share', { l: playlistId, share: true }),
    )
    shareTokens.push(data.token)
  }
  return { ...subscriberSite, shareTokens }
}
